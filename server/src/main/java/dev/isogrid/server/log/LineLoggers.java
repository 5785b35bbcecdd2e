package dev.isogrid.server.log;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * Binds {@link System.Logger} to {@link LineLogger}; the JDK finds it as a service, so there is one
 * per process. The system property {@code isogrid.log.level} sets the least level that is logged;
 * default {@code INFO}. Levels can be set for a logger and all below it, while the process runs.
 * Thread-safe.
 */
public final class LineLoggers extends System.LoggerFinder {
  /** The logger above all others. */
  public static final String ROOT = "";

  private static final String LEVEL_PROPERTY = "isogrid.log.level";
  private static final String CONFIGURATION_PROPERTY = "java.util.logging.config.file";

  private final LogTarget target = new LogTarget(System.err);

  /** All loggers by their names: a fixed number, since classes have one each. */
  private final Map<String, LineLogger> loggers = new ConcurrentHashMap<>();

  /** The set levels, by loggers; the root always has one. Guarded by this. */
  private final Map<String, Level> levels = new HashMap<>();

  /**
   * The libraries' loggers with a set level, which they would lose if they were collected as
   * garbage. Guarded by this.
   */
  private final Map<String, java.util.logging.Logger> foreign = new HashMap<>();

  /** Whether libraries use the same lines. Guarded by this. */
  private boolean hasForeign;

  /** For the service loader. */
  public LineLoggers() {
    Level level = level(System.getProperty(LEVEL_PROPERTY, ""));
    levels.put(ROOT, level == null ? Level.INFO : level);
  }

  /** The loggers of this process, or null if it has others. */
  public static @Nullable LineLoggers ofProcess() {
    return System.LoggerFinder.getLoggerFinder() instanceof LineLoggers own ? own : null;
  }

  /** The level of a name, in any case, or null; {@code WARN} stands for {@code WARNING}. */
  public static @Nullable Level level(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    for (Level level : Level.values()) {
      if (level.name().equals(wanted)) {
        return level;
      }
    }
    return wanted.equals("WARN") ? Level.WARNING : null;
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return logger(name);
  }

  private LineLogger logger(String name) {
    LineLogger known = loggers.get(name);
    if (known != null) {
      return known;
    }
    synchronized (this) {
      return loggers.computeIfAbsent(name, _ -> new LineLogger(name, levelOf(name), target));
    }
  }

  /** Guarded by this. */
  private Level levelOf(String name) {
    String above = name;
    while (!levels.containsKey(above)) {
      int dot = above.lastIndexOf('.');
      above = dot < 0 ? ROOT : above.substring(0, dot);
    }
    return levels.getOrDefault(above, Level.INFO);
  }

  /**
   * Sets the level of a logger and of loggers below it without a level of their own.
   *
   * @param name {@link #ROOT} or a name such as that of a package
   */
  public synchronized void level(String name, Level level) {
    levels.put(name, level);
    apply(name);
  }

  /**
   * Removes the level of a logger, so that it has the level of the next logger above.
   *
   * @return false if it has none, or is the root
   */
  public synchronized boolean removeLevel(String name) {
    if (name.equals(ROOT) || levels.remove(name) == null) {
      return false;
    }
    apply(name);
    return true;
  }

  private void apply(String name) {
    loggers.forEach((each, logger) -> logger.threshold(levelOf(each)));
    if (hasForeign) {
      Level set = levels.get(name);
      foreign
          .computeIfAbsent(name, java.util.logging.Logger::getLogger)
          .setLevel(set == null ? null : ForeignHandler.julLevel(set));
    }
  }

  /** The set levels, by loggers. */
  public synchronized SortedMap<String, Level> levels() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(levels));
  }

  /** The target of lines: {@code FILE} or {@code STDERR}. */
  public String targetName() {
    return target.isFile() ? "FILE" : "STDERR";
  }

  /**
   * Chooses the form and the target of lines, for the rest of the process's life.
   *
   * @param isJson whether each line is a JSON object
   * @param file the file instead of the standard error output, or null
   * @param sizeMax the size of a full file, in bytes
   * @param filesMax the number of kept files
   * @throws IOException if the file can't be written
   */
  public void choose(boolean isJson, @Nullable Path file, long sizeMax, int filesMax)
      throws IOException {
    target.choose(isJson, file == null ? null : new LogFile(file, sizeMax, filesMax));
  }

  /** Sets the name of this node in lines. */
  public void node(String name) {
    target.node(name);
  }

  /**
   * Makes libraries that use {@code java.util.logging} write the same lines, unless the command
   * line names a configuration of that.
   */
  public void adoptForeign() {
    if (System.getProperty(CONFIGURATION_PROPERTY) == null) {
      LogManager.getLogManager().reset();
      java.util.logging.Logger root = java.util.logging.Logger.getLogger(ROOT);
      root.addHandler(new ForeignHandler(this::logger));
      synchronized (this) {
        hasForeign = true;
        levels.keySet().forEach(this::apply);
      }
    }
  }
}
