package dev.isogrid.server.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Writes each event as one line, see {@link LineFormat}. Thread-safe. */
final class LineLogger implements System.Logger {
  private final String name;
  private final LogTarget target;

  /** Written by: {@link LineLoggers}. */
  private volatile Level threshold;

  /**
   * Creates a logger.
   *
   * @param threshold the least level that is logged
   */
  LineLogger(String name, Level threshold, LogTarget target) {
    this.name = name;
    this.threshold = threshold;
    this.target = target;
  }

  /** Sets the least level that is logged from now on. */
  void threshold(Level least) {
    threshold = least;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    Level least = threshold;
    return level.getSeverity() >= least.getSeverity() && least != Level.OFF;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      target.write(level, name, message, thrown);
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
}
