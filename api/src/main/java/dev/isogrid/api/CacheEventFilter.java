package dev.isogrid.api;

/**
 * Decides in servers which changes of a cache a client's listener receives. Deployed by a {@link
 * CacheEventFilterFactory}.
 *
 * <p>One object serves one listener, by one thread at a time. A change that it fails on is left
 * out, and the server logs that.
 *
 * @param <K> the type of the keys: text, boxed primitive or bytes; bytes as they are kept if the
 *     client asks for raw data
 * @param <V> the type of the values, likewise
 */
@FunctionalInterface
public interface CacheEventFilter<K, V> {
  /**
   * Returns whether the listener receives a change. May block; later events of the listener wait.
   *
   * @param event the change; never one of kind {@link CacheEvent.Kind#EVICTED}
   */
  boolean accepts(CacheEvent<K, V> event) throws Exception;
}
