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

  /** Written by any reader. */
  volatile long lastUsedMillis;

  Attributed(Object value, Effect<?> effect, EntryView<?, ?> beside, long nowMillis) {
    this.value = value;
    this.createdMillis = nowMillis;
    this.lastUsedMillis = nowMillis;
    this.lifespanMillis = effect.lifespanMillis();
    this.maxIdleMillis = effect.maxIdleMillis();
    boolean touched = effect.kind() == Effect.Kind.TOUCH;
    this.clientFlags = touched ? beside.clientFlags() : effect.clientFlags();
    this.mediaType = touched ? beside.mediaType() : effect.mediaType();
  }

  boolean isMortal() {
    return lifespanMillis >= 0 || maxIdleMillis >= 0;
  }

  boolean isExpired(long nowMillis) {
    return EntryView.isOver(createdMillis, lifespanMillis, nowMillis)
        || EntryView.isOver(lastUsedMillis, maxIdleMillis, nowMillis);
  }
}
