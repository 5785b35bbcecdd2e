package dev.isogrid.engine;

/**
 * All keys of a cache in one segment.
 *
 * @param cacheId the cache
 */
record CacheScope(int cacheId) {}
