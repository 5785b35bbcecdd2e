package dev.isogrid.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LineChartTest {
  private final LineChart chart = new LineChart("Words < all", "MB/s", List.of("1", "2", "4"));

  @Test
  void svg_ofALine_drawsItToScale() throws Exception {
    chart.add("one", List.of(100.0, 50.0, 0.0));

    double[][] points = points(0);

    assertEquals(3, points.length);
    assertEquals(points[1][0] - points[0][0], points[2][0] - points[1][0], 0.11);
    assertEquals(points[1][1] - points[0][1], points[2][1] - points[1][1], 0.11);
    assertTrue(points[0][1] < points[2][1], "larger figures are further up");
    assertTrue(chart.svg().contains(">100</text>"), chart::svg);
    assertTrue(chart.svg().contains(">0.00</text>"), chart::svg);
  }

  @Test
  void svg_withAFigureMissing_leavesThePointOut() throws Exception {
    chart.add("one", List.of(1.0, Double.NaN, 3.0));

    assertEquals(2, points(0).length);
    assertFalse(chart.svg().contains("NaN"));
  }

  @Test
  void svg_ofManyLines_tellsThemApart() throws Exception {
    for (int i = 0; i < 12; i++) {
      chart.add("line " + i, List.of(1.0, 2.0, 3.0));
    }

    NodeList lines = BarChartTest.parse(chart.svg()).getElementsByTagName("polyline");

    assertEquals(
        12,
        IntStream.range(0, lines.getLength())
            .mapToObj(i -> (Element) lines.item(i))
            .map(line -> line.getAttribute("stroke") + line.getAttribute("stroke-dasharray"))
            .distinct()
            .count());
  }

  @Test
  void svg_ofNoLines_isStillAPicture() throws Exception {
    assertEquals(0, BarChartTest.parse(chart.svg()).getElementsByTagName("polyline").getLength());
  }

  @Test
  void add_withAFigureTooFew_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> chart.add("one", List.of(1.0, 2.0)));
  }

  /** The coordinates of a line. */
  private double[][] points(int line) throws Exception {
    NodeList lines = BarChartTest.parse(chart.svg()).getElementsByTagName("polyline");
    String points = ((Element) lines.item(line)).getAttribute("points");
    return Arrays.stream(points.split(" ", -1))
        .map(
            point -> Arrays.stream(point.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }
}
