package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Compression;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.api.WhenSplit;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The differences between configurations of a cache. */
class MutableAttributesTest {
  private static final CacheConfig CACHE =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .storage(StorageType.OFF_HEAP)
          .encoding("text/plain", "text/plain")
          .maxCount(100)
          .build();

  /** A change of one attribute, with the names of the attributes that are immutable. */
  private record Change(Consumer<CacheConfig.Builder> change, List<String> immutable) {
    void check() {
      CacheConfig.Builder builder = CACHE.toBuilder();
      change.accept(builder);
      CacheConfig changed = builder.build();
      assertEquals(immutable, MutableAttributes.immutableDifferences(CACHE, changed));
      assertEquals(immutable, MutableAttributes.immutableDifferences(changed, CACHE));
      boolean isTaken = MutableAttributes.withThoseOf(CACHE, changed).equals(changed);
      assertEquals(immutable.isEmpty(), isTaken, changed::toString);
      boolean isTakenBack = MutableAttributes.withThoseOf(changed, CACHE).equals(CACHE);
      assertEquals(immutable.isEmpty(), isTakenBack, changed::toString);
    }
  }

  @Test
  void immutableDifferences_areTheSameBothWays() {
    List<Change> changes =
        List.of(
            new Change(c -> c.maxCount(-1), List.of("memory.max-count", "memory.when-full")),
            new Change(
                c -> c.maxCount(-1).maxSize(1 << 20),
                List.of("memory.max-count", "memory.max-size")),
            new Change(c -> c.maxCount(7), List.of()),
            new Change(c -> c.whenFull(WhenFull.EXCEPTION), List.of("memory.when-full")),
            new Change(c -> c.storage(StorageType.HEAP_BINARY), List.of("memory.storage")),
            new Change(c -> c.compression(Compression.DICTIONARY), List.of("memory.compression")),
            new Change(c -> c.statistics(true), List.of()),
            new Change(
                c -> c.lifespan(Duration.ofSeconds(9)).maxIdle(Duration.ofSeconds(3)), List.of()),
            new Change(
                c -> c.reaperInterval(Duration.ofSeconds(9)), List.of("expiration.interval")),
            new Change(c -> c.owners(3), List.of("owners")),
            new Change(c -> c.minInSync(2), List.of("min-in-sync")),
            new Change(c -> c.segments(8), List.of("segments")),
            new Change(
                c -> c.whenSplit(WhenSplit.ALLOW_READS), List.of("partition-handling.when-split")),
            new Change(
                c -> c.mergePolicy(MergePolicy.of("REMOVE_ALL")),
                List.of("partition-handling.merge-policy", "partition-handling.when-split")),
            new Change(
                c -> c.authorization(new CacheAuthorization(true, List.of("r"))),
                List.of("security.authorization.enabled", "security.authorization.roles")),
            new Change(
                c -> c.encoding("text/plain", "application/json"),
                List.of(
                    "encoding.key.media-type", "encoding.media-type", "encoding.value.media-type")),
            new Change(
                c -> c.fileStore(FileStore.builder().build()),
                List.of("persistence.file-store.fsync")));
    changes.forEach(Change::check);
  }
}
