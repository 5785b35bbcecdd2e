package dev.isogrid.server.rest;

import io.netty.handler.codec.DateFormatter;
import java.util.Date;

/** Dates in the form of HTTP, to the second. Pure functions. */
@SuppressWarnings("JavaUtilDate") // what Netty's formatter takes and gives
final class HttpDate {
  /** The result of {@link #parseSeconds} for a text that is not a date. */
  static final long NONE = -1;

  /** The longest text that can be a date, as the parser demands it. */
  private static final int LENGTH_MAX = 64;

  /** The end of the year 9999: HTTP has no dates after it. */
  static final long MILLIS_MAX = 253_402_300_799_999L;

  private HttpDate() {}

  /**
   * Writes a date.
   *
   * @param millis since 1970, 0 to {@link #MILLIS_MAX}
   */
  static String format(long millis) {
    return DateFormatter.format(new Date(millis));
  }

  /** Reads a date in any of HTTP's three forms: seconds since 1970, 0 or more, or {@link #NONE}. */
  static long parseSeconds(String text) {
    Date date = text.length() > LENGTH_MAX ? null : DateFormatter.parseHttpDate(text);
    return date == null ? NONE : Math.max(0, date.getTime() / 1000);
  }
}
