package dev.isogrid.verify.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.verify.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares a generated page of the documentation with its file. The system property {@code
 * docs.update=true} writes the file first.
 */
public final class GeneratedPage {
  private static final String PROPERTY = "docs.update";

  private GeneratedPage() {}

  /**
   * Fails if a page differs from its file.
   *
   * @param path of the file, from the root of the project
   * @param test that makes the page, which the message names
   * @param text of the page as it must be
   */
  public static void assertCurrent(String path, Class<?> test, String text) throws IOException {
    Path file = Project.root().resolve(path);
    if (Boolean.getBoolean(PROPERTY)) {
      Files.writeString(file, text);
    }
    assertEquals(
        Files.exists(file) ? Files.readString(file) : "",
        text,
        "the page differs from the code: page=%s; if the code is right, run: %s\n"
            .formatted(path, update(test)));
  }

  private static String update(Class<?> test) {
    return ("mvn verify -pl :isogrid-verify -am -Dtest=%s"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true")
        .formatted(test.getSimpleName(), PROPERTY);
  }

  /** A table, whose first row is its head. */
  public static String table(List<List<String>> rows) {
    String rule =
        IntStream.range(0, rows.getFirst().size())
            .mapToObj(_ -> "---")
            .collect(Collectors.joining("|", "|", "|\n"));
    StringBuilder table = new StringBuilder(row(rows.getFirst())).append(rule);
    rows.stream().skip(1).forEach(row -> table.append(row(row)));
    return table.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
