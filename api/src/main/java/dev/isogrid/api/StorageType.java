package dev.isogrid.api;

/** How a cache keeps its entries in memory. */
public enum StorageType {
  /**
   * References to the user's own objects, as a {@code ConcurrentHashMap} would. No marshalling; the
   * objects must not be changed once they are in the cache. The default of a local embedded cache.
   */
  HEAP_OBJECT,

  /** One {@code byte[]} an entry on the Java heap. The default of a server's caches. */
  HEAP_BINARY
}
