package dev.isogrid.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How long an entry lives: its lifespan from creation or last update, and its max idle from last
 * access, whichever ends first.
 *
 * <p>Each of the two is a number of milliseconds, {@link #UNLIMITED} or {@link #CACHE_DEFAULT}. An
 * entry counts as expired once the time is over; an expired entry is never returned.
 *
 * <p>The methods that take a time with its unit, or a {@link Duration}, here and in the caches,
 * have one meaning: a positive time is 1 ms at least, and parts of a further millisecond are cut
 * off; 0 stands for {@link #CACHE_DEFAULT}; a negative time stands for {@link #UNLIMITED}. Only the
 * constructor takes 0 milliseconds as a time: the entry is expired at once.
 *
 * <p>A max idle that is not less than the lifespan has no effect, here and in requests of clients.
 * As a cache's default it is a mistake, which {@link CacheConfig} and documents refuse.
 *
 * @param lifespanMillis milliseconds from creation or last update, or a constant of this class
 * @param maxIdleMillis milliseconds from last read or update, or a constant of this class
 */
public record Expiry(long lifespanMillis, long maxIdleMillis) {
  /** No limit. Any negative number but {@link #CACHE_DEFAULT} is taken as this one. */
  public static final long UNLIMITED = -1;

  /** The limit that the cache is configured with. */
  public static final long CACHE_DEFAULT = -2;

  /** Both limits as the cache is configured, as for the plain operations. */
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
   * @param lifespan the time; 0 for the cache's default, negative for no limit
   * @param unit its unit
   */
  public static Expiry lifespan(long lifespan, TimeUnit unit) {
    return new Expiry(millis(lifespan, unit), CACHE_DEFAULT);
  }

  /**
   * A lifespan, with max idle as the cache is configured.
   *
   * @param lifespan the time; 0 for the cache's default, negative for no limit
   */
  public static Expiry lifespan(Duration lifespan) {
    return new Expiry(millis(Objects.requireNonNull(lifespan, "lifespan")), CACHE_DEFAULT);
  }

  /**
   * This lifespan with another max idle.
   *
   * @param maxIdle the time; 0 for the cache's default, negative for no limit
   * @param unit its unit
   */
  public Expiry withMaxIdle(long maxIdle, TimeUnit unit) {
    return new Expiry(lifespanMillis, millis(maxIdle, unit));
  }

  /**
   * This lifespan with another max idle.
   *
   * @param maxIdle the time; 0 for the cache's default, negative for no limit
   */
  public Expiry withMaxIdle(Duration maxIdle) {
    return new Expiry(lifespanMillis, millis(Objects.requireNonNull(maxIdle, "maxIdle")));
  }

  private static long millis(Duration time) {
    if (time.isNegative()) {
      return UNLIMITED;
    }
    return time.isZero() ? CACHE_DEFAULT : Math.max(1, TimeUnit.MILLISECONDS.convert(time));
  }

  private static long millis(long time, TimeUnit unit) {
    Objects.requireNonNull(unit, "unit");
    if (time < 0) {
      return UNLIMITED;
    }
    return time == 0 ? CACHE_DEFAULT : Math.max(1, unit.toMillis(time));
  }
}
