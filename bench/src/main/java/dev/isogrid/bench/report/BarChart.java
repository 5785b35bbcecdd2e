package dev.isogrid.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A picture of figures: a horizontal bar per figure, in the order of addition, as SVG. Not
 * thread-safe.
 */
public final class BarChart {
  private static final int WIDTH = 900;
  private static final int TITLE_HEIGHT = 40;
  private static final int BAR_HEIGHT = 20;
  private static final int LINE_HEIGHT = 28;
  private static final int LABEL_WIDTH = 330;

  /** Room for a figure at the end of the longest bar. */
  private static final int FIGURE_WIDTH = 80;

  private static final int GAP = 8;
  private static final String EMPHASIS_COLOUR = "#1f6feb";
  private static final String COLOUR = "#8c959f";

  private final String title;
  private final List<Bar> bars = new ArrayList<>();

  private record Bar(String label, double figure, boolean isEmphasized) {}

  /** Makes a picture without bars. */
  public BarChart(String title) {
    this.title = title;
  }

  /**
   * Adds a bar.
   *
   * @param figure its length; a negative figure has length 0, and NaN has no bar
   * @param isEmphasized whether the bar has the emphasis colour
   */
  public void add(String label, double figure, boolean isEmphasized) {
    if (!Double.isNaN(figure)) {
      bars.add(new Bar(label, figure, isEmphasized));
    }
  }

  /** The picture. */
  public String svg() {
    double max =
        bars.stream().mapToDouble(Bar::figure).filter(figure -> figure > 0).max().orElse(1);
    double scale = (WIDTH - LABEL_WIDTH - FIGURE_WIDTH) / max;
    int height = TITLE_HEIGHT + bars.size() * LINE_HEIGHT + GAP;
    StringBuilder text = new StringBuilder();
    text.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
        font-family="sans-serif" font-size="14">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="24" font-size="16" font-weight="bold">%s</text>
        """
            .formatted(WIDTH, height, WIDTH, height, GAP, escaped(title)));
    for (int i = 0; i < bars.size(); i++) {
      append(text, bars.get(i), TITLE_HEIGHT + i * LINE_HEIGHT, scale);
    }
    return text.append("</svg>\n").toString();
  }

  private static void append(StringBuilder text, Bar bar, int top, double scale) {
    double length = Math.max(bar.figure(), 0) * scale;
    int baseline = top + BAR_HEIGHT - 5; // where letters of this size look centred
    text.append(
        String.format(
            Locale.ROOT,
            """
            <text x="%d" y="%d" text-anchor="end">%s</text>
            <rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>
            <text x="%.1f" y="%d">%s</text>
            """,
            LABEL_WIDTH - GAP,
            baseline,
            escaped(bar.label()),
            LABEL_WIDTH,
            top,
            length,
            BAR_HEIGHT,
            bar.isEmphasized() ? EMPHASIS_COLOUR : COLOUR,
            LABEL_WIDTH + length + GAP,
            baseline,
            Samples.text(bar.figure())));
  }

  /** A text, escaped for XML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
