package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The reports of a server beside its log.
 *
 * @param slowMillis {@code --slow-log}: requests that take this long or longer are logged; null for
 *     none
 * @param infinispanNames {@code --metrics-names infinispan}: whether {@code /metrics} also has
 *     figures under the names of Infinispan
 */
public record Reporting(@Nullable Integer slowMillis, boolean infinispanNames) {
  /** The default reports. */
  public static final Reporting NONE = new Reporting(null, false);

  private static final String SLOW_LOG = "--slow-log";
  private static final String METRICS_NAMES = "--metrics-names";

  /** Declares the options. */
  static void declare(OptionList options) {
    options.text(
        SLOW_LOG,
        "MILLIS",
        "Logs requests that take this long or longer, ten lines a second at most; default"
            + " none.");
    options.text(
        METRICS_NAMES,
        "NAMES",
        "Names in /metrics: isogrid, or infinispan for figures under the names of Infinispan"
            + " as well; default isogrid.");
  }

  /** Reads the options. */
  static Reporting read(GivenOptions given) {
    return new Reporting(
        slowMillis(CommandLineParser.value(given, SLOW_LOG)),
        hasInfinispanNames(CommandLineParser.value(given, METRICS_NAMES)));
  }

  private static @Nullable Integer slowMillis(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      int millis = Integer.parseInt(text);
      if (millis > 0) {
        return millis;
      }
    } catch (NumberFormatException _) {
      // logged below
    }
    throw new InvalidRequestException(
        SLOW_LOG + " " + text + " is not a time; give a number of milliseconds, 1 or more");
  }

  private static boolean hasInfinispanNames(@Nullable String text) {
    return switch (text == null ? "isogrid" : text) {
      case "isogrid" -> false;
      case "infinispan" -> true;
      default ->
          throw new InvalidRequestException(
              METRICS_NAMES + " " + text + " are not known; give isogrid or infinispan");
    };
  }
}
