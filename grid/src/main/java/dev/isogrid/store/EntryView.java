package dev.isogrid.store;

import dev.isogrid.api.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * A window on one entry of a container, or on the absence of one. Reusable; for one thread; valid
 * only where the call that hands it out says so.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public abstract class EntryView<K, V> {
  /** For the containers of this package. */
  EntryView() {}

  /** Whether there is an entry. The other methods must be called only if so. */
  public abstract boolean isPresent();

  /** The key. A view of bytes is valid as long as this window is. */
  public abstract K key();

  /** The value. A view of bytes is valid as long as this window is. */
  public abstract V value();

  /** The value, to be looked at before the entry's segment is written to. */
  public V valueNow() {
    return value();
  }

  /** The version of the last write to the entry. */
  public abstract long version();

  /** Whether the entry has a lifespan or a max idle. */
  public abstract boolean isMortal();

  /** When the entry was last written, milliseconds since 1970; -1 if it is not mortal. */
  public abstract long createdMillis();

  /** The lifespan in milliseconds, or {@link Expiry#UNLIMITED}. */
  public abstract long lifespanMillis();

  /** When the entry was last read or written; -1 if it has no max idle. */
  public abstract long lastUsedMillis();

  /** The max idle in milliseconds, or {@link Expiry#UNLIMITED}. */
  public abstract long maxIdleMillis();

  /** The 32 bits that a memcached client keeps with the entry; 0 if none were given. */
  public abstract int clientFlags();

  /** The media type that the value was written with, or null if none was given. */
  public abstract @Nullable String mediaType();

  /**
   * Moves the window to an entry that is in no container.
   *
   * @param effect of kind STORE, with times; its value is borrowed as long as the window shows it
   */
  public abstract void show(K key, Effect<V> effect, long version);

  /** Moves the window to an absence, and lets go of all that it showed. */
  abstract void clear();

  /** Lets go of the page that a read pinned for this window, if any; the window is empty then. */
  public void release() {}

  /** Sets the time of the last use. No effect if the entry has no max idle. */
  abstract void touch(long nowMillis);

  /** Whether the entry's time is over. */
  public final boolean isExpired(long nowMillis) {
    return isMortal()
        && (isOver(createdMillis(), lifespanMillis(), nowMillis)
            || isOver(lastUsedMillis(), maxIdleMillis(), nowMillis));
  }

  /** When the entry's time is over as things stand; {@code Long.MAX_VALUE} if it is not mortal. */
  final long expiryMillis() {
    return isMortal()
        ? ExpiryStripes.expiryMillis(
            createdMillis(), lifespanMillis(), lastUsedMillis(), maxIdleMillis())
        : Long.MAX_VALUE;
  }

  /** Milliseconds until the lifespan ends, 0 or more, or {@link Expiry#UNLIMITED}. */
  public final long remainingLifespanMillis(long nowMillis) {
    long lifespan = lifespanMillis();
    return lifespan < 0
        ? Expiry.UNLIMITED
        : lifespan - Math.clamp(nowMillis - createdMillis(), 0, lifespan);
  }

  static boolean isOver(long sinceMillis, long limitMillis, long nowMillis) {
    return limitMillis >= 0 && nowMillis - sinceMillis >= limitMillis;
  }
}
