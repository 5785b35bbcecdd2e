package dev.isogrid.verify.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Reads the tables of generated pages: one row per line, `|` between cells. */
public final class Rows {
  private Rows() {}

  /** The rows of a file beside this class, without comments and empty lines. */
  public static List<List<String>> of(String file) throws IOException {
    return of(Rows.class, file);
  }

  /** The rows of a file beside another class, or of an absolute path on the class path. */
  static List<List<String>> of(Class<?> beside, String file) throws IOException {
    try (InputStream in = beside.getResourceAsStream(file)) {
      String text =
          new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
          .toList();
    }
  }
}
