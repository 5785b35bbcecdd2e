package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads and runs commands of a session. */
final class Interpreter {
  /** Characters that a mistyped command has in common with the one that was meant. */
  private static final int SIMILAR_START = 2;

  private final CommandLine commands;
  private final Session session;

  /** Runs commands of {@link Commands} in a session, which is borrowed. */
  Interpreter(Session session) {
    this.session = session;
    CommandSpec root = CommandSpec.create().name("isogrid cli");
    for (Command each : Commands.all(this)) {
      root.addSubcommand(each.spec().name(), each.spec());
    }
    commands = new CommandLine(root);
    commands.setExpandAtFiles(false);
    commands.setAllowSubcommandsAsOptionParameters(true);
    commands.setAllowOptionsAsOptionParameters(true);
  }

  Session session() {
    return session;
  }

  /** The declarations of all commands. */
  CommandLine commands() {
    return commands;
  }

  /**
   * Runs the command of a line; nothing if it is blank or a comment.
   *
   * @throws CommandFailure if it fails
   */
  void run(String line) {
    run(Words.of(line));
  }

  /**
   * Runs the command of the words.
   *
   * @throws CommandFailure if it fails
   */
  void run(List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    ParseResult leaf = parse(expand(words));
    if (leaf.isUsageHelpRequested()) {
      session.printer().text(help(leaf.commandSpec().commandLine()));
      return;
    }
    if (leaf.commandSpec().userObject() instanceof Command.Handler handler) {
      handler.run(new Call(leaf, session));
    }
  }

  /** Replaces names of the user's own, each of them once. */
  private List<String> expand(List<String> words) {
    List<String> expanded = new ArrayList<>(words);
    Set<String> seen = new LinkedHashSet<>();
    String command;
    while ((command = session.aliases().get(expanded.getFirst())) != null
        && seen.add(expanded.getFirst())) {
      List<String> meaning = Words.of(command);
      expanded.removeFirst();
      expanded.addAll(0, meaning);
    }
    return expanded;
  }

  private ParseResult parse(List<String> words) {
    try {
      ParseResult parsed = commands.parseArgs(words.toArray(String[]::new));
      while (parsed.subcommand() != null) {
        parsed = parsed.subcommand();
      }
      return parsed;
    } catch (UnmatchedArgumentException unknown) {
      throw new UsageFailure(unknownText(unknown, words), unknown);
    } catch (ParameterException wrong) {
      String name = wrong.getCommandLine().getCommandSpec().name();
      String what = String.valueOf(wrong.getMessage());
      throw new UsageFailure("%s: %s; see help %s".formatted(name, what, name), wrong);
    }
  }

  private static String unknownText(UnmatchedArgumentException unknown, List<String> words) {
    List<String> similar =
        unknown.getSuggestions().stream()
            .filter(name -> name.regionMatches(0, words.getFirst(), 0, SIMILAR_START))
            .toList();
    CommandSpec spec = unknown.getCommandLine().getCommandSpec();
    String first = unknown.getUnmatched().getFirst();
    if (spec.parent() != null) {
      String kind = first.startsWith("-") ? "unknown option" : "a word too many";
      return "%s: %s, word=%s; see help %s".formatted(spec.name(), kind, first, spec.name());
    }
    String advice =
        similar.isEmpty() ? "help lists all" : "did you mean " + similar.getFirst() + "?";
    return "unknown command: %s; %s".formatted(words.getFirst(), advice);
  }

  /** The help of a command. */
  static String help(CommandLine command) {
    return command.getUsageMessage(CommandLine.Help.Ansi.OFF).stripTrailing();
  }

  /** The names of all commands with the first sentence of their descriptions. */
  List<List<String>> summaries() {
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, CommandLine> each : commands.getSubcommands().entrySet()) {
      String[] description = each.getValue().getCommandSpec().usageMessage().description();
      rows.add(List.of(each.getKey(), String.join(" ", description)));
    }
    return rows;
  }
}
