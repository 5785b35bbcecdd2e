package dev.isogrid.server.rest;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.backup.BackupDesk;
import dev.isogrid.server.backup.BackupOrder;
import dev.isogrid.server.backup.BackupSelection;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the parts of a file with the body of a form, with a buffer of fixed size: the part
 * {@code backup} is an archive, the part {@code resources} selects its resources. For one thread.
 */
final class UploadedForm {
  static final String TYPE = "multipart/form-data";

  private static final int BUFFER_BYTES = 1 << 16;

  /** The longest line of a part's head: browsers send some hundred bytes. */
  private static final int LINE_BYTES_MAX = 8 << 10;

  /** The most lines of a part's head. */
  private static final int LINES_MAX = 50;

  /** The limit of a list of resources, as in other requests. */
  private static final int TEXT_BYTES_MAX = 1 << 20;

  private final InputStream in;
  private final byte[] delimiter;

  private UploadedForm(InputStream in, String boundary) {
    this.in = in;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The extraction of the archive from a body of a type: a form, or the archive itself. */
  static BackupDesk.Extraction extraction(String contentType) {
    return contentType.startsWith(TYPE)
        ? file -> extract(file, boundary(contentType))
        : file -> new BackupDesk.ExtractedArchive(file, BackupSelection.all(), false);
  }

  private static String boundary(String contentType) {
    for (String parameter : contentType.split(";", -1)) {
      String stripped = parameter.strip();
      if (stripped.toLowerCase(Locale.ROOT).startsWith("boundary=")) {
        return stripped.substring("boundary=".length()).replace("\"", "");
      }
    }
    throw new InvalidRequestException(
        "form without a boundary: Content-Type=%s; nothing was changed".formatted(contentType));
  }

  private static BackupDesk.ExtractedArchive extract(Path file, String boundary)
      throws IOException {
    Path archive = file.resolveSibling(file.getFileName() + ".zip.part");
    boolean isDone = false;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
      BackupSelection selection = new UploadedForm(in, boundary).read(archive);
      isDone = true;
      return new BackupDesk.ExtractedArchive(archive, selection, true);
    } finally {
      if (!isDone) {
        Files.deleteIfExists(archive);
      }
    }
  }

  /** Copies the archive into a file; returns the selected resources. */
  private BackupSelection read(Path archive) throws IOException {
    BackupSelection selection = BackupSelection.all();
    boolean isFound = false;
    expect(firstLine().equals(line()), "the boundary at the begin");
    for (List<String> head = head(); !head.isEmpty(); head = head()) {
      String name = name(head);
      if ("backup".equals(name)) {
        try (OutputStream out = Files.newOutputStream(archive)) {
          copy(out, Long.MAX_VALUE);
        }
        isFound = true;
      } else if ("resources".equals(name)) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        copy(text, TEXT_BYTES_MAX);
        selection = BackupOrder.ofResources(text.toByteArray());
      } else {
        copy(OutputStream.nullOutputStream(), Long.MAX_VALUE);
      }
      if (isEnd()) {
        break;
      }
    }
    expect(isFound, "a part of the name backup");
    return selection;
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

  /** Reads the rest of a line after a delimiter; returns whether the form ends. */
  private boolean isEnd() throws IOException {
    return line().startsWith("--");
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

  private static @Nullable String name(List<String> head) {
    for (String line : head) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-disposition:")) {
        for (String parameter : line.split(";", -1)) {
          String stripped = parameter.strip();
          if (stripped.startsWith("name=")) {
            return stripped.substring("name=".length()).replace("\"", "");
          }
        }
      }
    }
    return null;
  }

  /** Copies up to the next delimiter, and consumes that. */
  private void copy(OutputStream target, long bytesMax) throws IOException {
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
      expect(copied <= bytesMax, "a shorter list of resources");
    }
    target.write(buffer, 0, filled);
  }
}
