package dev.isogrid.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The declaration of a command, made step by step in code: no reflection. */
final class Command {
  /** The action of a command. */
  @FunctionalInterface
  interface Handler {
    /**
     * Runs the command.
     *
     * @throws CommandFailure if it fails
     */
    void run(Call call);
  }

  private static final String CACHE = "--cache";

  private final CommandSpec spec;
  private int operands;

  private Command(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * A command.
   *
   * @param description without format characters
   */
  static Command of(String name, String description, Handler handler) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(handler).name(name);
    spec.usageMessage().description(description).sortOptions(false).width(100);
    spec.addOption(
        OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build());
    return new Command(spec);
  }

  /** A command that has subcommands only. */
  static Command group(String name, String description) {
    return of(
        name,
        description,
        call -> {
          throw new UsageFailure(
              "which one? %s %s"
                  .formatted(name, String.join("|", call.spec().subcommands().keySet())));
        });
  }

  /** Adds an option with a value; {@code names} has blanks between them. */
  Command option(String names, String label, String description) {
    spec.addOption(
        OptionSpec.builder(names.split(" ", -1))
            .paramLabel(label)
            .type(String.class)
            .description(description)
            .build());
    return this;
  }

  /** Adds an option that may be given several times. */
  Command options(String names, String label, String description) {
    spec.addOption(
        OptionSpec.builder(names.split(" ", -1))
            .paramLabel(label)
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(description)
            .build());
    return this;
  }

  /** Adds an option without a value, or with {@code =true} or {@code =false}. */
  Command flag(String names, String description) {
    spec.addOption(
        OptionSpec.builder(names.split(" ", -1))
            .arity("0..1")
            .type(Boolean.class)
            .fallbackValue("true")
            .paramLabel("true|false")
            .description(description)
            .build());
    return this;
  }

  /** Adds the option that names a cache; without it the selected cache is meant. */
  Command cacheOption() {
    return option("-c " + CACHE, "NAME", "Cache; default the selected one.");
  }

  /** Adds an operand that is needed. */
  Command operand(String label, String description) {
    return operand(label, description, "1");
  }

  /** Adds an operand that may be left out. */
  Command optional(String label, String description) {
    return operand(label, description, "0..1");
  }

  private Command operand(String label, String description, String arity) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .index(String.valueOf(operands++))
            .arity(arity)
            .paramLabel(label)
            .type(String.class)
            .description(description)
            .build());
    return this;
  }

  /** Adds all further operands. */
  Command operands(String label, String description) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .index(operands + "..*")
            .arity("0..*")
            .paramLabel(label)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(description)
            .build());
    return this;
  }

  /** Adds a subcommand. */
  Command with(Command sub) {
    spec.addSubcommand(sub.spec.name(), sub.spec);
    return this;
  }

  CommandSpec spec() {
    return spec;
  }
}
