package dev.isogrid.api;

/**
 * The counts of a cache for its {@link CacheStore} on this node. All numbers are 0 or greater.
 *
 * @param loads entries that were read from the store
 * @param misses looks at the store that found no entry
 * @param writes entries that the store took
 * @param deletes keys that were deleted in the store
 * @param failures calls of the store that failed, repeated ones included
 * @param dropped changes that the store refused again and again while it took others; each is in
 *     the log
 * @param queued keys whose changes wait for the store now; 0 unless the cache writes behind
 */
public record StoreStats(
    long loads, long misses, long writes, long deletes, long failures, long dropped, long queued) {}
