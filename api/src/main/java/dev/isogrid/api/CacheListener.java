package dev.isogrid.api;

/**
 * Gets the changes of a cache.
 *
 * <p>Events of one segment, and so of one key, come one at a time and in version order. A listener
 * may read and write the cache. An exception that it throws is logged and changes nothing.
 *
 * <p>A listener receives the changes of all entries once each, no matter which node of a cluster
 * makes or keeps them. It continues when nodes come, leave or fail. If it misses changes, {@link
 * #onGap} is called. Evictions are reported for its own node only.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface CacheListener<K, V> {
  /** Takes one event. Called by a writing thread or, if asked for so, by a thread of the grid. */
  void onEvent(CacheEvent<K, V> event);

  /**
   * Called if this listener missed changes for good: there were so many while it was slow, or while
   * its node was cut off, that they are not kept any more, or a clear removed entries that were on
   * disks only; these happen in caches of a cluster only. Or a key or a value could not be read as
   * an object on this node, which its log tells. Later changes arrive again. Data gained from
   * earlier events of the segment should be thrown away, or read again. Called as {@link #onEvent}.
   *
   * @param segment the segment of the entries, as in {@link Cache#memoryUse(int)}
   */
  default void onGap(int segment) {}

  /** When a listener is called. */
  enum Delivery {
    /**
     * By the thread that writes, after the write took effect and before the operation returns. A
     * slow listener slows writers down. A write made by a listener returns before its own event is
     * delivered. In a cache of a cluster by a thread of the grid, soon after, unless this node
     * alone keeps the entry.
     */
    SYNC,
    /**
     * By a thread of the grid. At most 65,536 events wait for a listener, or those whose keys and
     * values take 64 MiB where they are kept as bytes; beyond that its writers are slowed down or,
     * in a cache of a cluster, {@link #onGap} is called.
     */
    ASYNC
  }
}
