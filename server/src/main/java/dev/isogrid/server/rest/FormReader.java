package dev.isogrid.server.rest;

import dev.isogrid.api.InvalidRequestException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a form of type {@code multipart/form-data}, one after the other, with a buffer
 * of fixed size. For one thread.
 */
final class FormReader {
  private static final String TYPE = "multipart/form-data";

  /** Bytes that are copied at once. */
  static final int BUFFER_BYTES = 1 << 16;

  /** The longest line of a part's head: browsers send some hundred bytes. */
  private static final int LINE_BYTES_MAX = 8 << 10;

  /** The most lines of a part's head. */
  private static final int LINES_MAX = 50;

  /** The characters of a file's name that messages show. */
  private static final int SHOWN_MAX = 100;

  /**
   * The head of a part.
   *
   * @param name of the field, or null if there is none
   * @param fileName the client's name of the file, fit for a message; null if there is none
   * @param contentType null if there is none
   */
  record Head(@Nullable String name, @Nullable String fileName, @Nullable String contentType) {}

  private final InputStream in;
  private final byte[] delimiter;
  private boolean hasBegun;
  private boolean isOver;

  /**
   * Begins before the first part.
   *
   * @param in the body of a request; should be buffered, and is not closed
   * @param boundary the text between the parts
   */
  FormReader(InputStream in, String boundary) {
    this.in = in;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns whether a type is one of forms that this class reads. */
  static boolean isForm(String contentType) {
    return contentType.regionMatches(true, 0, TYPE, 0, TYPE.length());
  }

  /**
   * The text between the parts of a form.
   *
   * @throws InvalidRequestException if the type does not name it
   */
  static String boundary(String contentType) {
    for (String parameter : contentType.split(";", -1)) {
      String stripped = parameter.strip();
      if (stripped.toLowerCase(Locale.ROOT).startsWith("boundary=")) {
        return stripped.substring("boundary=".length()).replace("\"", "");
      }
    }
    throw new InvalidRequestException(
        "form without a boundary: Content-Type=%s; nothing was changed".formatted(contentType));
  }

  /**
   * Reads the head of the next part, or returns null after the last one. The content of the part
   * must be read before the next call.
   *
   * @throws InvalidRequestException if the bytes are no form
   */
  @Nullable Head next() throws IOException {
    if (!hasBegun) {
      hasBegun = true;
      expect(firstLine().equals(line()), "the boundary at the begin");
    }
    if (isOver) {
      return null;
    }
    List<String> lines = head();
    if (lines.isEmpty()) {
      isOver = true;
      return null;
    }
    String fileName = disposition(lines, "filename=");
    return new Head(
        disposition(lines, "name="),
        fileName == null ? null : shown(fileName),
        field(lines, "content-type:"));
  }

  private String firstLine() {
    return new String(delimiter, 2, delimiter.length - 2, StandardCharsets.ISO_8859_1);
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw new InvalidRequestException(
          "form can't be read: expected %s; nothing was changed".formatted(what));
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.write(next);
      expect(line.size() <= LINE_BYTES_MAX, "a shorter line");
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  private List<String> head() throws IOException {
    List<String> head = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      head.add(line);
      expect(head.size() <= LINES_MAX, "fewer lines before a part");
    }
    return head;
  }

  /** The text that a client sent as UTF-8, in a form fit for a message. */
  private static String shown(String text) {
    String read =
        new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
            .replaceAll("\\p{Cntrl}", "?");
    return read.length() <= SHOWN_MAX ? read : read.substring(0, SHOWN_MAX) + "...";
  }

  /** A parameter of the part's disposition, or null; {@code name} ends with an equals sign. */
  private static @Nullable String disposition(List<String> head, String name) {
    String disposition = field(head, "content-disposition:");
    if (disposition != null) {
      for (String parameter : disposition.split(";", -1)) {
        String stripped = parameter.strip();
        if (stripped.startsWith(name)) {
          return stripped.substring(name.length()).replace("\"", "");
        }
      }
    }
    return null;
  }

  /** The value of a field whose name is in lower case and has its colon, or null. */
  private static @Nullable String field(List<String> head, String name) {
    for (String line : head) {
      if (line.toLowerCase(Locale.ROOT).startsWith(name)) {
        return line.substring(name.length()).strip();
      }
    }
    return null;
  }

  /**
   * Copies the content of the part whose head was read last.
   *
   * @param bytesMax the most bytes of the content
   * @throws InvalidRequestException if it is longer, or the form ends within it
   */
  void copy(OutputStream target, long bytesMax) throws IOException {
    // The first byte of a delimiter occurs in it once, so the matching prefix at a position is
    // complete or 1.
    byte[] buffer = new byte[BUFFER_BYTES];
    int filled = 0;
    int matched = 0;
    long copied = 0;
    while (matched < delimiter.length) {
      int next = in.read();
      expect(next >= 0, "the end of the form");
      if (next == delimiter[matched]) {
        matched++;
        continue;
      }
      copied += matched;
      if (filled + matched >= buffer.length) {
        target.write(buffer, 0, filled);
        filled = 0;
      }
      System.arraycopy(delimiter, 0, buffer, filled, matched);
      filled += matched;
      matched = next == delimiter[0] ? 1 : 0;
      if (matched == 0) {
        buffer[filled] = (byte) next;
        filled++;
        copied++;
        if (filled == buffer.length) {
          target.write(buffer, 0, filled);
          filled = 0;
        }
      }
      expect(copied <= bytesMax, "a shorter part");
    }
    target.write(buffer, 0, filled);
    isOver = line().startsWith("--");
  }
}
