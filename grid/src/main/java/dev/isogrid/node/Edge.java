package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.Segment;
import dev.isogrid.stream.EntryForm;
import org.jspecify.annotations.Nullable;

/**
 * Where a user's objects become what a container keeps, and back. Thread-safe.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
interface Edge<K, V, S, T> extends EntryForm<K, V, S, T> {
  /** The value of a key in the user's form, or null. */
  @Nullable V get(CacheEngine<S, T> engine, K key);

  /**
   * Puts a value with the cache's default times, if there is a short way.
   *
   * @return the value before in the user's form; null if there was none; what {@link
   *     Segment#isUnclear} knows if nothing was done, so that a {@link #call} must do it
   */
  default @Nullable Object tryPut(CacheEngine<S, T> engine, K key, V value) {
    return Segment.unclear();
  }

  /**
   * Returns whether a stored value is the one that a user expects: an equal one, with arrays equal
   * by their elements, or one of the same bytes.
   */
  boolean isEqual(Object expected, T stored);

  /** Returns the state of a call on one key; the caller closes it. */
  EdgeCall<K, V, S, T> call();

  /** A configuration of the cache as its users see it: with the marshallers that are used. */
  CacheConfig shown(CacheConfig config);
}
