package dev.isogrid.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.jul.LevelChangePropagator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The log of this process by Logback: its levels, its form and its targets. The system property
 * {@code isogrid.log.level} sets the least level that is logged; default {@code INFO}. Levels can
 * be set for a logger and all below it, while the process runs. Thread-safe.
 */
public final class ServerLog {
  /** The logger above all others. */
  public static final String ROOT = "";

  /** The property of Logback's context with the name of this node. */
  static final String NODE = "node";

  private static final String LEVEL_PROPERTY = "isogrid.log.level";
  private static final String CONFIGURATION_PROPERTY = "java.util.logging.config.file";
  private static final String FILE = "FILE";
  private static final String STDERR = "STDERR";

  /** One for all: a context has it once. */
  private static final StatusListener PROBLEMS = new Problems();

  private final LoggerContext log;

  /** The name of this node, or null if it has none yet. Written by: the start of the process. */
  private volatile @Nullable String node;

  /** The log of a context. */
  ServerLog(LoggerContext log) {
    this.log = log;
  }

  /** The log of this process, or null if its back end is not Logback. */
  public static @Nullable ServerLog ofProcess() {
    return OfProcess.LOG;
  }

  private static @Nullable ServerLog find() {
    ILoggerFactory backEnd = LoggerFactory.getILoggerFactory();
    // By name first, since the program may have no Logback at all.
    return backEnd.getClass().getName().startsWith("ch.qos.logback.")
            && backEnd instanceof LoggerContext log
        ? new ServerLog(log)
        : null;
  }

  /** Finds the log at its first use. */
  private static final class OfProcess {
    static final @Nullable ServerLog LOG = find();

    private OfProcess() {}
  }

  /** Writes Logback's own problems, such as a full disk, to the error output. */
  private static final class Problems implements StatusListener {
    @Override
    public void addStatusEvent(Status status) {
      if (status.getEffectiveLevel() >= Status.WARN) {
        System.err.println("isogrid: the log has a problem: " + status);
      }
    }

    @Override
    public boolean isResetResistant() {
      return true;
    }
  }

  /**
   * Passes levels on to {@code java.util.logging}, and keeps the node's name. Both go on when a
   * changed file of {@link #configure} is read again.
   */
  private final class Kept extends LevelChangePropagator {
    @Override
    public boolean isResetResistant() {
      return true;
    }

    @Override
    public void onReset(LoggerContext context) {
      String name = node;
      if (name != null) {
        context.putProperty(NODE, name);
      }
    }
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

  /** The JDK's level of an event or a logger. */
  static Level levelOf(ch.qos.logback.classic.Level level) {
    return switch (level.levelInt) {
      case ch.qos.logback.classic.Level.OFF_INT -> Level.OFF;
      case ch.qos.logback.classic.Level.ERROR_INT -> Level.ERROR;
      case ch.qos.logback.classic.Level.WARN_INT -> Level.WARNING;
      case ch.qos.logback.classic.Level.INFO_INT -> Level.INFO;
      case ch.qos.logback.classic.Level.DEBUG_INT -> Level.DEBUG;
      default -> Level.TRACE;
    };
  }

  private static ch.qos.logback.classic.Level logbacks(Level level) {
    return switch (level) {
      case ALL, TRACE -> ch.qos.logback.classic.Level.TRACE;
      case DEBUG -> ch.qos.logback.classic.Level.DEBUG;
      case INFO -> ch.qos.logback.classic.Level.INFO;
      case WARNING -> ch.qos.logback.classic.Level.WARN;
      case ERROR -> ch.qos.logback.classic.Level.ERROR;
      case OFF -> ch.qos.logback.classic.Level.OFF;
    };
  }

  private Logger logger(String name) {
    return log.getLogger(name.equals(ROOT) ? Logger.ROOT_LOGGER_NAME : name);
  }

  private static String name(Logger logger) {
    return logger.getName().equals(Logger.ROOT_LOGGER_NAME) ? ROOT : logger.getName();
  }

  /** Begins with text on the standard error output. */
  void begin() {
    Level level = level(System.getProperty(LEVEL_PROPERTY, ""));
    level(ROOT, level == null ? Level.INFO : level);
    log.getStatusManager().add(PROBLEMS);
    useOnly(console(encoder(false)));
  }

  /** Sets the level of a logger and of loggers below it without a level of their own. */
  public void level(String name, Level level) {
    logger(name).setLevel(logbacks(level));
  }

  /**
   * Removes the level of a logger, so that it has the level of the next logger above.
   *
   * @return false if it has none, or is the root
   */
  public boolean removeLevel(String name) {
    Logger logger = name.equals(ROOT) ? null : log.exists(name);
    if (logger == null || logger.getLevel() == null) {
      return false;
    }
    logger.setLevel(null);
    return true;
  }

  /** The set levels, by loggers. */
  public SortedMap<String, Level> levels() {
    SortedMap<String, Level> levels = new TreeMap<>();
    for (Logger logger : log.getLoggerList()) {
      ch.qos.logback.classic.Level own = logger.getLevel();
      if (own != null) {
        levels.put(name(logger), levelOf(own));
      }
    }
    return levels;
  }

  /** The names of all targets, in order. */
  public List<String> appenders() {
    TreeSet<String> names = new TreeSet<>();
    for (Logger logger : log.getLoggerList()) {
      addAppenders(logger, names);
    }
    return List.copyOf(names);
  }

  /** The names of the targets of a logger, in order. */
  public List<String> appenders(String name) {
    TreeSet<String> names = new TreeSet<>();
    String above = name;
    while (true) {
      Logger logger = above.equals(ROOT) ? logger(ROOT) : log.exists(above);
      if (logger != null) {
        addAppenders(logger, names);
      }
      if (above.equals(ROOT) || (logger != null && !logger.isAdditive())) {
        return List.copyOf(names);
      }
      above = above.substring(0, Math.max(0, above.lastIndexOf('.')));
    }
  }

  private static void addAppenders(Logger logger, Set<String> names) {
    Iterator<Appender<ILoggingEvent>> appenders = logger.iteratorForAppenders();
    while (appenders.hasNext()) {
      names.add(String.valueOf(appenders.next().getName()));
    }
  }

  /**
   * Chooses the form and the target of all lines, in place of those before.
   *
   * @param isJson whether each line is a JSON object
   * @param file the file instead of the standard error output, or null
   * @param sizeMax the size of a full file, in bytes
   * @param filesMax the number of kept files
   * @throws IOException if the file can't be written
   */
  public void choose(boolean isJson, @Nullable Path file, long sizeMax, int filesMax)
      throws IOException {
    LineEncoder encoder = encoder(isJson);
    useOnly(file == null ? console(encoder) : file(encoder, file, sizeMax, filesMax));
  }

  private LineEncoder encoder(boolean isJson) {
    LineEncoder encoder = new LineEncoder();
    encoder.setContext(log);
    encoder.setJson(isJson);
    encoder.start();
    return encoder;
  }

  private OutputStreamAppender<ILoggingEvent> console(LineEncoder encoder) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setTarget(ConsoleTarget.SystemErr.getName());
    return started(console, STDERR, encoder);
  }

  private OutputStreamAppender<ILoggingEvent> file(
      LineEncoder encoder, Path path, long sizeMax, int filesMax) throws IOException {
    // Logback does not throw, so this finds out why a file can't be written.
    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
    file.setFile(path.toString());
    NumberedFiles files = new NumberedFiles(path, sizeMax, filesMax);
    files.setContext(log);
    files.start();
    file.setRollingPolicy(files);
    return started(file, FILE, encoder);
  }

  private OutputStreamAppender<ILoggingEvent> started(
      OutputStreamAppender<ILoggingEvent> appender, String name, LineEncoder encoder) {
    appender.setContext(log);
    appender.setName(name);
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  /** The new target is added before the others go, so that no line is lost. */
  private void useOnly(Appender<ILoggingEvent> appender) {
    Logger root = logger(ROOT);
    List<Appender<ILoggingEvent>> before = new ArrayList<>();
    root.iteratorForAppenders().forEachRemaining(before::add);
    root.addAppender(appender);
    for (Appender<ILoggingEvent> each : before) {
      root.detachAppender(each);
      each.stop();
    }
  }

  /**
   * Replaces all levels and targets by those of a file; if it has an error, by those of {@link
   * #begin}.
   *
   * @param file in the form of Logback's {@code logback.xml}
   * @throws IOException if it can't be read, or has an error; the message has the reason
   */
  public void configure(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new NoSuchFileException(file.toString());
    }
    log.reset();
    List<String> errors = new ArrayList<>();
    StatusListener listener =
        status -> {
          if (status.getEffectiveLevel() == Status.ERROR) {
            errors.add(status.getMessage());
          }
        };
    log.getStatusManager().remove(PROBLEMS);
    log.getStatusManager().add(listener);
    try {
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(log);
      configurator.doConfigure(file.toFile());
    } catch (JoranException failure) {
      errors.add(String.valueOf(failure.getMessage()));
    } finally {
      log.getStatusManager().remove(listener);
    }
    if (!errors.isEmpty()) {
      log.reset();
      begin();
      throw new IOException(errors.getFirst().replaceFirst("\\.$", ""));
    }
    log.getStatusManager().add(PROBLEMS);
  }

  /** Sets the name of this node in lines. */
  public void node(String name) {
    node = name;
    log.putProperty(NODE, name);
  }

  /**
   * Makes libraries that use {@code java.util.logging} write the same lines, unless the command
   * line names a configuration of that.
   */
  public void adoptForeign() {
    if (System.getProperty(CONFIGURATION_PROPERTY) == null) {
      LogManager.getLogManager().reset();
      SLF4JBridgeHandler.install();
      Kept kept = new Kept();
      kept.setContext(log);
      kept.start();
      log.addListener(kept);
    }
  }
}
