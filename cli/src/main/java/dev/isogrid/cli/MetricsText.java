package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads figures in the text format of Prometheus. */
final class MetricsText {
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)(?: \\S+)?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /**
   * A figure.
   *
   * @param labels by name
   */
  record Sample(String name, Map<String, String> labels, double value) {}

  private MetricsText() {}

  /** The figures of a text; comments and lines of other forms are left out. */
  static List<Sample> parse(String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher parts = LINE.matcher(line);
      if (!line.startsWith("#") && parts.matches()) {
        String labels = parts.group(2);
        samples.add(
            new Sample(
                parts.group(1), labels(labels == null ? "" : labels), number(parts.group(3))));
      }
    }
    return samples;
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.put(label.group(1), unescaped(label.group(2)));
    }
    return labels;
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        char next = text.charAt(++i);
        plain.append(next == 'n' ? '\n' : next);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
