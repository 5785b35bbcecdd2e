package dev.isogrid.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class BarChartTest {
  @Test
  void svg_ofTwoBars_drawsThemToScale() throws Exception {
    BarChart chart = new BarChart("Bytes < 100 & more");
    chart.add("one", 20, true);
    chart.add("other", 80, false);

    NodeList bars = parse(chart.svg()).getElementsByTagName("rect");

    assertEquals(3, bars.getLength()); // the first is the background
    assertEquals(4.0, width(bars, 2) / width(bars, 1), 0.01);
    assertTrue(chart.svg().contains(">80.0</text>"), chart::svg);
  }

  @Test
  void svg_ofNoFigures_isStillAPicture() throws Exception {
    BarChart chart = new BarChart("Nothing");
    chart.add("unknown", Double.NaN, true);
    chart.add("negative", -3, true);

    NodeList bars = parse(chart.svg()).getElementsByTagName("rect");

    assertEquals(2, bars.getLength());
    assertEquals(0, width(bars, 1));
    assertFalse(chart.svg().contains("NaN"));
  }

  private static double width(NodeList elements, int index) {
    return Double.parseDouble(((Element) elements.item(index)).getAttribute("width"));
  }

  static Document parse(String xml) throws ParserConfigurationException, IOException, SAXException {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }
}
