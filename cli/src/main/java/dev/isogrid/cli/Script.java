package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands of a file, one per line. A line that ends with a backslash goes on in the next one;
 * {@code #} begins a comment.
 */
final class Script {
  /** The file that stands for the process's input. */
  static final String INPUT = "-";

  /** The longest command, with its continuation lines. */
  private static final int COMMAND_LENGTH_MAX = 16 << 20;

  private final String name;
  private final BufferedReader lines;
  private int number;

  private Script(String name, BufferedReader lines) {
    this.name = name;
    this.lines = lines;
  }

  /**
   * Runs a file, up to the command that ends the session.
   *
   * @param keepsGoing whether it goes on after a command that failed; the failure is reported then
   * @throws CommandFailure with the place of the first failure, or if some failed
   */
  static void run(String file, Interpreter interpreter, boolean keepsGoing) {
    try (InputStream in =
            file.equals(INPUT)
                ? interpreter.session().asker().input()
                : Files.newInputStream(Path.of(file));
        BufferedReader lines = Utf8.reader(in)) {
      new Script(file.equals(INPUT) ? "input" : file, lines).run(interpreter, keepsGoing);
    } catch (IOException e) {
      throw new CommandFailure(
          "a script can't be read: file=%s, reason=%s; name another one"
              .formatted(file, FileTrouble.reason(e)),
          e);
    }
  }

  private void run(Interpreter interpreter, boolean keepsGoing) throws IOException {
    int failed = 0;
    int line = 1;
    String command;
    while (!interpreter.session().isOver() && (command = next()) != null) {
      try {
        interpreter.run(command);
      } catch (CommandFailure failure) {
        CommandFailure placed = placed(line, failure);
        if (!keepsGoing) {
          throw placed;
        }
        Main.report(interpreter.session(), placed);
        failed++;
      }
      line = number + 1;
    }
    if (failed > 0) {
      throw new CommandFailure("some commands failed: script=%s, count=%d".formatted(name, failed));
    }
  }

  private CommandFailure placed(int line, CommandFailure failure) {
    String text = "%s:%d: %s".formatted(name, line, failure.text());
    return failure instanceof UsageFailure
        ? new UsageFailure(text, failure)
        : new CommandFailure(text, failure);
  }

  /** The next command with its continuation lines, or null at the end. */
  private @Nullable String next() throws IOException {
    StringBuilder command = new StringBuilder();
    String line;
    while ((line = lines.readLine()) != null) {
      number++;
      boolean goesOn = line.endsWith("\\") && !line.endsWith("\\\\");
      command.append(goesOn ? line.substring(0, line.length() - 1) : line);
      if (command.length() > COMMAND_LENGTH_MAX) {
        throw new UsageFailure(
            "%s:%d: a command is too long: charactersMax=%d; use put --file, or import"
                .formatted(name, number, COMMAND_LENGTH_MAX));
      }
      if (!goesOn) {
        return command.toString();
      }
    }
    return command.isEmpty() ? null : command.toString();
  }
}
