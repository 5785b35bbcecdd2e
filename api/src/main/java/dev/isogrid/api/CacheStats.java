package dev.isogrid.api;

/**
 * What a cache counted on this node since its start or since the last reset. All numbers are 0 or
 * greater; they are read one after the other, so operations that run meanwhile may show in some and
 * not yet in others.
 *
 * @param startedMillis when counting began, milliseconds since 1970
 * @param hits reads that found an entry
 * @param misses reads that found none
 * @param stores writes that stored a value
 * @param removeHits removals that removed an entry
 * @param removeMisses removals that found none
 * @param expirations entries that were dropped because their time was over
 * @param evictions entries that were dropped to make room
 */
public record CacheStats(
    long startedMillis,
    long hits,
    long misses,
    long stores,
    long removeHits,
    long removeMisses,
    long expirations,
    long evictions) {

  /** Reads, whatever they found. */
  public long retrievals() {
    return hits + misses;
  }
}
