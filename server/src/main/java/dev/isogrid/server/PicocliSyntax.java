package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads the server's command line in every form that Picocli knows, and prints its help. */
final class PicocliSyntax {
  private PicocliSyntax() {}

  /**
   * The declarations of all options of a server. The options are declared in code: no reflection.
   */
  static CommandSpec serverSpec() {
    CommandSpec spec = CommandSpec.create().name("isogrid server");
    spec.usageMessage()
        .description("Runs a server of the data grid for Hot Rod, memcached and REST clients.")
        .sortOptions(false);
    declare(spec, CommandLineParser.options());
    spec.addOption(
        OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build());
    spec.addOption(
        OptionSpec.builder("--version", "-V")
            .versionHelp(true)
            .description("Shows the version.")
            .build());
    return spec;
  }

  /** Adds options to a command. */
  static void declare(CommandSpec spec, OptionList options) {
    options.all().forEach(option -> spec.addOption(declared(option)));
  }

  private static OptionSpec declared(OptionList.Option option) {
    OptionSpec.Builder builder =
        OptionSpec.builder(option.name()).description(option.description());
    return switch (option.kind()) {
      case FLAG -> builder.type(boolean.class).build();
      case TEXT -> builder.paramLabel(option.label()).type(String.class).build();
      case LIST ->
          builder
              .paramLabel(option.label())
              .type(List.class)
              .auxiliaryTypes(String.class)
              .arity("1")
              .splitRegex(",")
              .build();
    };
  }

  /**
   * Reads a command line of a server.
   *
   * @param out receives help and version
   * @param seeHelp ends the messages of errors
   * @return null if only help or the version was requested
   * @throws InvalidRequestException if an option is unknown, or its value is wrong or missing
   */
  static @Nullable GivenOptions read(String[] args, PrintStream out, String seeHelp) {
    CommandLine commandLine = new CommandLine(serverSpec());
    ParseResult parsed;
    try {
      parsed = commandLine.parseArgs(args);
    } catch (UnmatchedArgumentException unknown) {
      throw new InvalidRequestException(
          "unknown option: " + String.join(" ", unknown.getUnmatched()) + seeHelp, unknown);
    } catch (ParameterException wrong) {
      throw new InvalidRequestException(wrong.getMessage() + seeHelp, wrong);
    }
    if (parsed.isUsageHelpRequested()) {
      commandLine.usage(out, CommandLine.Help.Ansi.OFF);
      return null;
    }
    if (parsed.isVersionHelpRequested()) {
      out.println("isogrid " + Server.VERSION);
      return null;
    }
    return given(parsed);
  }

  /** The options of a parsed command line. */
  static GivenOptions given(ParseResult parsed) {
    Map<String, List<String>> values = new HashMap<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      boolean isFlag = option.type() == boolean.class;
      values.put(option.longestName(), isFlag ? List.of() : List.copyOf(option.stringValues()));
    }
    return new GivenOptions(values);
  }
}
