package dev.isogrid.bench.run;

import dev.isogrid.api.InvalidRequestException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line of one benchmark, declared in code: no reflection. Immutable. */
public final class CommandForm {
  private static final int HELP_WIDTH = 100;

  private final String name;
  private final String summary;
  private final List<Option> options;
  private final Map<String, String> flags;

  /**
   * Declares a command.
   *
   * @param summary a sentence for the help, without format characters
   * @param options those with a value
   * @param flags options without a value, and their descriptions
   */
  public CommandForm(String name, String summary, List<Option> options, Map<String, String> flags) {
    this.name = name;
    this.summary = summary;
    this.options = List.copyOf(options);
    this.flags = new LinkedHashMap<>(flags);
  }

  /** The word that selects the command. */
  public String name() {
    return name;
  }

  /** A new declaration for picocli. */
  public CommandSpec spec() {
    CommandSpec spec = withHelp(name, summary);
    for (Option option : options) {
      spec.addOption(
          OptionSpec.builder(option.name())
              .paramLabel(option.kind().label())
              .type(String.class)
              .description(option.help())
              .build());
    }
    flags.forEach((flag, description) ->
        spec.addOption(
            OptionSpec.builder(flag)
                .arity("0")
                .type(Boolean.class)
                .description(description)
                .build()));
    return spec;
  }

  /** A declaration that has nothing yet but {@code --help}. */
  public static CommandSpec withHelp(String name, String summary) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(summary).sortOptions(false).width(HELP_WIDTH);
    spec.addOption(
        OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build());
    return spec;
  }

  /**
   * Returns the values of all options, as given or by default.
   *
   * @throws InvalidRequestException if one has a wrong form
   */
  public Arguments read(ParseResult parsed) {
    List<String> given = flags.keySet().stream().filter(parsed::hasMatchedOption).toList();
    boolean isQuick = given.contains(Arguments.QUICK);
    Map<String, String> values = new LinkedHashMap<>();
    for (Option option : options) {
      String usual = isQuick ? option.quick() : option.usual();
      String value = parsed.matchedOptionValue(option.name(), usual);
      option.kind().check(option.name(), value);
      values.put(option.name(), value);
    }
    return new Arguments(values, given);
  }
}
