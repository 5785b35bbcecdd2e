package dev.isogrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A picture of figures that depend on a quantity: a line per series, over evenly spaced values, as
 * SVG. Not thread-safe.
 */
public final class LineChart {
  private static final int WIDTH = 900;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int TOP = 60;
  private static final int PLOT_HEIGHT = 360;

  /** The distance from the plot to the first line of the legend. */
  private static final int LEGEND_TOP = 60;

  private static final int LEGEND_COLUMNS = 2;
  private static final int LEGEND_LINE_HEIGHT = 22;
  private static final int SAMPLE_WIDTH = 36;
  private static final int GAP = 8;
  private static final int GRID_LINES = 5;

  /** Colours that most people can tell apart; the lines of further series are dashed. */
  private static final List<String> COLOURS =
      List.of("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a", "#bf3989");

  private final String title;
  private final String unit;
  private final List<String> values;
  private final List<Series> all = new ArrayList<>();

  private record Series(String label, List<Double> figures) {}

  /**
   * Makes a picture without lines.
   *
   * @param unit the unit of the figures, and their meaning
   * @param values the values of the quantity, from left to right; at least one
   */
  public LineChart(String title, String unit, List<String> values) {
    this.title = title;
    this.unit = unit;
    this.values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing to draw over: title=" + title);
    }
  }

  /**
   * Adds a line.
   *
   * @param figures 0 or more, one for each value; NaN where there is none
   */
  public void add(String label, List<Double> figures) {
    if (figures.size() != values.size()) {
      throw new IllegalArgumentException(
          "line does not fit: figures=%d, values=%d".formatted(figures.size(), values.size()));
    }
    all.add(new Series(label, List.copyOf(figures)));
  }

  /** The picture. */
  public String svg() {
    int legendLines = (all.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    int height = TOP + PLOT_HEIGHT + LEGEND_TOP + legendLines * LEGEND_LINE_HEIGHT;
    double max = top();
    StringBuilder text = new StringBuilder();
    text.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
        font-family="sans-serif" font-size="14">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="24" font-size="16" font-weight="bold">%s</text>
        <text x="%d" y="46" fill="#57606a">%s</text>
        """
            .formatted(
                WIDTH,
                height,
                WIDTH,
                height,
                GAP,
                BarChart.escaped(title),
                GAP,
                BarChart.escaped(unit)));
    appendAxes(text, max);
    for (int i = 0; i < all.size(); i++) {
      append(text, i, max);
    }
    return text.append("</svg>\n").toString();
  }

  /** A round number above all figures. */
  private double top() {
    double max =
        all.stream()
            .flatMap(series -> series.figures.stream())
            .mapToDouble(Double::doubleValue)
            .filter(figure -> figure > 0)
            .max()
            .orElse(1);
    double step = Math.pow(10, Math.floor(Math.log10(max)));
    return Math.ceil(max / step * 2) * step / 2;
  }

  private void appendAxes(StringBuilder text, double max) {
    for (int i = 0; i <= GRID_LINES; i++) {
      double figure = max * i / GRID_LINES;
      text.append(
          String.format(
              Locale.ROOT,
              """
              <line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#d0d7de"/>
              <text x="%d" y="%.1f" text-anchor="end">%s</text>
              """,
              LEFT,
              y(figure, max),
              WIDTH - RIGHT,
              y(figure, max),
              LEFT - GAP,
              y(figure, max) + 5, // where digits of this size look centred
              Samples.text(figure)));
    }
    for (int i = 0; i < values.size(); i++) {
      text.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
              x(i),
              TOP + PLOT_HEIGHT + 22,
              BarChart.escaped(values.get(i))));
    }
  }

  private void append(StringBuilder text, int number, double max) {
    Series series = all.get(number);
    String pen = "stroke=\"%s\" stroke-width=\"2\"".formatted(COLOURS.get(number % COLOURS.size()));
    String style = number < COLOURS.size() ? pen : pen + " stroke-dasharray=\"6 4\"";
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double figure = series.figures.get(i);
      if (!Double.isNaN(figure)) {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y(figure, max)));
        text.append(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"white\" %s/>\n",
                x(i),
                y(figure, max),
                pen));
      }
    }
    text.append(
        String.format(
            Locale.ROOT,
            "<polyline points=\"%s\" fill=\"none\" %s/>\n",
            points.toString().strip(),
            style));
    int left = LEFT + number % LEGEND_COLUMNS * (WIDTH - LEFT) / LEGEND_COLUMNS;
    int middle = TOP + PLOT_HEIGHT + LEGEND_TOP + number / LEGEND_COLUMNS * LEGEND_LINE_HEIGHT - 5;
    text.append(
        String.format(
            Locale.ROOT,
            """
            <line x1="%d" y1="%d" x2="%d" y2="%d" %s/>
            <text x="%d" y="%d">%s</text>
            """,
            left,
            middle,
            left + SAMPLE_WIDTH,
            middle,
            style,
            left + SAMPLE_WIDTH + GAP,
            middle + 5,
            BarChart.escaped(series.label)));
  }

  private double x(int index) {
    double width = (double) (WIDTH - LEFT - RIGHT) / values.size();
    return LEFT + width * (index + 0.5);
  }

  private static double y(double figure, double max) {
    return TOP + PLOT_HEIGHT * (1 - figure / max);
  }
}
