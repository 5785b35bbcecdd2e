package dev.isogrid.client;

import dev.isogrid.wire.ExpiryUnits;
import java.util.concurrent.TimeUnit;

/**
 * Lifespan and max idle of a write. Of each time, 0 stands for the cache's default and a negative
 * one for no limit.
 */
record Lifetime(long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
  /** Both as the cache is configured. */
  static final Lifetime DEFAULT = new Lifetime(0, TimeUnit.SECONDS, 0, TimeUnit.SECONDS);

  /** One with the default max idle. */
  static Lifetime of(long lifespan, TimeUnit unit) {
    return new Lifetime(lifespan, unit, 0, TimeUnit.SECONDS);
  }

  /** Appends the block of the protocol. */
  void write(RequestWriter out) {
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
