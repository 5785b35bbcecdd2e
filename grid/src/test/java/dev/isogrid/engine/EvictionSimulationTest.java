package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.TextKind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a cache with more entries than it may have in memory on a disk that fails and loses power,
 * with the steps of the journal and of readers in any order, and compares each answer with that of
 * a map, and what is there after a start with what was written. {@code -Dseed=N} runs one seed.
 */
class EvictionSimulationTest {
  private static final int SEEDS = 150;
  private static final int SEEDS_DEEP = 10_000;
  private static final int LIVES = 4;
  private static final int OPERATIONS = 120;
  private static final int KEYS = 24;

  @Test
  void anyOperations_powerLostAnywhere_areThoseOfAMap() {
    Integer seed = Integer.getInteger("seed");
    for (int i = seed == null ? 0 : seed; i < (seed == null ? SEEDS : seed + 1); i++) {
      run(i);
    }
  }

  @Test
  @Tag("deep")
  void anyOperations_powerLostAnywhere_areThoseOfAMap_manySeeds() {
    for (int seed = SEEDS; seed < SEEDS_DEEP; seed++) {
      run(seed);
    }
  }

  private static void run(int seed) {
    try {
      new World(seed).run();
    } catch (IOException | RuntimeException | AssertionError failure) {
      throw new AssertionError("seed=" + seed, failure);
    }
  }

  /** The state after a write. */
  private record State(long position, Map<String, String> entries) {}

  /** One cache through its lives. */
  private static final class World {
    private final Random random;
    private final SimulatedDisk disk;
    private final TextKind<BinaryKey, Bytes> kind;
    private final KeptEngine.Sizes sizes;
    private final FakeEnv env = new FakeEnv();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Runnable> ticks = new ArrayList<>();
    private List<State> states = new ArrayList<>(List.of(new State(0, Map.of())));
    private long forced;
    private Map<String, String> model = new TreeMap<>();
    private KeptEngine kept;
    private int writes;

    /** Whether operations must not be interrupted now. */
    private boolean isBusy;

    World(int seed) throws IOException {
      random = new Random(seed);
      disk = new SimulatedDisk(random);
      kind = random.nextBoolean() ? TextKind.OFF_HEAP : TextKind.BINARY;
      Fsync fsync = random.nextBoolean() ? Fsync.INTERVAL : Fsync.NONE;
      long fileBytes = 300L + random.nextInt(2000);
      sizes = new KeptEngine.Sizes(1 + random.nextInt(8), fileBytes, fsync);
      kept = open();
    }

    void run() throws IOException {
      for (int life = 0; life < LIVES; life++) {
        start();
        try {
          live();
        } catch (SimulatedDisk.PowerLoss _) {
          // as it should
        }
        forced = kept.journal.stats().forcedBytes();
        end();
      }
      start();
    }

    private void end() {
      disk.whileReading(() -> {});
      isBusy = false;
      tasks.clear();
      ticks.clear();
      if (random.nextInt(4) == 0) {
        disk.killProcess();
      } else {
        disk.losePower();
      }
    }

    private void start() throws IOException {
      while (random.nextInt(4) == 0) {
        disk.losePowerAt(1 + random.nextInt(30));
        try {
          kept = open();
        } catch (SimulatedDisk.PowerLoss _) {
          // it is opened again below
        }
        end();
      }
      kept = open();
      disk.losePowerAt(Integer.MAX_VALUE);
      Map<String, String> found = contents();
      boolean isPrefix =
          states.stream()
              .filter(this::hasAllThatWasForced)
              .anyMatch(state -> state.entries().equals(found));
      assertTrue(isPrefix, () -> "found=" + found.keySet());
      assertEquals(found.size(), kept.engine.size());
      model = new TreeMap<>(found);
      forced = 0;
      states = new ArrayList<>(List.of(new State(0, Map.copyOf(found))));
    }

    private boolean hasAllThatWasForced(State state) {
      int next = states.indexOf(state) + 1;
      return next == states.size() || states.get(next).position() > forced;
    }

    private KeptEngine open() throws IOException {
      JournalThreads threads =
          new JournalThreads(
              tasks::add,
              (_, task) -> {
                ticks.add(task);
                return () -> ticks.remove(task);
              });
      return new KeptEngine(kind, disk, sizes, env, threads);
    }

    private void live() {
      disk.whileReading(this::interrupt);
      if (random.nextInt(4) > 0) {
        disk.losePowerAt(1 + random.nextInt(300));
      }
      if (random.nextInt(3) == 0) {
        disk.failAt(0.2);
      }
      for (int i = 0; i < OPERATIONS; i++) {
        try {
          operate();
        } catch (RetryableGridException _) {
          // the disk fails; the operation did nothing
        }
        if (random.nextInt(3) == 0) {
          work(1 + random.nextInt(2));
        }
        if (random.nextInt(10) == 0) {
          List.copyOf(ticks).forEach(Runnable::run);
        }
      }
      disk.failAt(0);
      disk.whileReading(() -> {});
      for (int i = 0; i < 4; i++) {
        work(Integer.MAX_VALUE);
        List.copyOf(ticks).forEach(Runnable::run);
      }
      work(Integer.MAX_VALUE);
      assertEquals(model, contents());
      int inMemory = kept.countInMemory();
      assertTrue(inMemory <= sizes.maxCount(), "in memory: " + inMemory + ", " + sizes);
    }

    private void work(int most) {
      for (int i = 0; i < most && !tasks.isEmpty(); i++) {
        boolean wasBusy = isBusy;
        isBusy = true;
        try {
          tasks.remove().run();
        } finally {
          isBusy = wasBusy;
        }
      }
    }

    /** Runs operations of other threads while an operation reads the disk without a lock. */
    private void interrupt() {
      if (isBusy || random.nextInt(4) > 0) {
        return;
      }
      if (random.nextBoolean()) {
        work(1);
      } else {
        isBusy = true;
        try {
          operate();
        } catch (RetryableGridException _) {
          // the disk fails; the operation did nothing
        } finally {
          isBusy = false;
        }
      }
    }

    private void operate() {
      String key = "key-" + random.nextInt(KEYS);
      switch (random.nextInt(20)) {
        case 0 -> {
          if (!isBusy) { // what others write meanwhile is seen or not
            isBusy = true;
            try {
              assertEquals(model.size(), kept.engine.size());
              assertEquals(model, contents());
            } finally {
              isBusy = false;
            }
          }
        }
        case 1 -> {
          if (random.nextInt(4) == 0) {
            clear();
          }
        }
        case 2, 3, 4 -> {
          boolean wasThere = kept.remove(key);
          assertEquals(model.remove(key) != null, wasThere);
          note();
        }
        case 5, 6, 7, 8, 9 -> put(key, KeyWrite.Condition.NONE);
        case 10 -> put(key, KeyWrite.Condition.ABSENT);
        case 11 -> put(key, KeyWrite.Condition.PRESENT);
        default -> {
          String found = kept.get(key); // others may write meanwhile
          assertEquals(model.get(key), found);
        }
      }
    }

    private void put(String key, KeyWrite.Condition condition) {
      String value = ++writes + "v".repeat(random.nextInt(15) == 0 ? 3000 : random.nextInt(150));
      KeyWrite<BinaryKey, Bytes> write =
          new KeyWrite<BinaryKey, Bytes>().put(kind.value(value)).when(condition);
      kept.write(key, write);
      boolean isDue =
          KeyWrite.decide(condition, model.containsKey(key), false) == KeyWrite.Outcome.DONE;
      assertEquals(isDue, write.outcome() == KeyWrite.Outcome.DONE);
      if (isDue) {
        model.put(key, value);
      }
      note();
    }

    /** Not one write, but one for each segment. */
    private void clear() {
      for (int index = 0; index < KeptEngine.SEGMENTS; index++) {
        kept.journal.admit();
        assertTrue(kept.engine.clearHere(index, true));
        int cleared = index;
        model.keySet().removeIf(key -> kept.engine.segmentOf(kind.key(key).hash()) == cleared);
        note();
      }
    }

    private void note() {
      State now = new State(kept.journal.stats().appendedBytes(), Map.copyOf(model));
      if (!now.equals(states.getLast())) {
        states.add(now);
      }
    }

    private Map<String, String> contents() {
      return kept.contents(() -> {
        if (random.nextInt(10) == 0) {
          work(1); // the cleaner may come between
        }
      });
    }
  }
}
