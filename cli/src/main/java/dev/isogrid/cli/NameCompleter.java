package dev.isogrid.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completes commands, options, paths and names at the prompt. Names come from the server; one that
 * is slow or refuses has none.
 */
final class NameCompleter implements Completer {
  /** Keys that are read for a completion, however large the cache is. */
  private static final long KEYS_READ_MAX = 2000;

  private static final int KEYS_SHOWN_MAX = 100;

  /** Longer waits would look as if the terminal hung. */
  private static final long PATIENCE_SECONDS = 2;

  private final Interpreter interpreter;

  NameCompleter(Interpreter interpreter) {
    this.interpreter = interpreter;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> words = line.words().subList(0, line.wordIndex());
    String word = line.word().substring(0, line.wordCursor());
    CommandSpec spec = interpreter.commands().getCommandSpec();
    int used = 0;
    for (; used < words.size(); used++) {
      CommandLine sub = spec.subcommands().get(words.get(used));
      if (sub == null) {
        break;
      }
      spec = sub.getCommandSpec();
    }
    List<String> operands = operands(spec, words.subList(used, words.size()));
    String wanted = wanted(spec, words, operands.size());
    if (word.startsWith("-") && wanted == null) {
      addAll(candidates, optionNames(spec), true);
      return;
    }
    if (operands.isEmpty() && !isOption(words)) {
      addAll(candidates, List.copyOf(spec.subcommands().keySet()), true);
    }
    if (word.startsWith("-")) {
      addAll(candidates, optionNames(spec), true);
    } else if ("FILE".equals(wanted)) {
      addAll(candidates, files(word), false);
    } else if ("PATH".equals(wanted)) {
      addAll(candidates, paths(word), false);
    } else if (wanted != null) {
      addAll(candidates, names(wanted, spec, words, word), true);
    }
  }

  private static boolean isOption(List<String> words) {
    return !words.isEmpty() && words.getLast().startsWith("-");
  }

  private static void addAll(List<Candidate> candidates, List<String> names, boolean isWhole) {
    for (String name : names) {
      candidates.add(new Candidate(name, name, null, null, null, null, isWhole));
    }
  }

  private static List<String> optionNames(CommandSpec spec) {
    return spec.options().stream().map(OptionSpec::longestName).toList();
  }

  /** The words that are neither options nor their values. */
  private static List<String> operands(CommandSpec spec, List<String> words) {
    List<String> operands = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-")) {
        operands.add(word);
      } else if (takesValue(spec, word)) {
        i++;
      }
    }
    return operands;
  }

  private static boolean takesValue(CommandSpec spec, String option) {
    OptionSpec known = spec.findOption(option);
    return known != null && known.arity().min() > 0;
  }

  /** The label of what the present word is: an option's value, or an operand. */
  private static @Nullable String wanted(CommandSpec spec, List<String> words, int operand) {
    if (isOption(words) && takesValue(spec, words.getLast())) {
      OptionSpec option = spec.findOption(words.getLast());
      String label = option == null ? null : option.paramLabel();
      boolean isCache = option != null && option.longestName().equals("--cache");
      return isCache ? "CACHE" : label;
    }
    return spec.positionalParameters().stream()
        .filter(each -> each.index().contains(operand))
        .map(each -> each.paramLabel())
        .findFirst()
        .orElse(null);
  }

  private List<String> names(String label, CommandSpec spec, List<String> words, String word) {
    String group = spec.parent() == null ? "" : spec.parent().name();
    return switch (label) {
      case "CACHE" -> members(TreePath.CACHES);
      case "COUNTER" -> members(TreePath.COUNTERS);
      case "NODE" -> members(TreePath.CLUSTER);
      case "KEY", "PATTERN" -> keys(spec, words, word);
      case "URL" -> List.copyOf(interpreter.session().folder().bookmarks().keySet());
      case "COMMAND" -> List.copyOf(interpreter.commands().getSubcommands().keySet());
      case "SHELL" -> List.of("bash", "zsh");
      case "LEVEL" -> List.of("OFF", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "ALL");
      case "MODE" -> List.of("AVAILABLE", "DEGRADED_MODE");
      case "NAME" ->
          switch (group) {
            case "schema" -> members(TreePath.SCHEMAS);
            case "task" -> members(TreePath.TASKS);
            case "create" -> members(TreePath.CONFIGURATIONS);
            default -> List.of();
          };
      default -> List.of();
    };
  }

  private List<String> members(String folder) {
    return patiently(() -> NavigationCommands.names(interpreter.session().connection(), folder));
  }

  private List<String> keys(CommandSpec spec, List<String> words, String word) {
    TreePath path = interpreter.session().path();
    String cache = path.isIn(TreePath.CACHES) && path.names().size() > 1 ? path.names().get(1) : "";
    for (int i = 0; i + 1 < words.size(); i++) {
      OptionSpec option = spec.findOption(words.get(i));
      if (option != null && option.longestName().equals("--cache")) {
        cache = words.get(i + 1);
      }
    }
    String from = cache;
    return from.isEmpty() ? List.of() : patiently(() -> keysOf(from, word));
  }

  private List<String> keysOf(String cache, String start) {
    List<String> found = new ArrayList<>();
    try (KeyListing keys =
        KeyListing.keys(interpreter.session().connection(), cache, KEYS_READ_MAX)) {
      while (found.size() < KEYS_SHOWN_MAX && keys.next()) {
        String key = keys.text();
        if (key.startsWith(start)) {
          found.add(key);
        }
      }
    }
    return found;
  }

  /** Files and folders of this machine that begin as the word does. */
  private static List<String> files(String word) {
    int slash = word.lastIndexOf('/');
    String folder = word.substring(0, slash + 1);
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of(folder.isEmpty() ? "." : folder))) {
      for (Path file : files) {
        found.add(folder + file.getFileName() + (Files.isDirectory(file) ? "/" : ""));
      }
    } catch (IOException | InvalidPathException e) {
      return List.of(); // no such folder
    }
    return found;
  }

  /** Paths that begin as the word does. */
  private List<String> paths(String word) {
    int slash = word.lastIndexOf('/');
    String folder = word.substring(0, slash + 1);
    TreePath path;
    try {
      path = interpreter.session().path().resolve(folder);
    } catch (UsageFailure e) {
      return List.of();
    }
    List<String> names =
        switch (path.names().size()) {
          case 0 -> TreePath.FOLDERS;
          case 1 -> members(path.name());
          default ->
              path.isMemberOf(TreePath.CACHES)
                  ? patiently(() -> keysOf(path.name(), word.substring(slash + 1)))
                  : List.of();
        };
    return names.stream().map(name -> folder + name).toList();
  }

  /** The names from the server; none if it does not answer within a short time. */
  private static List<String> patiently(Supplier<List<String>> source) {
    FutureTask<List<String>> task = new FutureTask<>(source::get);
    Thread.ofVirtual().start(task);
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      task.cancel(true);
      return List.of(); // a completion is a convenience: the command itself says what is wrong
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
