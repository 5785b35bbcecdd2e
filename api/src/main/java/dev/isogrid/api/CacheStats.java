package dev.isogrid.api;

/**
 * The statistics of a cache on this node since its start or since the last reset. All numbers are 0
 * or greater; they are read one after the other, so operations that run meanwhile may show in some
 * and not yet in others.
 *
 * @param startedMillis when counting began, milliseconds since 1970
 * @param hits reads that found an entry
 * @param misses reads that found none
 * @param stores writes that stored a value
 * @param removeHits removals that removed an entry
 * @param removeMisses removals that found none
 * @param expirations entries that were dropped because their time was over
 * @param evictions entries that were dropped from memory to make room; they are still there if the
 *     cache has a store
 * @param storeLoads entries that were not in memory and were read from the store
 * @param storeMisses reads that found an entry neither in memory nor in the store; 0 if all entries
 *     of the store are in memory
 */
public record CacheStats(
    long startedMillis,
    long hits,
    long misses,
    long stores,
    long removeHits,
    long removeMisses,
    long expirations,
    long evictions,
    long storeLoads,
    long storeMisses) {

  /** Those of a cache whose entries are all in memory. Parameters as above. */
  // tidy: all that a cache counts
  public CacheStats(
      long startedMillis,
      long hits,
      long misses,
      long stores,
      long removeHits,
      long removeMisses,
      long expirations,
      long evictions) {
    this(
        startedMillis,
        hits,
        misses,
        stores,
        removeHits,
        removeMisses,
        expirations,
        evictions,
        0,
        0);
  }

  /** Reads, whatever they found. */
  public long retrievals() {
    return hits + misses;
  }
}
