package dev.isogrid.node;

import dev.isogrid.api.Expiry;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.EntryReader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call of a user on one key: the key and the write in the container's form, and the value that
 * was there before. For one thread, until it is closed.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
abstract class EdgeCall<K, V, S, T> implements EntryReader<S, T>, AutoCloseable {
  private final KeyWrite<S, T> write = new KeyWrite<>();

  /** The container's form of the key; valid until the call is closed. */
  abstract S key(K key);

  /** The container's form of a value; valid until the call is closed. */
  abstract T value(V value);

  /** The value before the write, if that was asked for; null if there was none. */
  abstract @Nullable V previous();

  @Override
  public abstract void close();

  /** The write that this call does: a put, until something else is said. */
  final KeyWrite<S, T> storing(V value, Expiry expiry) {
    return write
        .put(value(Objects.requireNonNull(value, "value")))
        .expiry(expiry.lifespanMillis(), expiry.maxIdleMillis());
  }

  /** The write that this call does: a removal. */
  final KeyWrite<S, T> removing() {
    return write.remove();
  }
}
