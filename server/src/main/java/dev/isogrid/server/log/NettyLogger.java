package dev.isogrid.server.log;

import io.netty.util.internal.logging.AbstractInternalLogger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** One of Netty's loggers as a {@link System.Logger}. Thread-safe. */
final class NettyLogger extends AbstractInternalLogger {
  private static final long serialVersionUID = 1L;

  private final transient System.Logger log;

  NettyLogger(String name) {
    super(name);
    this.log = System.getLogger(name);
  }

  private void log(Level level, String format, @Nullable Object... arguments) {
    if (log.isLoggable(level)) {
      log.log(level, filled(format, arguments), thrown(arguments));
    }
  }

  /** The format with each pair of braces replaced by an argument. */
  static String filled(String format, @Nullable Object... arguments) {
    StringBuilder text = new StringBuilder(format.length() + 32);
    int from = 0;
    for (Object argument : arguments) {
      int braces = format.indexOf("{}", from);
      if (braces < 0) {
        break;
      }
      text.append(format, from, braces).append(argument);
      from = braces + 2;
    }
    return text.append(format, from, format.length()).toString();
  }

  /** The last argument, if it is an exception. */
  private static @Nullable Throwable thrown(@Nullable Object... arguments) {
    int last = arguments.length - 1;
    return last >= 0 && arguments[last] instanceof Throwable thrown ? thrown : null;
  }

  @Override
  public boolean isTraceEnabled() {
    return log.isLoggable(Level.TRACE);
  }

  @Override
  public void trace(String message) {
    log.log(Level.TRACE, message);
  }

  @Override
  public void trace(String format, @Nullable Object argument) {
    log(Level.TRACE, format, argument);
  }

  @Override
  public void trace(String format, @Nullable Object first, @Nullable Object second) {
    log(Level.TRACE, format, first, second);
  }

  @Override
  public void trace(String format, @Nullable Object... arguments) {
    log(Level.TRACE, format, arguments);
  }

  @Override
  public void trace(String message, @Nullable Throwable thrown) {
    log.log(Level.TRACE, message, thrown);
  }

  @Override
  public boolean isDebugEnabled() {
    return log.isLoggable(Level.DEBUG);
  }

  @Override
  public void debug(String message) {
    log.log(Level.DEBUG, message);
  }

  @Override
  public void debug(String format, @Nullable Object argument) {
    log(Level.DEBUG, format, argument);
  }

  @Override
  public void debug(String format, @Nullable Object first, @Nullable Object second) {
    log(Level.DEBUG, format, first, second);
  }

  @Override
  public void debug(String format, @Nullable Object... arguments) {
    log(Level.DEBUG, format, arguments);
  }

  @Override
  public void debug(String message, @Nullable Throwable thrown) {
    log.log(Level.DEBUG, message, thrown);
  }

  @Override
  public boolean isInfoEnabled() {
    return log.isLoggable(Level.INFO);
  }

  @Override
  public void info(String message) {
    log.log(Level.INFO, message);
  }

  @Override
  public void info(String format, @Nullable Object argument) {
    log(Level.INFO, format, argument);
  }

  @Override
  public void info(String format, @Nullable Object first, @Nullable Object second) {
    log(Level.INFO, format, first, second);
  }

  @Override
  public void info(String format, @Nullable Object... arguments) {
    log(Level.INFO, format, arguments);
  }

  @Override
  public void info(String message, @Nullable Throwable thrown) {
    log.log(Level.INFO, message, thrown);
  }

  @Override
  public boolean isWarnEnabled() {
    return log.isLoggable(Level.WARNING);
  }

  @Override
  public void warn(String message) {
    log.log(Level.WARNING, message);
  }

  @Override
  public void warn(String format, @Nullable Object argument) {
    log(Level.WARNING, format, argument);
  }

  @Override
  public void warn(String format, @Nullable Object first, @Nullable Object second) {
    log(Level.WARNING, format, first, second);
  }

  @Override
  public void warn(String format, @Nullable Object... arguments) {
    log(Level.WARNING, format, arguments);
  }

  @Override
  public void warn(String message, @Nullable Throwable thrown) {
    log.log(Level.WARNING, message, thrown);
  }

  @Override
  public boolean isErrorEnabled() {
    return log.isLoggable(Level.ERROR);
  }

  @Override
  public void error(String message) {
    log.log(Level.ERROR, message);
  }

  @Override
  public void error(String format, @Nullable Object argument) {
    log(Level.ERROR, format, argument);
  }

  @Override
  public void error(String format, @Nullable Object first, @Nullable Object second) {
    log(Level.ERROR, format, first, second);
  }

  @Override
  public void error(String format, @Nullable Object... arguments) {
    log(Level.ERROR, format, arguments);
  }

  @Override
  public void error(String message, @Nullable Throwable thrown) {
    log.log(Level.ERROR, message, thrown);
  }
}
