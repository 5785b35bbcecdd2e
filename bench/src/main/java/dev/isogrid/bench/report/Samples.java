package dev.isogrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of the same thing, measured several times. Not thread-safe. */
public final class Samples {
  private static final double SHOW_TENTHS_BELOW = 100;
  private static final double SHOW_HUNDREDTHS_BELOW = 10;

  private final List<Double> sorted = new ArrayList<>();

  /** Adds a figure. */
  public void add(double figure) {
    sorted.add(figure);
    sorted.sort(null);
  }

  /** The number of figures. */
  public int count() {
    return sorted.size();
  }

  /** The mean; NaN if there is none. */
  public double mean() {
    return sorted.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** The middle figure, or the mean of the two in the middle; NaN if there is none. */
  public double median() {
    if (sorted.isEmpty()) {
      return Double.NaN;
    }
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The smallest; NaN if there is none. */
  public double min() {
    return sorted.isEmpty() ? Double.NaN : sorted.getFirst();
  }

  /** The largest; NaN if there is none. */
  public double max() {
    return sorted.isEmpty() ? Double.NaN : sorted.getLast();
  }

  /** Median, smallest and largest, as three cells of a table. */
  public List<String> cells() {
    return List.of(text(median()), text(min()), text(max()));
  }

  /** A figure with about three significant digits, and all digits before the point. */
  public static String text(double figure) {
    if (Double.isNaN(figure)) {
      return "-";
    }
    double size = Math.abs(figure);
    String format =
        size < SHOW_HUNDREDTHS_BELOW ? "%.2f" : size < SHOW_TENTHS_BELOW ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, figure);
  }
}
