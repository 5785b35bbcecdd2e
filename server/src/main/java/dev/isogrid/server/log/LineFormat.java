package dev.isogrid.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Writes an event of the log as a line. Text has time in UTC, level, node in brackets, logger and
 * message. An exception follows in the same line; at level ERROR its stack trace follows below, in
 * lines that begin with a tab. JSON has all of it in one object. Control characters are escaped as
 * in Java, so that clients can't forge a line.
 */
final class LineFormat {
  private LineFormat() {}

  /** Stands for the name of a node that has none yet. */
  private static final String NO_NODE = "-";

  /**
   * Writes an event as text.
   *
   * @param node the name of this node, or null if it has none yet
   */
  static String text(ILoggingEvent event, @Nullable String node) {
    Level level = ServerLog.levelOf(event.getLevel());
    Throwable thrown = thrown(event);
    StringBuilder line = new StringBuilder(120);
    appendTime(line, LocalDateTime.ofInstant(event.getInstant(), ZoneOffset.UTC));
    line.append(' ').append(level.name()).append(" [");
    appendPrintable(line, node == null ? NO_NODE : node);
    appendPrintable(line.append("] "), event.getLoggerName());
    appendPrintable(line.append(' '), String.valueOf(event.getFormattedMessage()));
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

  /**
   * Writes an event as a JSON object.
   *
   * @param node the name of this node, or null if it has none yet
   */
  static String json(ILoggingEvent event, @Nullable String node) {
    Level level = ServerLog.levelOf(event.getLevel());
    Throwable thrown = thrown(event);
    StringBuilder line = new StringBuilder(200).append("{\"time\":\"");
    appendTime(line, LocalDateTime.ofInstant(event.getInstant(), ZoneOffset.UTC));
    line.append("\",\"level\":\"").append(level.name()).append('"');
    appendField(line, "logger", event.getLoggerName());
    if (node != null) {
      appendField(line, "node", node);
    }
    appendField(line, "thread", event.getThreadName());
    appendField(line, "message", String.valueOf(event.getFormattedMessage()));
    if (thrown != null) {
      appendField(line, "error", thrown.toString());
      if (level == Level.ERROR) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        appendField(line, "trace", trace.toString());
      }
    }
    return line.append("}\n").toString();
  }

  private static @Nullable Throwable thrown(ILoggingEvent event) {
    return event.getThrowableProxy() instanceof ThrowableProxy proxy ? proxy.getThrowable() : null;
  }

  private static void appendField(StringBuilder line, String name, String value) {
    line.append(",\"").append(name).append("\":\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> line.append("\\\"");
        case '\\' -> line.append("\\\\");
        default -> appendPrintable(line, value, i);
      }
    }
    line.append('"');
  }

  /**
   * Formats the time by hand: the first use of a {@code DateTimeFormatter} takes longer than the
   * server's start.
   */
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
      appendPrintable(line, text, i);
    }
  }

  private static void appendPrintable(StringBuilder line, String text, int at) {
    char c = text.charAt(at);
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

  /** Excludes other line separators, and marks of the writing direction. */
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

  /** Receives a stack trace: each printed item is one line, whatever it contains. */
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
