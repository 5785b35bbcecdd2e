package dev.isogrid.cli;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comma-separated values as RFC 4180 has them. A reader is for one thread. */
final class Csv {
  /** The longest row: what an entry of 64 MiB is in Base64. */
  private static final int ROW_LENGTH_MAX = 96 << 20;

  private static final int NONE = -2;
  private static final int END = -1;

  private final Reader in;
  private int length;
  private int pushedBack = NONE;

  /** Reads from {@code in}, which is borrowed. */
  Csv(Reader in) {
    this.in = in;
  }

  /** A row without its line end: values with commas, quotes or line ends are in quotes. */
  static String line(List<String> values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      line.append(i == 0 ? "" : ",");
      boolean isPlain =
          value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      line.append(isPlain ? value : '"' + value.replace("\"", "\"\"") + '"');
    }
    return line.toString();
  }

  /**
   * The next row, or null at the end.
   *
   * @throws CommandFailure if it is malformed
   */
  @Nullable List<String> next() throws IOException {
    length = 0;
    int c = read();
    if (c == END) {
      return null;
    }
    List<String> values = new ArrayList<>();
    while (true) {
      StringBuilder value = new StringBuilder();
      if (c == '"') {
        c = readQuoted(value);
      } else {
        while (c != ',' && c != '\n' && c != '\r' && c != END) {
          value.append((char) c);
          c = read();
        }
      }
      values.add(value.toString());
      if (c == ',') {
        c = read();
      } else {
        endRow(c);
        return values;
      }
    }
  }

  private void endRow(int c) throws IOException {
    if (c == '\r') {
      int following = read();
      pushedBack = following == '\n' ? NONE : following;
    } else if (c != '\n' && c != END) {
      throw new CommandFailure(
          "malformed CSV: text after a closing quote; double the quotes within a value");
    }
  }

  /** Reads up to the closing quote, and returns the character after it. */
  private int readQuoted(StringBuilder value) throws IOException {
    while (true) {
      int c = read();
      if (c == END) {
        throw new CommandFailure("malformed CSV: a quote is not closed; add the closing one");
      }
      if (c != '"') {
        value.append((char) c);
        continue;
      }
      int following = read();
      if (following != '"') {
        return following;
      }
      value.append('"');
    }
  }

  private int read() throws IOException {
    if (++length > ROW_LENGTH_MAX) {
      throw new CommandFailure(
          "a row is too long: charactersMax=%d; leave it out".formatted(ROW_LENGTH_MAX));
    }
    int c = pushedBack == NONE ? in.read() : pushedBack;
    pushedBack = NONE;
    return c;
  }
}
