package dev.isogrid.cli;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line as a process: {@code isogrid cli}. */
public final class Main {
  /** How much is written to the output at once. */
  private static final int OUTPUT_BUFFER_SIZE = 1 << 16;

  private static final String NAME = "isogrid cli";

  private final PrintStream out;
  private final PrintStream err;
  private final UnaryOperator<@Nullable String> environment;

  /** Asks for passwords when there is no prompt. */
  private final Asker asker;

  /** Creates a command line that prints to {@code out} and {@code err}, which are borrowed. */
  Main(PrintStream out, PrintStream err, UnaryOperator<@Nullable String> environment, Asker asker) {
    this.out = out;
    this.err = err;
    this.environment = environment;
    this.asker = asker;
  }

  /** Runs the command line and ends the process. */
  public static void main(String[] args) {
    boolean isTerminal = isTerminal();
    PrintStream out =
        isTerminal
            ? System.out
            : new PrintStream(
                new BufferedOutputStream(
                    new FileOutputStream(FileDescriptor.out), OUTPUT_BUFFER_SIZE),
                false,
                StandardCharsets.UTF_8);
    Asker asker = isTerminal ? new ConsoleAsker() : Asker.NOBODY;
    int code = new Main(out, System.err, System::getenv, asker).run(args, isTerminal);
    out.flush();
    System.exit(code);
  }

  private static boolean isTerminal() {
    Optional<Console> console = Optional.ofNullable(System.console());
    return console.filter(Console::isTerminal).isPresent();
  }

  /** The declaration of the process's own options. */
  static Command declaration() {
    return ConnectionCommands.withLogin(
            Command.of("cli", "Commands for a server: at a prompt, from a file, or one.", _ -> {})
                .option("-c --connect", "URL", "Server or bookmark; default " + Target.DEFAULT_URL))
        .option("-f --file", "FILE", "Runs the commands of a file; - for the input.")
        .option("--output", "FORM", "text or json; default text.")
        .flag("--keep-going", "Goes on after a command of a file that failed.");
  }

  /**
   * Runs a command line.
   *
   * @param hasPrompt whether a user is there to type commands if there are none
   * @return the exit code
   */
  int run(String[] args, boolean hasPrompt) {
    Command root = declaration().operands("COMMAND", "Command with its words; help lists all.");
    root.spec().name(NAME);
    CommandLine commandLine = new CommandLine(root.spec());
    commandLine.setStopAtPositional(true);
    commandLine.setExpandAtFiles(false);
    ParseResult parsed;
    try {
      parsed = commandLine.parseArgs(args);
    } catch (ParameterException wrong) {
      err.println("isogrid: " + wrong.getMessage() + "; see isogrid cli --help");
      return ExitCode.USAGE;
    }
    if (parsed.isUsageHelpRequested()) {
      printHelp(commandLine);
      return ExitCode.DONE;
    }
    return run(parsed, hasPrompt);
  }

  private void printHelp(CommandLine commandLine) {
    out.println(Interpreter.help(commandLine));
    out.println();
    try (Session nowhere = session(Printer.Format.TEXT)) {
      Printer.align(List.of("command", ""), new Interpreter(nowhere).summaries())
          .forEach(out::println);
    }
  }

  private Session session(Printer.Format format) {
    return new Session(
        new Printer(out, format, asker.sees()),
        err,
        new UserFolder(environment),
        asker,
        System::nanoTime); // tidy: a process without a grid, whose clock is made here
  }

  private int run(ParseResult parsed, boolean hasPrompt) {
    String output = parsed.matchedOptionValue("--output", "text");
    if (!output.equals("text") && !output.equals("json")) {
      err.println("isogrid: unknown form: --output %s; use text or json".formatted(output));
      return ExitCode.USAGE;
    }
    boolean isJson = output.equals("json");
    try (Session session = session(isJson ? Printer.Format.JSON : Printer.Format.TEXT)) {
      try {
        Call call = new Call(parsed, session);
        String server = call.text("--connect");
        session.startAt(ConnectionCommands.target(call, server));
        session.aliases().putAll(session.folder().aliases());
        runCommands(call, hasPrompt, server != null);
        return ExitCode.DONE;
      } catch (CommandFailure failure) {
        report(session, failure);
        return failure.exitCode();
      }
    }
  }

  private static void runCommands(Call call, boolean hasPrompt, boolean mustConnect) {
    Interpreter interpreter = new Interpreter(call.session());
    List<String> words = call.operands(0);
    String file = call.text("--file");
    if (file != null && !words.isEmpty()) {
      throw new UsageFailure("give a file or a command, and not both; see isogrid cli --help");
    }
    if (file != null) {
      Script.run(file, interpreter, call.flag("--keep-going"));
    } else if (!words.isEmpty()) {
      interpreter.run(words);
    } else if (hasPrompt) {
      Prompt.run(interpreter, mustConnect);
    } else {
      Script.run(Script.INPUT, interpreter, call.flag("--keep-going"));
    }
  }

  /** Prints a failure, for readers or as JSON, apart from the results. */
  static void report(Session session, CommandFailure failure) {
    Printer printer = session.printer();
    printer.out().flush();
    String line =
        printer.isJson()
            ? JsonText.line(Map.of("error", failure.text()))
            : "isogrid: " + failure.text();
    session.err().println(printer.shown(line));
  }

  /** Asks on the terminal of the process, where no prompt is shown. */
  private static final class ConsoleAsker implements Asker {
    @Override
    public String password(String prompt) {
      Optional<Console> console = Optional.ofNullable(System.console());
      return console
          .map(terminal -> terminal.readPassword("%s", prompt))
          .map(String::valueOf)
          .orElseThrow(
              () -> new CommandFailure("no password was given; give --password-file FILE"));
    }

    @Override
    public boolean confirms(String question) {
      return true; // who writes a whole command means it
    }

    @Override
    public boolean agrees(String question) {
      Optional<Console> console = Optional.ofNullable(System.console());
      String answer =
          console.map(terminal -> terminal.readLine("%s [y/N] ", question)).orElse("").strip();
      return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    }

    @Override
    public boolean sees() {
      return true;
    }
  }
}
