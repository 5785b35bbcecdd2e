package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a write makes of an entry: nothing, a new value, an absence, or new times. Filled by the
 * write's decision, then applied to the container. Empty when a write gets it. For one thread.
 *
 * @param <V> the container's kind of value
 */
public final class Effect<V> {
  /** The kinds of effect. */
  public enum Kind {
    /** The entry stays as it is. */
    LEAVE,
    /** The entry gets a value, metadata and a new version. */
    STORE,
    /** The entry goes away. */
    REMOVE,
    /** The entry gets new times, but keeps its value and its version. */
    TOUCH
  }

  private Kind kind = Kind.LEAVE;
  private @Nullable V value;
  private long lifespanMillis;
  private long maxIdleMillis;

  /** Whether the two times after this one are given. */
  private boolean timed;

  private long createdMillis;
  private long lastUsedMillis;
  private int clientFlags;
  private @Nullable String mediaType;
  private boolean silent;

  /**
   * Makes the effect {@link Kind#STORE}.
   *
   * @param value borrowed until the effect is applied
   * @param lifespanMillis as in {@link Expiry}
   * @param maxIdleMillis as in {@link Expiry}
   */
  public void store(V value, long lifespanMillis, long maxIdleMillis) {
    store(value, lifespanMillis, maxIdleMillis, 0, null);
  }

  /**
   * Makes the effect {@link Kind#STORE}, with what protocols keep beside the value.
   *
   * @param value borrowed until the effect is applied
   * @param lifespanMillis as in {@link Expiry}
   * @param maxIdleMillis as in {@link Expiry}
   * @param clientFlags 32 bits for memcached clients, 0 for none
   * @param mediaType the value's media type, or null to keep none
   */
  public void store(
      V value,
      long lifespanMillis,
      long maxIdleMillis,
      int clientFlags,
      @Nullable String mediaType) {
    this.kind = Kind.STORE;
    this.value = value;
    this.lifespanMillis = lifespanMillis;
    this.maxIdleMillis = maxIdleMillis;
    this.timed = false;
    this.clientFlags = clientFlags;
    this.mediaType = mediaType;
  }

  /** Makes the effect {@link Kind#REMOVE}. */
  public void remove() {
    kind = Kind.REMOVE;
  }

  /** Makes the effect {@link Kind#TOUCH}, with times as in {@link Expiry}. */
  public void touch(long lifespanMillis, long maxIdleMillis) {
    this.kind = Kind.TOUCH;
    this.lifespanMillis = lifespanMillis;
    this.maxIdleMillis = maxIdleMillis;
    this.timed = false;
  }

  /**
   * Gives a {@link Kind#STORE} or {@link Kind#TOUCH} the times of another owner's entry instead of
   * those of this node's clock, so that a copy of an entry ends when the entry does.
   *
   * @param createdMillis when the entry was written, milliseconds since 1970; of no effect if the
   *     entry is not mortal
   * @param lastUsedMillis when it was last used, milliseconds since 1970; of no effect if it has no
   *     max idle
   */
  public void times(long createdMillis, long lastUsedMillis) {
    assert kind == Kind.STORE || kind == Kind.TOUCH;
    this.timed = true;
    this.createdMillis = createdMillis;
    this.lastUsedMillis = lastUsedMillis;
  }

  /** Says whether listeners are not to be told of the effect. */
  public void silent(boolean silent) {
    this.silent = silent;
  }

  /** Makes the effect the same as another one. */
  public void copy(Effect<V> other) {
    kind = other.kind;
    value = other.value;
    lifespanMillis = other.lifespanMillis;
    maxIdleMillis = other.maxIdleMillis;
    timed = other.timed;
    createdMillis = other.createdMillis;
    lastUsedMillis = other.lastUsedMillis;
    clientFlags = other.clientFlags;
    mediaType = other.mediaType;
    silent = other.silent;
  }

  /** Makes the effect {@link Kind#LEAVE} again, one that is told of, and forgets the value. */
  public void clear() {
    kind = Kind.LEAVE;
    value = null;
    mediaType = null;
    silent = false;
  }

  /** Replaces {@link Expiry#CACHE_DEFAULT} by what the cache is configured with. */
  public void resolveDefaults(long defaultLifespanMillis, long defaultMaxIdleMillis) {
    if (lifespanMillis == Expiry.CACHE_DEFAULT) {
      lifespanMillis = defaultLifespanMillis;
    }
    if (maxIdleMillis == Expiry.CACHE_DEFAULT) {
      maxIdleMillis = defaultMaxIdleMillis;
    }
  }

  /** What is to be done. */
  public Kind kind() {
    return kind;
  }

  /** Whether listeners are not to be told. */
  public boolean isSilent() {
    return silent;
  }

  /** The new value; only for {@link Kind#STORE}. */
  public V value() {
    return Objects.requireNonNull(value);
  }

  /** The lifespan in milliseconds, or {@link Expiry#UNLIMITED}. */
  public long lifespanMillis() {
    return lifespanMillis;
  }

  /** The max idle in milliseconds, or {@link Expiry#UNLIMITED}. */
  public long maxIdleMillis() {
    return maxIdleMillis;
  }

  /** Whether either time is limited. */
  public boolean isMortal() {
    return lifespanMillis >= 0 || maxIdleMillis >= 0;
  }

  /** When the entry counts as written: as given, or else the clock's time. */
  long createdMillisOr(long nowMillis) {
    return timed ? createdMillis : nowMillis;
  }

  /** When the entry counts as used: as given, or else the clock's time. */
  long lastUsedMillisOr(long nowMillis) {
    return timed ? lastUsedMillis : nowMillis;
  }

  /** The bits for memcached clients. */
  public int clientFlags() {
    return clientFlags;
  }

  /** The value's media type, or null. */
  public @Nullable String mediaType() {
    return mediaType;
  }
}
