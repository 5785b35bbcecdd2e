package dev.isogrid.api;

/**
 * Is told of changes of a cache.
 *
 * <p>Events of one segment, and so of one key, come one at a time and in version order. A listener
 * may read and write the cache. What it throws is logged and changes nothing.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface CacheListener<K, V> {
  /** Takes one event. Called by a writing thread or, if asked for so, by a thread of the grid. */
  void onEvent(CacheEvent<K, V> event);

  /** When a listener is called. */
  enum Delivery {
    /**
     * By the thread that writes, after the write took effect and before the operation returns. A
     * slow listener slows writers down. A write made by a listener returns before its own event is
     * delivered.
     */
    SYNC,
    /**
     * By a thread of the grid. At most 65,536 events wait for a listener; beyond that its writers
     * are slowed down.
     */
    ASYNC
  }
}
