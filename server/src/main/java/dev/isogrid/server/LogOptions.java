package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.log.ServerLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line for the log.
 *
 * @param config the file of Logback that sets the log up, or null
 * @param levels the least levels, by loggers; the root is an empty name
 * @param isJson whether each line is a JSON object
 * @param file the file for lines, or null for the standard error output
 * @param fileSizeMax the size of a full file, in bytes
 * @param filesMax the number of kept files
 */
record LogOptions(
    @Nullable String config,
    Map<String, Level> levels,
    boolean isJson,
    @Nullable String file,
    long fileSizeMax,
    int filesMax) {
  /** The default size: some hours of a busy server, and still quick to read. */
  private static final long FILE_SIZE_MAX = 10 << 20;

  private static final int FILES_MAX = 5;

  /** The most files; more would only be slow to rename. */
  private static final int FILES_LIMIT = 1000;

  /** No options. */
  static final LogOptions NONE =
      new LogOptions(null, Map.of(), false, null, FILE_SIZE_MAX, FILES_MAX);

  LogOptions {
    levels = Map.copyOf(levels);
  }

  /** The options whose effects a file of Logback has itself. */
  private static final List<String> SET_BY_CONFIG =
      List.of("--log-format", "--log-file", "--log-file-size", "--log-files");

  /** Declares the options. */
  static void declare(OptionList options) {
    options.text(
        "--log-config",
        "FILE",
        "Configuration of Logback, in place of the other options but --log-level.");
    options.text(
        "--log-level",
        "LEVELS",
        "Least level that is logged: TRACE, DEBUG, INFO, WARNING, ERROR or OFF, or one per"
            + " logger, such as INFO,org.jgroups=DEBUG; default INFO.");
    options.text("--log-format", "FORMAT", "Form of the log's lines: text or json; default text.");
    options.text("--log-file", "FILE", "File of the log; default the standard error output.");
    options.text("--log-file-size", "SIZE", "Size after which a new file is begun; default 10m.");
    options.text("--log-files", "N", "Files that are kept, FILE and FILE.1 and so on; default 5.");
  }

  /** Reads the options. */
  static LogOptions read(GivenOptions given) {
    String config = CommandLineParser.value(given, "--log-config");
    for (String option : SET_BY_CONFIG) {
      if (config != null && CommandLineParser.value(given, option) != null) {
        throw new InvalidRequestException(
            "%s has no effect with --log-config; leave it out, and set it in %s"
                .formatted(option, config));
      }
    }
    Long size = CommandLineParser.size(given, "--log-file-size");
    return new LogOptions(
        config,
        levels(CommandLineParser.value(given, "--log-level")),
        isJson(CommandLineParser.value(given, "--log-format")),
        CommandLineParser.value(given, "--log-file"),
        size == null ? FILE_SIZE_MAX : size,
        files(CommandLineParser.value(given, "--log-files")));
  }

  private static Map<String, Level> levels(@Nullable String text) {
    Map<String, Level> levels = new LinkedHashMap<>();
    for (String part : text == null ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? ServerLog.ROOT : part.substring(0, equals).strip();
      Level level = ServerLog.level(part.substring(equals + 1).strip());
      if (level == null || (equals >= 0 && name.isEmpty())) {
        throw new InvalidRequestException(
            "--log-level %s is not a level; give TRACE, DEBUG, INFO, WARNING, ERROR or OFF,"
                    .formatted(part)
                + " or LOGGER=LEVEL, with commas between");
      }
      levels.put(name, level);
    }
    return levels;
  }

  private static boolean isJson(@Nullable String text) {
    return switch (text == null ? "text" : text.toLowerCase(Locale.ROOT)) {
      case "text" -> false;
      case "json" -> true;
      default ->
          throw new InvalidRequestException(
              "--log-format %s is not a format; give text or json".formatted(text));
    };
  }

  private static int files(@Nullable String text) {
    if (text == null) {
      return FILES_MAX;
    }
    int files;
    try {
      files = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      files = 0;
    }
    if (files < 1 || files > FILES_LIMIT) {
      throw new InvalidRequestException(
          "--log-files %s is not a number of files; give one from 1 to %d"
              .formatted(text, FILES_LIMIT));
    }
    return files;
  }

  /**
   * Applies the options to the process's log.
   *
   * @param log of the process, or null if its back end is another one
   * @throws InvalidRequestException if the file can't be written, or the configuration not be read
   */
  void apply(@Nullable ServerLog log) {
    if (log == null) {
      return;
    }
    configure(log);
    levels.forEach(log::level);
    if (!isJson && file == null) {
      return;
    }
    try {
      log.choose(isJson, file == null ? null : Path.of(file), fileSizeMax, filesMax);
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "--log-file %s can't be written: %s; choose another one".formatted(file, failure),
          failure);
    }
  }

  private void configure(ServerLog log) {
    if (config == null) {
      return;
    }
    try {
      log.configure(Path.of(config));
    } catch (NoSuchFileException failure) {
      throw new InvalidRequestException(
          "--log-config %s can't be read; name a file of Logback".formatted(config), failure);
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "--log-config %s has an error: %s; correct it".formatted(config, failure.getMessage()),
          failure);
    }
  }
}
