package dev.isogrid.client;

import dev.isogrid.api.Expiry;
import dev.isogrid.wire.ExpiryUnits;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.Versions;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Lifespan and max idle of a write. Of each time, 0 stands for the cache's default and a negative
 * one for no limit.
 *
 * @param isMoment whether the lifespan is the moment of its end, in milliseconds since 1970 by the
 *     servers' clocks
 */
record Lifetime(
    long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit, boolean isMoment) {
  /** Both as the cache is configured. */
  static final Lifetime DEFAULT = new Lifetime(0, TimeUnit.SECONDS, 0, TimeUnit.SECONDS);

  private static final long MILLIS_PER_SECOND = 1_000;

  /** They are sent as a number of 32 bits. */
  private static final long SECONDS_MAX = 0xFFFF_FFFFL;

  /** From the longest, so that a number takes few bytes. */
  private static final TimeUnit[] UNITS = {
    TimeUnit.DAYS, TimeUnit.HOURS, TimeUnit.MINUTES, TimeUnit.SECONDS
  };

  private Lifetime(long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    this(lifespan, lifespanUnit, maxIdle, maxIdleUnit, false);
  }

  /** A life that ends at a moment of the servers' clocks, used or not. */
  static Lifetime until(Instant end) {
    return new Lifetime(millis(end), TimeUnit.MILLISECONDS, -1, TimeUnit.MILLISECONDS, true);
  }

  private static long millis(Instant end) {
    try {
      return Math.max(1, end.toEpochMilli());
    } catch (ArithmeticException far) {
      return end.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : 1;
    }
  }

  /** The times of the embedded API. */
  static Lifetime of(Expiry expiry) {
    if (Objects.requireNonNull(expiry, "expiry").equals(Expiry.DEFAULT)) {
      return DEFAULT;
    }
    TimeUnit lifespanUnit = unit(expiry.lifespanMillis());
    TimeUnit maxIdleUnit = unit(expiry.maxIdleMillis());
    return new Lifetime(
        time(expiry.lifespanMillis(), lifespanUnit),
        lifespanUnit,
        time(expiry.maxIdleMillis(), maxIdleUnit),
        maxIdleUnit);
  }

  /**
   * The longest unit that a time is a multiple of; 0, which the protocol has no number for: 1 ns.
   */
  private static TimeUnit unit(long millis) {
    if (millis == 0) {
      return TimeUnit.NANOSECONDS;
    }
    for (TimeUnit unit : UNITS) {
      if (millis % unit.toMillis(1) == 0) {
        return unit;
      }
    }
    return TimeUnit.MILLISECONDS;
  }

  private static long time(long millis, TimeUnit unit) {
    if (millis == Expiry.CACHE_DEFAULT) {
      return 0;
    }
    return millis == 0 ? 1 : Math.max(-1, unit.convert(millis, TimeUnit.MILLISECONDS));
  }

  /**
   * Appends the block of the protocol:
   *
   * <pre>
   * from 2.2: u8 units, 4 bits each | for units with a number: vLong lifespan, vLong max idle
   * before: vInt seconds of the lifespan, vInt of the max idle; 0 for none, with a flag default
   * </pre>
   */
  void write(RequestWriter out) {
    if (isMoment) {
      writeMoment(out);
      return;
    }
    if (out.version() < Versions.V30) {
      writeOld(out);
      return;
    }
    writeUnits(out);
  }

  /** Servers that take no moment get the time until then, by the clock here. */
  private void writeMoment(RequestWriter out) {
    if (out.takesTimes()) {
      out.u8(ExpiryUnits.MOMENT << 4 | ExpiryUnits.INFINITE);
      out.vLong(lifespan);
    } else {
      long rest = Math.max(1, lifespan - Nanos.nowMillis());
      new Lifetime(rest, TimeUnit.MILLISECONDS, maxIdle, maxIdleUnit).write(out);
    }
  }

  private void writeUnits(RequestWriter out) {
    int lifespanCode = code(lifespan, lifespanUnit);
    int maxIdleCode = code(maxIdle, maxIdleUnit);
    out.u8(lifespanCode << 4 | maxIdleCode);
    if (ExpiryUnits.hasNumber(lifespanCode)) {
      out.vLong(lifespan);
    }
    if (ExpiryUnits.hasNumber(maxIdleCode)) {
      out.vLong(maxIdle);
    }
  }

  /** Before 3.0 a time of more than 30 days is read as a point in time, so it is sent as one. */
  private void writeOld(RequestWriter out) {
    if (out.version() < Versions.V22) {
      writeSeconds(out, lifespan, lifespanUnit);
      writeSeconds(out, maxIdle, maxIdleUnit);
      return;
    }
    boolean isLong = isPoint(lifespan, lifespanUnit);
    boolean isLongIdle = isPoint(maxIdle, maxIdleUnit);
    new Lifetime(
            isLong ? point(lifespan, lifespanUnit) : lifespan,
            isLong ? TimeUnit.MILLISECONDS : lifespanUnit,
            isLongIdle ? point(maxIdle, maxIdleUnit) : maxIdle,
            isLongIdle ? TimeUnit.MILLISECONDS : maxIdleUnit)
        .writeUnits(out);
  }

  private static boolean isPoint(long time, TimeUnit unit) {
    return unit.toMillis(time) > ExpiryUnits.POINT_IN_TIME_ABOVE_MILLIS;
  }

  /** Milliseconds since 1970; ends with the range of the numbers. */
  private static long point(long time, TimeUnit unit) {
    long sum = Nanos.nowMillis() + unit.toMillis(time);
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Parts of a second count as one, since 0 stands for something else. */
  private static void writeSeconds(RequestWriter out, long time, TimeUnit unit) {
    if (time <= 0) {
      out.vInt(0);
      return;
    }
    long millis = isPoint(time, unit) ? point(time, unit) : unit.toMillis(time);
    long seconds = Math.max(1, (millis - 1) / MILLIS_PER_SECOND + 1);
    if (seconds > SECONDS_MAX) {
      throw new IllegalArgumentException(
          "time too long for Hot Rod 2.1: time=%d %s; use a negative one for no limit"
              .formatted(time, unit));
    }
    out.vInt((int) seconds);
  }

  /** Before 2.2 the flags that make 0 stand for the cache's default. */
  int flags() {
    return (lifespan == 0 ? RequestFlags.DEFAULT_LIFESPAN : 0)
        | (maxIdle == 0 ? RequestFlags.DEFAULT_MAX_IDLE : 0);
  }

  private static int code(long time, TimeUnit unit) {
    if (time <= 0) {
      return time == 0 ? ExpiryUnits.DEFAULT : ExpiryUnits.INFINITE;
    }
    return switch (unit) {
      case NANOSECONDS -> ExpiryUnits.NANOSECONDS;
      case MICROSECONDS -> ExpiryUnits.MICROSECONDS;
      case MILLISECONDS -> ExpiryUnits.MILLISECONDS;
      case SECONDS -> ExpiryUnits.SECONDS;
      case MINUTES -> ExpiryUnits.MINUTES;
      case HOURS -> ExpiryUnits.HOURS;
      case DAYS -> ExpiryUnits.DAYS;
    };
  }
}
