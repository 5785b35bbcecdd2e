package dev.isogrid.node;

import dev.isogrid.base.EpochClock;
import dev.isogrid.codec.ByteString;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers for some time for which keys a loader found nothing. Thread-safe. */
final class AbsentKeys {
  /** Keys that are remembered: some megabytes. If there are more, all are forgotten. */
  private static final int KEYS_MAX = 65_536;

  /** Longer keys of clients are not remembered, since a few would take all of the memory. */
  private static final int KEY_LENGTH_MAX = 512;

  private final EpochClock clock;
  private final long lifespanMillis;

  /** By what is equal for equal keys, until when nothing is there. */
  private final Map<Object, Long> until = new ConcurrentHashMap<>();

  /**
   * Begins without any.
   *
   * @param lifespanMillis how long a key is remembered; negative for not at all
   */
  AbsentKeys(EpochClock clock, long lifespanMillis) {
    this.clock = clock;
    this.lifespanMillis = lifespanMillis;
  }

  /** Whether no key is remembered: a cheap first look. */
  boolean isEmpty() {
    return until.isEmpty();
  }

  /** Returns whether a loader found nothing for a key a short time ago. */
  boolean contains(Object identity) {
    Long end = until.get(identity);
    if (end == null || clock.millis() < end) {
      return end != null;
    }
    until.remove(identity, end);
    return false;
  }

  void add(Object identity) {
    if (lifespanMillis < 0 || isLong(identity)) {
      return;
    }
    if (until.size() >= KEYS_MAX) {
      until.clear();
    }
    long end = clock.millis() + lifespanMillis;
    until.put(identity, end < 0 ? Long.MAX_VALUE : end); // beyond all clocks
  }

  private static boolean isLong(Object identity) {
    return switch (identity) {
      case ByteString bytes -> bytes.length() > KEY_LENGTH_MAX;
      case String text -> text.length() > KEY_LENGTH_MAX;
      default -> false;
    };
  }

  void remove(Object identity) {
    until.remove(identity);
  }
}
