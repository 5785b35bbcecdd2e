package dev.isogrid.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir private Path folder;

  @Test
  void median_ofOddAndEvenCounts_isTheMiddle() {
    Samples samples = new Samples();
    assertEquals(List.of("-", "-", "-"), samples.cells());
    samples.add(3);
    samples.add(100);
    samples.add(1);
    assertEquals(List.of("3.00", "1.00", "100"), samples.cells());
    samples.add(4);
    assertEquals(3.5, samples.median());
  }

  @Test
  void mean_ofFigures_isTheirSumDividedByTheirCount() {
    Samples samples = new Samples();
    assertTrue(Double.isNaN(samples.mean()));
    samples.add(1);
    samples.add(2);
    samples.add(6);
    assertEquals(3, samples.mean());
  }

  @Test
  void write_withSeveralPictures_showsEach() throws IOException {
    Report report = new Report();
    report.attach("-one.svg", "<svg/>");
    report.attach("-other.svg", "<svg></svg>");

    Path file = report.write(folder, "words", Map.of());

    String text = Files.readString(file);
    String stem = file.getFileName().toString().replace(".md", "");
    assertTrue(text.contains("![%s-one](%s-one.svg)".formatted(stem, stem)), text);
    assertTrue(text.contains("![%s-other](%s-other.svg)".formatted(stem, stem)), text);
    assertEquals("<svg/>", Files.readString(folder.resolve(stem + "-one.svg")));
  }

  @Test
  void text_ofAnyMagnitude_hasThreeDigits() {
    assertEquals("0.12", Samples.text(0.123));
    assertEquals("12.3", Samples.text(12.34));
    assertEquals("1,234,567", Samples.text(1234567.2));
  }

  @Test
  void markdown_ofATable_isAligned() {
    Table table = new Table("Title", 1, List.of("name", "ns"));
    table.add(List.of("a", "1,000"));

    assertEquals(
        """
        ### Title

        | name |    ns |
        | ---- | -----:|
        | a    | 1,000 |
        """,
        table.markdown());
  }

  @Test
  void add_withAMissingCell_isRefused() {
    Table table = new Table("Title", 1, List.of("name", "ns"));
    assertThrows(IllegalArgumentException.class, () -> table.add(List.of("a")));
  }

  @Test
  void write_twiceADay_keepsBoth() throws IOException {
    Report report = new Report();
    report.remark("A remark.");

    Path first = report.write(folder, "local", Map.of("JDK", "25"));
    Path second = report.write(folder, "local", Map.of("JDK", "25"));

    assertNotEquals(first, second);
    assertEquals(Files.readString(first), Files.readString(second));
    assertEquals("- JDK: 25", Files.readAllLines(first).get(2));
  }
}
