package dev.isogrid.api;

import org.jspecify.annotations.Nullable;

/**
 * Makes in servers what a client's listener gets in place of key and version. Deployed by a {@link
 * CacheEventConverterFactory}.
 *
 * <p>One object serves one listener, by one thread at a time. A change that it fails on is left
 * out, and the server logs that.
 *
 * @param <K> the type of the keys: text, boxed primitive or bytes; bytes as they are kept if the
 *     client asks for raw data
 * @param <V> the type of the values, likewise
 */
@FunctionalInterface
public interface CacheEventConverter<K, V> {
  /**
   * Returns the content of the event. May block; later events of the listener wait.
   *
   * @param event the change; never one of kind {@link CacheEvent.Kind#EVICTED}
   * @return a text, a boxed primitive or an array of bytes, in the client's data format; or a map,
   *     a collection or an array of these, which the client gets as JSON; null for nothing, which
   *     is no bytes. If the client asks for raw data, an array of bytes or null only
   */
  @Nullable Object convert(CacheEvent<K, V> event) throws Exception;
}
