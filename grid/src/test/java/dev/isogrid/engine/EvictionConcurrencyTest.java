package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Fsync;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.journal.FolderDisk;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.TextKind;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads use a cache with far more entries than it has in memory, while the journal's task
 * writes, evicts and cleans: each thread finds what it wrote last, and nobody goes back in time.
 */
class EvictionConcurrencyTest {
  private static final int THREADS = 4;
  private static final int KEYS = 60;
  private static final int OPERATIONS = 4_000;
  private static final KeptEngine.Sizes SIZES = new KeptEngine.Sizes(20, 20_000, Fsync.NONE);

  @TempDir private Path folder;

  private final FakeEnv env = new FakeEnv();

  private KeptEngine open(TextKind<BinaryKey, Bytes> kind, ExecutorService executor)
      throws IOException {
    JournalThreads threads = new JournalThreads(executor, (_, _) -> () -> {});
    return new KeptEngine(kind, FolderDisk.open(folder), SIZES, env, threads);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anyOperations_ofManyThreads_areThoseOfTheirMaps(boolean isOffHeap)
      throws IOException, InterruptedException, ExecutionException {
    TextKind<BinaryKey, Bytes> kind = isOffHeap ? TextKind.OFF_HEAP : TextKind.BINARY;
    Map<String, String> expected = new TreeMap<>();
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      KeptEngine kept = open(kind, executor);
      for (int i = 0; i < KEYS; i++) { // never written again, so that they must be carried
        expected.put("cold-" + i, "cold-" + i + "=1=");
        kept.put("cold-" + i, "cold-" + i + "=1=");
      }
      List<Future<Map<String, String>>> maps = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        maps.add(executor.submit(() -> use(kept, thread)));
      }
      for (Future<Map<String, String>> map : maps) {
        expected.putAll(map.get());
      }
      assertEquals(expected, kept.contents());
      assertEquals(expected.size(), kept.engine.size());
      Await.until("old files", () -> kept.journal.stats().carriedBytes() > 0);
      Await.until("evictions", () -> kept.countInMemory() <= SIZES.maxCount());
      kept.engine.close();
      KeptEngine again = open(kind, executor);
      assertEquals(expected, again.contents());
      again.engine.close();
    }
  }

  /** Writes the keys of a thread, reads those of all. */
  private static Map<String, String> use(KeptEngine kept, int thread) {
    Random random = new Random(thread);
    Map<String, String> own = new TreeMap<>();
    Map<String, Integer> seen = new TreeMap<>();
    for (int i = 1; i <= OPERATIONS; i++) {
      String key = thread + "-" + random.nextInt(KEYS);
      switch (random.nextInt(10)) {
        case 0 -> assertEquals(own.remove(key) != null, kept.remove(key));
        case 1, 2, 3 -> {
          String value = key + "=" + i + "=" + "v".repeat(random.nextInt(200));
          kept.put(key, value);
          own.put(key, value);
        }
        case 4, 5, 6 -> assertEquals(own.get(key), kept.get(key));
        default -> {
          String other = random.nextInt(THREADS) + "-" + random.nextInt(KEYS);
          check(other, kept.get(other), seen);
        }
      }
      if (i % 1000 == 0) {
        kept.contents().forEach((each, value) -> check(each, value, seen));
        kept.contents().keySet().removeIf(each -> !each.startsWith(thread + "-"));
      }
    }
    return own;
  }

  /** Values of a key have rising numbers. */
  private static void check(String key, @Nullable String value, Map<String, Integer> seen) {
    if (value != null) {
      String[] parts = value.split("=", -1);
      assertEquals(key, parts[0]);
      int number = Integer.parseInt(parts[1]);
      assertTrue(seen.getOrDefault(key, 0) <= number, () -> "an old value of " + key);
      seen.put(key, number);
    }
  }

  @Test
  void record_thatIsDamaged_isAnErrorThatNamesIt() throws IOException {
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      KeptEngine kept = open(TextKind.OFF_HEAP, executor);
      for (int i = 0; i < 400; i++) {
        kept.put("key-" + i, "value-" + i + "v".repeat(100));
      }
      Await.until("evictions", () -> kept.countInMemory() <= SIZES.maxCount());
      Path oldest = damageOldest();
      int errors = 0;
      for (int i = 0; i < 400; i++) {
        try {
          assertEquals("value-" + i + "v".repeat(100), kept.get("key-" + i));
        } catch (FatalGridException damage) {
          errors++;
          String message = String.valueOf(damage.getMessage());
          assertTrue(message.contains(oldest.toString()), message);
          assertTrue(message.contains("offset="), message);
        }
      }
      assertTrue(errors > 50, "errors: " + errors);
      kept.engine.close();
    }
  }

  /** Changes a byte here and there in a file that is complete. */
  private Path damageOldest() throws IOException {
    Path oldest;
    try (Stream<Path> files = Files.list(folder)) {
      oldest =
          files.filter(each -> each.toString().endsWith(".log")).sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(oldest);
    for (int at = 200; at < bytes.length; at += 50) {
      bytes[at] ^= 4;
    }
    Files.write(oldest, bytes, StandardOpenOption.WRITE); // the same file, that is open
    return oldest;
  }
}
