package dev.isogrid.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The scripts by which shells complete the words of {@code isogrid cli}. */
final class Completion {
  private static final List<String> OTHER_COMMANDS =
      List.of("server", "user", "data", "backup", "wordcount");

  private Completion() {}

  /**
   * The script for a shell.
   *
   * @param interpreter which the declarations are for; nothing is run
   * @throws UsageFailure if the shell is not known
   */
  static String script(String shell, Interpreter interpreter) {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw new UsageFailure("unknown shell: %s; use bash or zsh".formatted(shell));
    }
    CommandSpec root = CommandSpec.create().name("isogrid");
    OTHER_COMMANDS.forEach(name -> root.addSubcommand(name, CommandSpec.create().name(name)));
    Command cli = Main.declaration();
    for (Command each : Commands.all(interpreter)) {
      cli.with(each);
    }
    root.addSubcommand("cli", cli.spec());
    // In zsh the script turns the completion of bash on by itself.
    return AutoComplete.bash("isogrid", new CommandLine(root));
  }
}
