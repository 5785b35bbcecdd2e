package dev.isogrid.server.log;

import java.lang.System.Logger.Level;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Passes events of {@code java.util.logging} to this process's own loggers. */
final class ForeignHandler extends Handler {
  private final Function<String, LineLogger> loggers;
  private final SimpleFormatter formatter = new SimpleFormatter();

  ForeignHandler(Function<String, LineLogger> loggers) {
    this.loggers = loggers;
  }

  /** The corresponding level of {@code java.util.logging}. */
  static java.util.logging.Level julLevel(Level level) {
    return switch (level) {
      case ALL -> java.util.logging.Level.ALL;
      case TRACE -> java.util.logging.Level.FINER;
      case DEBUG -> java.util.logging.Level.FINE;
      case INFO -> java.util.logging.Level.INFO;
      case WARNING -> java.util.logging.Level.WARNING;
      case ERROR -> java.util.logging.Level.SEVERE;
      case OFF -> java.util.logging.Level.OFF;
    };
  }

  private static Level levelOf(int julLevel) {
    if (julLevel >= java.util.logging.Level.SEVERE.intValue()) {
      return Level.ERROR;
    }
    if (julLevel >= java.util.logging.Level.WARNING.intValue()) {
      return Level.WARNING;
    }
    if (julLevel >= java.util.logging.Level.INFO.intValue()) {
      return Level.INFO;
    }
    return julLevel >= java.util.logging.Level.FINE.intValue() ? Level.DEBUG : Level.TRACE;
  }

  @Override
  public void publish(LogRecord event) {
    loggers
        .apply(name(event))
        .log(
            levelOf(event.getLevel().intValue()),
            null,
            formatter.formatMessage(event),
            event.getThrown());
  }

  /** The logger's name, or its replacement in JGroups. */
  private static String name(LogRecord event) {
    String name = event.getLoggerName();
    if (name != null && !name.isEmpty()) {
      return name;
    }
    String source = event.getSourceClassName();
    return source == null ? LineLoggers.ROOT : source;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
