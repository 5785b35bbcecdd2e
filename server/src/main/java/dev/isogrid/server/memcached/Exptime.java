package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import java.util.concurrent.TimeUnit;

/** Computes the meaning of memcached's expiration times. */
final class Exptime {
  /** The longest relative time, 30 days; anything above is seconds since 1970. */
  private static final int RELATIVE_SECONDS_MAX = 60 * 60 * 24 * 30;

  private Exptime() {}

  /**
   * The lifespan of an entry written now.
   *
   * @param seconds 0 for no limit, negative for expired at once, else relative or absolute
   * @return milliseconds, or {@link Expiry#UNLIMITED}
   */
  static long lifespanMillis(long seconds, long nowMillis) {
    if (seconds == 0) {
      return Expiry.UNLIMITED;
    }
    return seconds < 0 ? 0 : Math.max(0, momentMillis(seconds, nowMillis) - nowMillis);
  }

  /**
   * The time in milliseconds since 1970.
   *
   * @param seconds 1 or more
   */
  static long momentMillis(long seconds, long nowMillis) {
    long millis = TimeUnit.SECONDS.toMillis(seconds);
    return seconds <= RELATIVE_SECONDS_MAX ? nowMillis + millis : millis;
  }
}
