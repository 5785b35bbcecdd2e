package dev.isogrid.verify.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Reads tables that pages of the documentation are made of: one row a line, `|` between cells. */
public final class Rows {
  private Rows() {}

  /** The rows of a file beside this class, without comments and empty lines. */
  public static List<List<String>> of(String file) throws IOException {
    try (InputStream in = Rows.class.getResourceAsStream(file)) {
      String text =
          new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
          .toList();
    }
  }
}
