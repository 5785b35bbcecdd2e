package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The size of a clustered cache whose entries move between memory and disk. */
class EvictingSizeTest {
  private static final int KEYS = 200;
  private static final int SIZES = 20_000;

  @TempDir private Path folder;

  private static CacheConfig config() {
    return ClusterStoreTest.config(CacheMode.DIST_SYNC, Fsync.NONE).toBuilder()
        .storage(StorageType.OFF_HEAP)
        .maxCount(KEYS / 10)
        .statistics(true)
        .build();
  }

  @Test
  void size_whileReadsBringEntriesBack_isTheNumberOfEntries() {
    try (StoredNodes nodes = new StoredNodes()) {
      Cache<String, String> cache = nodes.start("a", folder.resolve("a")).cache("orders", config());
      for (int i = 0; i < KEYS; i++) {
        cache.put("key-" + i, "value");
      }
      Await.until("evictions", () -> cache.stats().evictions() > KEYS / 2);
      AtomicBoolean isEnding = new AtomicBoolean();
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                Random random = new Random(1);
                while (!isEnding.get()) {
                  requireNonNull(cache.get("key-" + random.nextInt(KEYS)));
                }
              },
              task -> Thread.ofVirtual().start(task));
      try {
        for (int i = 0; i < SIZES; i++) {
          assertEquals(KEYS, cache.size());
        }
      } finally {
        isEnding.set(true);
      }
      reader.join();
    }
  }
}
