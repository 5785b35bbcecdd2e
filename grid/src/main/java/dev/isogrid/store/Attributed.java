package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

/**
 * A value with what only some entries have. Stands in the place of a plain value, so that an entry
 * without any of it costs no object.
 */
final class Attributed {
  final Object value;
  final long createdMillis;
  final long lifespanMillis;
  final long maxIdleMillis;
  final int clientFlags;
  final @Nullable String mediaType;

  /** Written by any reader to go forward, by the lock's holder to go back. */
  private volatile long lastUsedMillis;

  Attributed(Object value, Effect<?> effect, EntryView<?, ?> beside, long nowMillis) {
    this.value = value;
    this.createdMillis = effect.createdMillisOr(nowMillis);
    this.lastUsedMillis = effect.lastUsedMillisOr(nowMillis);
    this.lifespanMillis = effect.lifespanMillis();
    this.maxIdleMillis = effect.maxIdleMillis();
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    this.clientFlags = touched ? beside.clientFlags() : effect.clientFlags();
    this.mediaType = touched ? beside.mediaType() : effect.mediaType();
  }

  long lastUsedMillis() {
    return lastUsedMillis;
  }

  /**
   * Notes a use, if there is a max idle; a second one in the same millisecond writes nothing.
   *
   * @return whether it is noted: not if the clock went back, since the segment would then know of
   *     an end that is later than the truth; {@link #setLastUsed} is for that
   */
  boolean touch(long nowMillis) {
    long before = lastUsedMillis;
    if (maxIdleMillis >= 0 && nowMillis > before) {
      lastUsedMillis = nowMillis;
    }
    return maxIdleMillis < 0 || nowMillis >= before;
  }

  /** Notes a use at any time. The segment's lock is held, and it takes note of the end. */
  void setLastUsed(long nowMillis) {
    lastUsedMillis = nowMillis;
  }

  /** When the time is over as things stand, or {@code Long.MAX_VALUE}. */
  long expiryMillis() {
    return ExpiryStripes.expiryMillis(createdMillis, lifespanMillis, lastUsedMillis, maxIdleMillis);
  }

  boolean isMortal() {
    return lifespanMillis >= 0 || maxIdleMillis >= 0;
  }

  boolean isExpired(long nowMillis) {
    return EntryView.isOver(createdMillis, lifespanMillis, nowMillis)
        || EntryView.isOver(lastUsedMillis, maxIdleMillis, nowMillis);
  }
}
