package dev.isogrid.server.log;

import java.lang.System.Logger.Level;
import java.util.Locale;

/**
 * Binds {@link System.Logger} to {@link LineLogger}; found by the JDK as a service. The system
 * property {@code isogrid.log.level} sets the least level that is logged; default {@code INFO}.
 */
public final class LineLoggers extends System.LoggerFinder {
  private static final String LEVEL_PROPERTY = "isogrid.log.level";

  private final Level threshold = level(System.getProperty(LEVEL_PROPERTY, ""));

  /** For the service loader. */
  public LineLoggers() {}

  private static Level level(String name) {
    for (Level level : Level.values()) {
      if (level.name().equals(name.toUpperCase(Locale.ROOT))) {
        return level;
      }
    }
    return Level.INFO;
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new LineLogger(name, threshold, System.err);
  }
}
