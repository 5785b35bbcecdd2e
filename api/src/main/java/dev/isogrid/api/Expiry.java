package dev.isogrid.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long an entry lives: its lifespan from creation or last update, and its max idle from last
 * access, whichever ends first.
 *
 * <p>Each of the two is a number of milliseconds, {@link #UNLIMITED} or {@link #CACHE_DEFAULT}. A
 * time of 0 is legal: the entry is expired at once. An entry counts as expired once the time is
 * over; an expired entry is never returned.
 *
 * @param lifespanMillis milliseconds from creation or last update, or a constant of this class
 * @param maxIdleMillis milliseconds from last read or update, or a constant of this class
 */
public record Expiry(long lifespanMillis, long maxIdleMillis) {
  /** No limit. Any negative number but {@link #CACHE_DEFAULT} is taken as this one. */
  public static final long UNLIMITED = -1;

  /** The limit that the cache is configured with. */
  public static final long CACHE_DEFAULT = -2;

  /** Both limits as the cache is configured: what the plain operations use. */
  public static final Expiry DEFAULT = new Expiry(CACHE_DEFAULT, CACHE_DEFAULT);

  /** No limit at all, whatever the cache is configured with. */
  public static final Expiry NEVER = new Expiry(UNLIMITED, UNLIMITED);

  /** Makes every negative number other than {@link #CACHE_DEFAULT} {@link #UNLIMITED}. */
  public Expiry {
    lifespanMillis = canonical(lifespanMillis);
    maxIdleMillis = canonical(maxIdleMillis);
  }

  private static long canonical(long millis) {
    return millis >= 0 || millis == CACHE_DEFAULT ? millis : UNLIMITED;
  }

  /**
   * A lifespan, with max idle as the cache is configured.
   *
   * @param lifespan the time; negative means unlimited; parts of a millisecond are cut off
   * @param unit its unit
   */
  public static Expiry lifespan(long lifespan, TimeUnit unit) {
    return new Expiry(millis(lifespan, unit), CACHE_DEFAULT);
  }

  /** A lifespan, with max idle as the cache is configured. Negative means unlimited. */
  public static Expiry lifespan(Duration lifespan) {
    return new Expiry(
        lifespan.isNegative() ? UNLIMITED : TimeUnit.MILLISECONDS.convert(lifespan), CACHE_DEFAULT);
  }

  /**
   * This lifespan with another max idle.
   *
   * @param maxIdle the time; negative means unlimited; parts of a millisecond are cut off
   * @param unit its unit
   */
  public Expiry withMaxIdle(long maxIdle, TimeUnit unit) {
    return new Expiry(lifespanMillis, millis(maxIdle, unit));
  }

  private static long millis(long time, TimeUnit unit) {
    return time < 0 ? UNLIMITED : unit.toMillis(time);
  }
}
