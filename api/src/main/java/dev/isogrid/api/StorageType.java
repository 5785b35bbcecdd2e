package dev.isogrid.api;

/** How a cache keeps its entries in memory. */
public enum StorageType {
  /**
   * References to the user's own objects, as a {@code ConcurrentHashMap} would. No marshalling; the
   * objects must not be changed once they are in the cache. The default of a local embedded cache.
   */
  HEAP_OBJECT,

  /** One {@code byte[]} per entry on the Java heap. */
  HEAP_BINARY,

  /**
   * Bytes outside of the Java heap, in pages that all caches of the node share: the smallest
   * entries, and no work for the garbage collector. The default of a server's caches. Bounded by
   * {@link GridConfig#offHeapMaxBytes()} for the node as a whole.
   */
  OFF_HEAP
}
