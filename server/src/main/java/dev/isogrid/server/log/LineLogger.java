package dev.isogrid.server.log;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes each event as one line: time in UTC, level, logger, message. What was thrown follows in
 * the same line; at level ERROR its stack trace follows below, in lines that begin with a tab.
 * Control characters in messages are escaped as in Java, so that nobody can forge a line.
 * Thread-safe: an event is written in one piece.
 */
final class LineLogger implements System.Logger {
  private final String name;
  private final Level threshold;
  private final PrintStream out;

  /**
   * Creates a logger.
   *
   * @param threshold the least level that is logged
   * @param out where the lines go; borrowed
   */
  LineLogger(String name, Level threshold, PrintStream out) {
    this.name = name;
    this.threshold = threshold;
    this.out = out;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.getSeverity() >= threshold.getSeverity() && threshold != Level.OFF;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      out.print(line(level, message, thrown));
      out.flush();
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... parameters) {
    if (isLoggable(level)) {
      boolean plain = format == null || parameters == null || parameters.length == 0;
      log(
          level,
          bundle,
          plain ? format : MessageFormat.format(format, parameters),
          (Throwable) null);
    }
  }

  private String line(Level level, @Nullable String message, @Nullable Throwable thrown) {
    StringBuilder line = new StringBuilder(120);
    appendTime(line, LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC));
    line.append(' ').append(level.name()).append(' ').append(name).append(' ');
    appendPrintable(line, String.valueOf(message));
    if (thrown == null) {
      return line.append('\n').toString();
    }
    if (level == Level.ERROR) {
      thrown.printStackTrace(new Trace(line.append('\n')));
      return line.toString();
    }
    appendPrintable(line.append(": "), thrown.toString());
    return line.append('\n').toString();
  }

  /** By hand: the first use of a {@code DateTimeFormatter} takes longer than the server's start. */
  private static void appendTime(StringBuilder line, LocalDateTime time) {
    appendDigits(line, time.getYear(), 1000, '-');
    appendDigits(line, time.getMonthValue(), 10, '-');
    appendDigits(line, time.getDayOfMonth(), 10, 'T');
    appendDigits(line, time.getHour(), 10, ':');
    appendDigits(line, time.getMinute(), 10, ':');
    appendDigits(line, time.getSecond(), 10, '.');
    appendDigits(line, time.getNano() / 1_000_000, 100, 'Z');
  }

  private static void appendDigits(StringBuilder line, int number, int highest, char end) {
    for (int unit = highest; unit > 0; unit /= 10) {
      line.append((char) ('0' + number / unit % 10));
    }
    line.append(end);
  }

  private static void appendPrintable(StringBuilder line, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> {
          if (isPrintable(c)) {
            line.append(c);
          } else {
            line.append("\\u").append(HexFormat.of().toHexDigits(c));
          }
        }
      }
    }
  }

  /** Other separators of lines, and marks that turn the direction of writing, are not. */
  private static boolean isPrintable(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** Takes a stack trace: each thing that is printed is one line, whatever it contains. */
  private static final class Trace extends PrintWriter {
    private final StringBuilder lines;

    Trace(StringBuilder lines) {
      super(nullWriter());
      this.lines = lines;
    }

    @Override
    public void println(@Nullable Object line) {
      String text = String.valueOf(line);
      int indent = 0;
      while (indent < text.length() && text.charAt(indent) == '\t') {
        indent++;
      }
      lines.repeat('\t', Math.max(1, indent));
      appendPrintable(lines, text.substring(indent));
      lines.append('\n');
    }
  }
}
