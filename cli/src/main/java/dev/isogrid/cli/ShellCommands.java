package dev.isogrid.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Commands of the command line itself. */
final class ShellCommands {
  private ShellCommands() {}

  static List<Command> all(Interpreter interpreter) {
    return List.of(
        Command.of("help", "Lists all commands, or explains one.", call -> help(call, interpreter))
            .operands("COMMAND", "Command, with its subcommand."),
        Command.of("quit", "Ends the command line.", call -> call.session().end()),
        Command.of("exit", "Ends the command line.", call -> call.session().end()),
        Command.of(
                "echo",
                "Prints its words.",
                call -> call.printer().text(String.join(" ", call.operands(0))))
            .operands("WORD", "Word to print."),
        Command.of("version", "Prints the version of the server.", ShellCommands::version),
        Command.of("run", "Runs the commands of files.", call -> run(call, interpreter))
            .operands("FILE", "File with one command per line; - for the input."),
        Command.of(
                "alias",
                "Lists names for commands, or sets one: alias NAME=COMMAND. With --cache the name"
                    + " stands for a cache, for all clients.",
                ShellCommands::alias)
            .option("-c --cache", "NAME", "The cache that the alias stands for.")
            .operands("NAME=COMMAND", "Name and command, or the alias of the cache."),
        Command.of("unalias", "Removes a name for a command.", ShellCommands::unalias)
            .operand("NAME", "The name."),
        Command.of(
                "completion",
                "Prints the completion of isogrid cli for a shell: source <(isogrid cli completion"
                    + " bash).",
                call ->
                    call.printer().out().println(Completion.script(call.operand(0), interpreter)))
            .operand("SHELL", "bash or zsh."));
  }

  private static void help(Call call, Interpreter interpreter) {
    List<String> words = call.operands(0);
    if (words.isEmpty()) {
      call.printer().table(List.of("command", "description"), interpreter.summaries());
      return;
    }
    CommandLine command = interpreter.commands();
    for (String word : words) {
      CommandLine sub = command.getSubcommands().get(word);
      if (sub == null) {
        throw new UsageFailure(
            "no such command: %s; help lists all".formatted(String.join(" ", words)));
      }
      command = sub;
    }
    call.printer().text(Interpreter.help(command));
  }

  private static void version(Call call) {
    Map<?, ?> server = call.send(RestRequest.get("server")).object();
    call.printer().text(JsonText.text(server.get("version")));
  }

  private static void run(Call call, Interpreter interpreter) {
    for (String file : call.operands(0)) {
      Script.run(file, interpreter, false);
    }
  }

  private static void alias(Call call) {
    Session session = call.session();
    @Nullable String cache = call.text("--cache");
    List<String> words = call.operands(0);
    if (cache != null) {
      if (words.size() != 1) {
        throw new UsageFailure("alias --cache NAME ALIAS: give one alias");
      }
      call.send(
          RestRequest.post(TreePath.CACHES, cache)
              .query("action", "assign-alias")
              .query("alias", words.getFirst()));
      return;
    }
    if (words.isEmpty()) {
      session
          .aliases()
          .forEach((name, command) -> call.printer().text(name + "=" + Words.quoted(command)));
      return;
    }
    String text = String.join(" ", words);
    int sign = text.indexOf('=');
    if (sign < 1) {
      throw new UsageFailure("malformed alias: %s; give NAME=COMMAND".formatted(text));
    }
    session.aliases().put(text.substring(0, sign), text.substring(sign + 1));
    session.folder().aliases(session.aliases());
  }

  private static void unalias(Call call) {
    Session session = call.session();
    if (session.aliases().remove(call.operand(0)) == null) {
      throw new CommandFailure(
          "no such alias: name=%s; alias lists all".formatted(call.operand(0)));
    }
    session.folder().aliases(session.aliases());
  }
}
