package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that hold a password or a token in their first line. */
final class SecretFile {
  /** The file that stands for the process's input. */
  private static final String INPUT = "-";

  private SecretFile() {}

  /**
   * The first line without the blanks around it.
   *
   * @throws CommandFailure if the file can't be read, or is empty
   */
  static String firstLine(String file) {
    return wholeLine(file).strip();
  }

  /**
   * The first line with the blanks around it, as {@code isogrid user} takes passwords of users.
   *
   * @throws CommandFailure as {@link #firstLine}
   */
  static String wholeLine(String file) {
    try (BufferedReader reader =
        file.equals(INPUT)
            ? new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))
            : Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      if (line != null && !line.isBlank()) {
        return line;
      }
      throw new CommandFailure(
          "no password or token: file=%s is empty; put it into the first line".formatted(file));
    } catch (IOException e) {
      throw new CommandFailure(
          "no password or token: file=%s can't be read, reason=%s; name another one"
              .formatted(file, FileTrouble.reason(e)),
          e);
    }
  }
}
