package dev.isogrid.server.rest;

import dev.isogrid.api.Expiry;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.store.EntryView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Converts between the times of entries and those of header fields. Pure functions. */
final class EntryTimes {
  private EntryTimes() {}

  /**
   * The limit of a header field.
   *
   * @param field seconds; null, 0 or an invalid number for the cache's default, below 0 for no
   *     limit
   * @return milliseconds, or a constant of {@link Expiry}
   */
  static long limitMillis(String name, @Nullable String field, ProblemLog problems) {
    if (field == null) {
      return Expiry.CACHE_DEFAULT;
    }
    try {
      long seconds = Long.parseLong(field.strip());
      if (seconds == 0) {
        return Expiry.CACHE_DEFAULT;
      }
      return seconds < 0 ? Expiry.UNLIMITED : TimeUnit.SECONDS.toMillis(seconds);
    } catch (NumberFormatException e) {
      problems.report("header ignored, for it is no number", () -> "header=" + name);
      return Expiry.CACHE_DEFAULT;
    }
  }

  /** Whole seconds of a limit, rounded up so that a short one does not look like none. */
  static long seconds(long millis) {
    return millis < 0 ? millis : (millis - 1) / 1000 + 1;
  }

  /** The end of an unused entry, milliseconds since 1970; -1 if never. */
  static long endMillis(EntryView<?, ?> entry) {
    long end = Long.MAX_VALUE;
    if (entry.lifespanMillis() >= 0) {
      end = saturatedSum(entry.createdMillis(), entry.lifespanMillis());
    }
    if (entry.maxIdleMillis() >= 0) {
      end = Math.min(end, saturatedSum(entry.lastUsedMillis(), entry.maxIdleMillis()));
    }
    return end == Long.MAX_VALUE ? -1 : end;
  }

  private static long saturatedSum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /** The time of {@code min-fresh} in a Cache-Control field, or 0 if it has none. */
  static long minFreshMillis(@Nullable String cacheControl) {
    if (cacheControl == null) {
      return 0;
    }
    String name = "min-fresh=";
    for (int at = 0; at < cacheControl.length(); at++) {
      boolean starts = at == 0 || " ,\t".indexOf(cacheControl.charAt(at - 1)) >= 0;
      if (starts && cacheControl.regionMatches(true, at, name, 0, name.length())) {
        return TimeUnit.SECONDS.toMillis(number(cacheControl, at + name.length()));
      }
    }
    return 0;
  }

  private static long number(String text, int start) {
    int end = start;
    while (end < text.length() && Character.digit(text.charAt(end), 10) >= 0) {
      end++;
    }
    try {
      return Long.parseLong(text, start, end, 10);
    } catch (NumberFormatException e) {
      throw RestProblem.badRequest("malformed Cache-Control: min-fresh needs a number of seconds");
    }
  }
}
