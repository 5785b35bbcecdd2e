package dev.isogrid.client;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a client with a cache since it was opened, counting those that were sent to
 * servers, on single keys. All counts but those of a near cache are 0 unless {@link
 * ClientConfig.Builder#statistics} is on.
 *
 * @param hits reads that found an entry
 * @param misses reads that found none
 * @param averageReadNanos the mean time from a read's sending to its answer; 0 without reads
 * @param stores writes of values, whether their conditions held or not
 * @param averageStoreNanos the mean time of them
 * @param removes removals, likewise
 * @param averageRemoveNanos the mean time of them
 * @param nearHits reads that were answered here
 * @param nearMisses reads that were not, though there is a near cache
 * @param nearInvalidations entries that were dropped here since they changed
 * @param nearSize entries that are kept here
 * @param readNanos the sum of the times of reads
 * @param storeNanos the sum of the times of writes of values
 * @param removeNanos the sum of the times of removals
 */
public record ClientStatistics(
    long hits,
    long misses,
    long averageReadNanos,
    long stores,
    long averageStoreNanos,
    long removes,
    long averageRemoveNanos,
    long nearHits,
    long nearMisses,
    long nearInvalidations,
    long nearSize,
    long readNanos,
    long storeNanos,
    long removeNanos) {
  static ClientStatistics of(@Nullable CacheCounts kept, @Nullable NearCache near) {
    CacheCounts counts = kept == null ? new CacheCounts() : kept;
    NearEntries entries = near == null ? new NearEntries(1) : near.entries();
    long hits = counts.hits.sum();
    long misses = counts.misses.sum();
    long stores = counts.stores.sum();
    long removes = counts.removes.sum();
    return new ClientStatistics(
        hits,
        misses,
        mean(counts.readNanos, hits + misses),
        stores,
        mean(counts.storeNanos, stores),
        removes,
        mean(counts.removeNanos, removes),
        entries.hits.sum(),
        entries.misses.sum(),
        entries.invalidations.sum(),
        entries.size(),
        counts.readNanos.sum(),
        counts.storeNanos.sum(),
        counts.removeNanos.sum());
  }

  private static long mean(LongAdder total, long count) {
    return count == 0 ? 0 : total.sum() / count;
  }
}
