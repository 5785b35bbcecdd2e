package dev.isogrid.node;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.CacheChanges;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ChangeTail;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a cache in the form of its user.
 *
 * @param <K> the user's keys
 * @param <V> the user's values
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
final class EmbeddedChanges<K, V, S, T> implements CacheChanges<K, V> {
  private final ChangeTail<S, T> tail;
  private final CacheEngine<S, T> engine;
  private final Edge<K, V, S, T> edge;

  EmbeddedChanges(ChangeTail<S, T> tail, CacheEngine<S, T> engine, Edge<K, V, S, T> edge) {
    this.tail = tail;
    this.engine = engine;
    this.edge = edge;
  }

  @Override
  public @Nullable CacheChange<K, V> next(Duration wait) {
    CacheChange<S, T> change =
        tail.next(TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(wait, "wait")));
    if (change == null) {
      engine.checkOpen();
      return null;
    }
    S key = change.key();
    T value = change.value();
    return new CacheChange<>(
        change.kind(),
        change.segment(),
        key == null ? null : edge.key(key),
        value == null ? null : edge.value(value),
        change.version(),
        change.createdMillis(),
        change.lifespanMillis(),
        change.maxIdleMillis(),
        change.token());
  }

  @Override
  public ChangeToken token() {
    return tail.token();
  }

  @Override
  public void close() {
    tail.close();
  }
}
