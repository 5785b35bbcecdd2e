package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.engine.SideCounts;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that write all the time while they are cut apart and heal, by a seed: {@code -Dseed=N},
 * {@code -Dsplit.rounds=N}.
 */
@Tag("deep")
class SplitRoundsTest {
  private static final int NODES = 3;
  private static final int KEYS = 8;

  /** Leaves the processors to the nodes. */
  private static final long PACE_NANOS = 200_000;

  private static final String CACHE = "rounds";

  @TempDir private static Path folder;

  /** A client of one node, which alone writes some entries. */
  private static final class Writer implements Runnable {
    private final Cache<String, String> cache;
    private final String name;
    private final String[] written = new String[KEYS];

    /** Whether a write of the entry has no answer yet that says whether it was done. */
    private final boolean[] isUnknown = new boolean[KEYS];

    private final List<String> wrong = new ArrayList<>();

    /** Written by the test. */
    private volatile boolean isOver;

    private volatile int operations;

    private int refused;

    Writer(Cache<String, String> cache, String name) {
      this.cache = cache;
      this.name = name;
    }

    private String key(int number) {
      return name + "-" + number;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // this thread alone writes
    public void run() {
      for (int i = 0; !isOver; i++) {
        int number = i % KEYS;
        try {
          check(number, cache.get(key(number)));
          write(number, name + ":" + i);
        } catch (IndeterminateGridException unknown) {
          isUnknown[number] = true;
        } catch (GridException refusedNow) {
          refused++;
        }
        writeCommon(name + i);
        operations++;
        LockSupport.parkNanos(PACE_NANOS);
      }
    }

    /** Writes all of its entries once. */
    void begin() {
      for (int number = 0; number < KEYS; number++) {
        try {
          write(number, "first");
        } catch (IndeterminateGridException unknown) {
          isUnknown[number] = true;
        }
      }
    }

    /** Writes an entry that all write. */
    private void writeCommon(String value) {
      try {
        cache.put("common", value);
      } catch (GridException refusedNow) {
        refused++;
      }
    }

    private void check(int number, @Nullable String read) {
      if (!isUnknown[number] && !Objects.equals(written[number], read)) {
        wrong.add(key(number) + ": wrote " + written[number] + ", read " + read);
      }
    }

    private void write(int number, String value) {
      if (isUnknown[number]) {
        return; // what follows from an unknown write is as unknown
      }
      cache.put(key(number), value);
      written[number] = value;
    }
  }

  @Test
  void writersOfTheirOwnEntries_loseNothing_andAllNodesAgree() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    int rounds = Integer.getInteger("split.rounds", 2);
    SplittableRandom random = new SplittableRandom(seed);
    CacheConfig config =
        SplitNodes.available(MergePolicy.NONE).toBuilder().mode(CacheMode.REPL_SYNC).build();
    try (SplitNodes nodes = SplitNodes.start(folder, NODES)) {
      for (int round = 0; round < rounds; round++) {
        String where = "seed=" + seed + ", round=" + round;
        run(nodes, config, random, round, where);
      }
      assertEquals(0, nodes.sum(SideCounts::refused), "seed=" + seed);
    }
  }

  private static void run(
      SplitNodes nodes, CacheConfig config, SplittableRandom random, int round, String where)
      throws Exception {
    nodes.cache(0, CACHE, config);
    nodes.awaitWhole();
    List<Writer> writers = new ArrayList<>();
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Writer writer = new Writer(nodes.cache(i, CACHE, config), "r" + round + "n" + i);
      writers.add(writer);
      writer.begin();
    }
    nodes.awaitWhole();
    nodes.awaitCommitted(CACHE);
    boolean isAll = random.nextInt(3) == 0;
    List<Integer> side = isAll ? nodes.byAge() : List.of(nodes.byAge().get(random.nextInt(NODES)));
    if (isAll) {
      nodes.cutAll();
    } else {
      nodes.cut(side);
    }
    for (Writer writer : writers) {
      running.add(CompletableFuture.runAsync(writer, code -> Thread.ofPlatform().start(code)));
    }
    if (random.nextInt(4) > 0) {
      nodes.awaitApart(side);
    }
    awaitProgress(side.stream().map(writers::get).toList());
    boolean isCopied = side.stream().allMatch(nodes::hasAllCopies);
    nodes.heal();
    awaitProgress(writers);
    writers.forEach(writer -> writer.isOver = true);
    running.forEach(CompletableFuture::join);
    nodes.awaitWhole();
    for (Writer writer : writers) {
      if (isCopied) { // else it wrote entries that it did not know
        assertEquals(List.of(), writer.wrong, where);
      }
      expect(nodes, config, writer, where, isCopied);
    }
  }

  private static void awaitProgress(List<Writer> writers) throws Exception {
    int[] before = writers.stream().mapToInt(writer -> writer.operations).toArray();
    Await.until(
        "operations of all writers",
        () -> {
          for (int i = 0; i < before.length; i++) {
            if (writers.get(i).operations < before[i] + 5 * KEYS) {
              return false;
            }
          }
          return true;
        });
  }

  private static void expect(
      SplitNodes nodes, CacheConfig config, Writer writer, String where, boolean isCopied) {
    for (int number = 0; number < KEYS; number++) {
      String first = nodes.cache(0, CACHE, config).get(writer.key(number));
      if (isCopied && !writer.isUnknown[number]) {
        assertEquals(writer.written[number], first, where + ", " + writer.key(number));
      }
      for (int i = 1; i < NODES; i++) {
        assertEquals(first, nodes.cache(i, CACHE, config).get(writer.key(number)), where);
      }
    }
    assertTrue(2 * writer.operations > writer.refused, where);
  }
}
