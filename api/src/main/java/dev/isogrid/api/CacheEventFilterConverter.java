package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * A {@link CacheEventFilter} and a {@link CacheEventConverter} in one step. Deployed by a {@link
 * CacheEventFilterConverterFactory}.
 *
 * <p>One object serves one listener, by one thread at a time. A change that it fails on is left
 * out, and the server logs that.
 *
 * @param <K> as of a {@link CacheEventConverter}
 * @param <V> as of a {@link CacheEventConverter}
 */
@FunctionalInterface
public interface CacheEventFilterConverter<K, V> {
  /**
   * Returns the content of the event, or null if the listener does not hear of it. May block; later
   * events of the listener wait.
   *
   * @param event the change; never one of kind {@link CacheEvent.Kind#EVICTED}
   * @return as of {@link CacheEventConverter#convert}, but for null
   */
  @Nullable Object filterAndConvert(CacheEvent<K, V> event) throws Exception;
}
