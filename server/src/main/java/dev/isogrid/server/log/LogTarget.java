package dev.isogrid.server.log;

import java.io.PrintStream;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** The target of all loggers' lines, and their form. Thread-safe: each line is in one piece. */
final class LogTarget {
  private final PrintStream stream;

  /**
   * The form and the file, exchanged as one.
   *
   * @param file receives lines instead of the stream, or null
   * @param node the name of this node, or null if it has none yet
   */
  private record Choice(boolean isJson, @Nullable LogFile file, @Nullable String node) {}

  /** Written by: the start of the process. */
  private volatile Choice choice = new Choice(false, null, null);

  /**
   * Begins with text.
   *
   * @param stream receives lines; borrowed
   */
  LogTarget(PrintStream stream) {
    this.stream = stream;
  }

  /**
   * Chooses the form and the target of lines.
   *
   * @param file receives lines instead of the stream, or null
   */
  void choose(boolean isJson, @Nullable LogFile file) {
    choice = new Choice(isJson, file, choice.node);
  }

  /** Sets the name of this node in lines. */
  void node(String name) {
    Choice now = choice;
    choice = new Choice(now.isJson, now.file, name);
  }

  /** Whether lines go to a file. */
  boolean isFile() {
    return choice.file != null;
  }

  void write(Level level, String logger, @Nullable String message, @Nullable Throwable thrown) {
    Choice now = choice;
    String line =
        now.isJson
            ? LineFormat.json(level, logger, now.node, message, thrown)
            : LineFormat.text(level, logger, now.node, message, thrown);
    LogFile file = now.file;
    if (file == null || !file.tryWrite(line)) {
      stream.print(line);
      stream.flush();
    }
  }
}
