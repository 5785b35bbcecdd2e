package dev.isogrid.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Sizes and times in the form of documents: a whole number of bytes or milliseconds, or a number,
 * decimals allowed, with a unit. Units are case-sensitive; a blank may precede them. Parts of a
 * byte or millisecond are cut off.
 */
public final class Quantity {
  /** The form of sizes, for messages. */
  public static final String SIZE_FORM =
      "a number of bytes, or a number with B, KB, MB, GB, TB, KiB, MiB, GiB or TiB";

  static final String TIME_FORM = "a number of milliseconds, or a number with ms, s, m, h or d";

  private static final Map<String, Long> BYTES =
      Map.of(
          "B", 1L,
          "KB", 1_000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "TB", 1_000_000_000_000L,
          "KiB", 1L << 10,
          "MiB", 1L << 20,
          "GiB", 1L << 30,
          "TiB", 1L << 40);

  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  /** The longest quantity: more than any sensible one has, and cheap to compute. */
  private static final int LENGTH_MAX = 64;

  private Quantity() {}

  /**
   * A size in bytes, such as {@code 4096}, {@code 10MB} (10,000,000) or {@code 1.5 GiB}; empty if
   * the text is malformed or exceeds a {@code long}. May be negative.
   */
  public static OptionalLong sizeBytes(String text) {
    return parse(text, BYTES);
  }

  /**
   * A time in milliseconds, such as {@code 250}, {@code 15s}, {@code 1.5h} or {@code -1}; empty if
   * the text is malformed or exceeds a {@code long}.
   */
  static OptionalLong timeMillis(String text) {
    return parse(text, MILLIS);
  }

  private static OptionalLong parse(String text, Map<String, Long> units) {
    String trimmed = text.strip();
    int unitStart = trimmed.length();
    while (unitStart > 0 && isLetter(trimmed.charAt(unitStart - 1))) {
      unitStart--;
    }
    String unit = trimmed.substring(unitStart);
    String number = trimmed.substring(0, unitStart).strip();
    Long factor = unit.isEmpty() ? Long.valueOf(1) : units.get(unit);
    boolean decimals = !unit.isEmpty();
    if (factor == null || !isNumber(number, decimals)) {
      return OptionalLong.empty();
    }
    BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(factor));
    try {
      return OptionalLong.of(value.setScale(0, RoundingMode.DOWN).longValueExact());
    } catch (ArithmeticException _) {
      return OptionalLong.empty();
    }
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /**
   * Whether the text is digits, with an optional sign before and, if allowed, one point between
   * them.
   */
  private static boolean isNumber(String text, boolean decimals) {
    if (text.length() > LENGTH_MAX) {
      return false;
    }
    boolean point = false;
    boolean digit = false;
    for (int i = text.startsWith("-") ? 1 : 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        digit = true;
      } else if (c == '.' && decimals && digit && !point) {
        point = true;
        digit = false; // one must follow
      } else {
        return false;
      }
    }
    return digit;
  }
}
