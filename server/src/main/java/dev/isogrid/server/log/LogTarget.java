package dev.isogrid.server.log;

import java.io.PrintStream;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Where the lines of all loggers go, and in what form. Thread-safe: a line is in one piece. */
final class LogTarget {
  private final PrintStream stream;

  /**
   * The form and the file, exchanged as one.
   *
   * @param file takes lines in place of the stream, or null
   * @param node the name of this node, or null if it has none yet
   */
  private record Choice(boolean isJson, @Nullable LogFile file, @Nullable String node) {}

  /** Written by: the process's start. */
  private volatile Choice choice = new Choice(false, null, null);

  /**
   * Begins with text.
   *
   * @param stream where lines go; borrowed
   */
  LogTarget(PrintStream stream) {
    this.stream = stream;
  }

  /**
   * Chooses the form of lines and where they go.
   *
   * @param file takes lines in place of the stream, or null
   */
  void choose(boolean isJson, @Nullable LogFile file) {
    choice = new Choice(isJson, file, choice.node);
  }

  /** Names this node in lines from now on. */
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
            : LineFormat.text(level, logger, message, thrown);
    LogFile file = now.file;
    if (file == null || !file.tryWrite(line)) {
      stream.print(line);
      stream.flush();
    }
  }
}
