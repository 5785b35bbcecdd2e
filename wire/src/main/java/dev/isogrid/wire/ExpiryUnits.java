package dev.isogrid.wire;

import java.util.concurrent.TimeUnit;

/**
 * The units of lifespan and max idle from 2.2 on, 4 bits each in one byte: the lifespan's are the
 * upper ones. For {@link #DEFAULT} and {@link #INFINITE} no number follows.
 */
public final class ExpiryUnits {
  /** Seconds. */
  public static final int SECONDS = 0;

  /** Milliseconds. */
  public static final int MILLISECONDS = 1;

  /** Nanoseconds. */
  public static final int NANOSECONDS = 2;

  /** Microseconds. */
  public static final int MICROSECONDS = 3;

  /** Minutes. */
  public static final int MINUTES = 4;

  /** Hours. */
  public static final int HOURS = 5;

  /** Days. */
  public static final int DAYS = 6;

  /** The time that the cache is configured with. */
  public static final int DEFAULT = 7;

  /** No limit. */
  public static final int INFINITE = 8;

  /**
   * Isogrid's own, for lifespans: milliseconds since 1970 by the servers' clocks, at which the
   * entry expires. For servers that announce {@link TimesExtension}.
   */
  public static final int MOMENT = 9;

  /** Both times as the cache is configured: the byte that a plain put sends. */
  public static final int BOTH_DEFAULT = DEFAULT << 4 | DEFAULT;

  /** Before 3.0 a longer time is a point in time: that many milliseconds since 1970. */
  public static final long POINT_IN_TIME_ABOVE_MILLIS = TimeUnit.DAYS.toMillis(30);

  private ExpiryUnits() {}

  /** Whether these 4 bits are a unit. */
  public static boolean isValid(int unit) {
    return unit >= SECONDS && unit <= MOMENT;
  }

  /** Whether a number follows for this unit. */
  public static boolean hasNumber(int unit) {
    return unit != DEFAULT && unit != INFINITE;
  }

  /**
   * A time in milliseconds; parts of one are cut off, what does not fit is {@link Long#MAX_VALUE}.
   *
   * @param time 0 or more
   * @param unit a unit that has a number, other than {@link #MOMENT}
   * @throws IllegalArgumentException if it is not
   */
  public static long toMillis(long time, int unit) {
    return unitOf(unit).toMillis(time);
  }

  private static TimeUnit unitOf(int unit) {
    return switch (unit) {
      case SECONDS -> TimeUnit.SECONDS;
      case MILLISECONDS -> TimeUnit.MILLISECONDS;
      case NANOSECONDS -> TimeUnit.NANOSECONDS;
      case MICROSECONDS -> TimeUnit.MICROSECONDS;
      case MINUTES -> TimeUnit.MINUTES;
      case HOURS -> TimeUnit.HOURS;
      case DAYS -> TimeUnit.DAYS;
      default -> throw new IllegalArgumentException("not a unit of time: unit=" + unit);
    };
  }
}
