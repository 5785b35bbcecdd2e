package dev.isogrid.server.security;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Parses lists such as {@code name="ada", nc=00000001}, for digests of SASL and HTTP. */
final class Directives {
  private static final int COUNT_MAX = 30;

  private Directives() {}

  /**
   * The values by their names in lower case, without quotes.
   *
   * @throws IllegalArgumentException if the text is not such a list, or has a name twice
   */
  static Map<String, String> parse(String text) {
    Map<String, String> found = new HashMap<>();
    int at = skip(text, 0);
    while (at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0 || found.size() == COUNT_MAX) {
        throw new IllegalArgumentException("name without value, or too many");
      }
      String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
      StringBuilder value = new StringBuilder();
      at = value(text, equals + 1, value);
      if (found.put(name, value.toString()) != null) {
        throw new IllegalArgumentException("twice: " + AuditLog.shown(name));
      }
      at = skip(text, at);
    }
    return found;
  }

  /** Skips blanks and commas. */
  private static int skip(String text, int from) {
    int at = from;
    while (at < text.length() && " \t\r\n,".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private static int value(String text, int from, StringBuilder value) {
    if (from >= text.length() || text.charAt(from) != '"') {
      int end = text.indexOf(',', from);
      int stop = end < 0 ? text.length() : end;
      value.append(text.substring(from, stop).strip());
      return stop;
    }
    for (int at = from + 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        return at + 1;
      }
      if (c == '\\' && at + 1 < text.length()) {
        at++;
      }
      value.append(text.charAt(at));
    }
    throw new IllegalArgumentException("quote without end");
  }
}
