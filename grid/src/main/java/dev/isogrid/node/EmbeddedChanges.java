package dev.isogrid.node;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.CacheChanges;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.InvalidRequestException;
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

  /** A change whose key or value could not be read; it stays the next one. */
  private @Nullable CacheChange<S, T> unread;

  /** The place of the change that was returned last, or where this began. */
  private ChangeToken lastToken;

  private boolean isClosed;

  EmbeddedChanges(ChangeTail<S, T> tail, CacheEngine<S, T> engine, Edge<K, V, S, T> edge) {
    this.tail = tail;
    this.engine = engine;
    this.edge = edge;
    this.lastToken = tail.token();
  }

  @Override
  public @Nullable CacheChange<K, V> next(Duration wait) {
    long millis = TimeUnit.MILLISECONDS.convert(Objects.requireNonNull(wait, "wait"));
    if (isClosed) {
      throw new InvalidRequestException(
          "changes are closed: cache=%s; begin again with Cache.changes".formatted(engine.name()));
    }
    CacheChange<S, T> change = unread == null ? tail.next(millis) : unread;
    if (change == null) {
      engine.checkOpen();
      return null;
    }
    unread = change;
    CacheChange<K, V> read = read(change);
    unread = null;
    lastToken = change.token();
    return read;
  }

  private CacheChange<K, V> read(CacheChange<S, T> change) {
    S key = change.key();
    T value = change.value();
    try {
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
    } catch (RuntimeException failure) {
      throw new InvalidRequestException(
          ("change can't be read: cache=%s, segment=%d, version=%d, token=%s, reason=%s; the next"
                  + " call tries again, and Cache.changes with that token leaves the change out")
              .formatted(
                  engine.name(), change.segment(), change.version(), change.token(), failure),
          failure);
    }
  }

  @Override
  public ChangeToken token() {
    return unread == null ? tail.token() : lastToken;
  }

  @Override
  public void close() {
    isClosed = true;
    tail.close();
  }
}
