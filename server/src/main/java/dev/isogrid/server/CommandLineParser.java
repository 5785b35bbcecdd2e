package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Quantity;
import java.io.PrintStream;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reads the command line of the server. The options are declared in code: no reflection. */
final class CommandLineParser {
  private static final int PORT_MAX = 65_535;

  /** The least off-heap memory: with less, the built-in caches could not keep an entry each. */
  private static final long SIZE_MIN_BYTES = 1 << 20;

  /** The letters of powers of 1,024 in options of the JVM. */
  private static final String JVM_UNITS = "kmgt";

  private static final String SEE_HELP = "; see isogrid server --help";

  private final CommandLine commandLine = new CommandLine(spec());
  private final Function<String, @Nullable String> environment;

  /** Makes a parser that takes passwords from the environment of this process. */
  CommandLineParser() {
    this(System::getenv);
  }

  /**
   * The same with another environment.
   *
   * @param environment returns a variable, or null
   */
  CommandLineParser(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  /** The declarations of all options. */
  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("isogrid server");
    spec.usageMessage()
        .description("Runs a server of the data grid for Hot Rod, memcached and REST clients.")
        .sortOptions(false);
    spec.addOption(option("--bind", "HOST", "Address to listen on; default 127.0.0.1."));
    spec.addOption(
        option("--port", "PORT", "Port of all protocols; default 11222, 0 for any free one."));
    spec.addOption(
        option("--memcached-port", "PORT", "Port of memcached alone; default 11211, 0 for none."));
    spec.addOption(
        option("--config", "FILE", "Configuration in XML, JSON or YAML. Options go before it."));
    spec.addOption(
        option("--node-name", "NAME", "Name of this node; default host and process id."));
    spec.addOption(option("--cluster", "NAME", "Name of the cluster; default cluster."));
    ClusterOptionsParser.declare(spec);
    spec.addOption(
        option("--data", "DIR", "Where configurations and stores of caches outlive the server."));
    spec.addOption(option("--tasks", "DIR", "Where the jars of tasks are that clients may run."));
    spec.addOption(
        option(
            "--off-heap-max",
            "SIZE",
            "Off-heap memory of all caches, such as 4g or 500MB; default half of the memory."));
    spec.addOption(
        option(
            "--streamed-value-max",
            "SIZE",
            "Largest value that Hot Rod clients may write in chunks; default 1g, less than 2g."));
    spec.addOption(
        option(
            "--memcached-item-max",
            "SIZE",
            "Largest item of memcached clients, up to 1g; default 1m on the port of memcached alone"
                + " and what a request may have on that of all protocols."));
    spec.addOption(
        option(
            "--external-address",
            "HOST",
            "Host by which clients reach this server; default the address listened on."));
    spec.addOption(
        option(
            "--external-port",
            "PORT",
            "Port by which clients reach this server; default the port listened on."));
    SecurityOptionsParser.declare(spec);
    LogOptions.declare(spec);
    Reporting.declare(spec);
    spec.addOption(
        OptionSpec.builder("--help", "-h").usageHelp(true).description("Shows this.").build());
    spec.addOption(
        OptionSpec.builder("--version", "-V")
            .versionHelp(true)
            .description("Shows the version.")
            .build());
    return spec;
  }

  private static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  /**
   * Reads a command line.
   *
   * @param out receives help and version
   * @return null if only help or the version was requested
   * @throws InvalidRequestException if an option is unknown, or its value is wrong or missing
   */
  @Nullable ServerOptions parse(String[] args, PrintStream out) {
    ParseResult parsed = parse(args);
    if (parsed.isUsageHelpRequested()) {
      commandLine.usage(out, CommandLine.Help.Ansi.OFF);
      return null;
    }
    if (parsed.isVersionHelpRequested()) {
      out.println("isogrid " + Server.VERSION);
      return null;
    }
    return new ServerOptions(
        value(parsed, "--bind"),
        port(parsed, "--port"),
        port(parsed, "--memcached-port"),
        value(parsed, "--config"),
        value(parsed, "--node-name"),
        value(parsed, "--cluster"),
        value(parsed, "--data"),
        value(parsed, "--tasks"),
        size(parsed, "--off-heap-max"),
        streamedValueMax(parsed),
        memcachedItemMax(parsed),
        value(parsed, "--external-address"),
        realPort(parsed, "--external-port"),
        ClusterOptionsParser.read(parsed, environment),
        SecurityOptionsParser.read(parsed),
        LogOptions.read(parsed),
        Reporting.read(parsed));
  }

  private ParseResult parse(String[] args) {
    try {
      return commandLine.parseArgs(args);
    } catch (UnmatchedArgumentException unknown) {
      throw new InvalidRequestException(
          "unknown option: " + String.join(" ", unknown.getUnmatched()) + SEE_HELP, unknown);
    } catch (ParameterException wrong) {
      throw new InvalidRequestException(wrong.getMessage() + SEE_HELP, wrong);
    }
  }

  /** The value of an option that may not be blank, or null. */
  static @Nullable String value(ParseResult parsed, String name) {
    String value = parsed.matchedOptionValue(name, null);
    if (value != null && value.isBlank()) {
      throw new InvalidRequestException("%s has an empty value%s".formatted(name, SEE_HELP));
    }
    return value;
  }

  /** A size in the form of documents or of JVM options: with k, m, g or t. */
  static @Nullable Long size(ParseResult parsed, String name) {
    return size(parsed, name, SIZE_MIN_BYTES);
  }

  private static @Nullable Long size(ParseResult parsed, String name, long minBytes) {
    String value = value(parsed, name);
    if (value == null) {
      return null;
    }
    char last = Character.toLowerCase(value.charAt(value.length() - 1));
    boolean hasJvmUnit = value.length() > 1 && JVM_UNITS.indexOf(last) >= 0;
    String text = hasJvmUnit ? value.substring(0, value.length() - 1) + jvmUnit(last) : value;
    OptionalLong bytes = Quantity.sizeBytes(text);
    if (bytes.isEmpty() || bytes.getAsLong() < minBytes) {
      throw new InvalidRequestException(
          "%s %s is not a size; give at least %d bytes, such as 512m, 4g or 500MB"
              .formatted(name, value, minBytes));
    }
    return bytes.getAsLong();
  }

  private static @Nullable Integer streamedValueMax(ParseResult parsed) {
    Long size = size(parsed, "--streamed-value-max");
    if (size != null && size > ServerSettings.Protocols.STREAMED_VALUE_LIMIT) {
      throw new InvalidRequestException(
          "--streamed-value-max %d is too large; give at most %d bytes"
              .formatted(size, ServerSettings.Protocols.STREAMED_VALUE_LIMIT));
    }
    return size == null ? null : Math.toIntExact(size);
  }

  private static @Nullable Integer memcachedItemMax(ParseResult parsed) {
    Long size = size(parsed, "--memcached-item-max", ServerSettings.Protocols.ITEM_MIN);
    if (size != null && size > ServerSettings.Protocols.ITEM_LIMIT) {
      throw new InvalidRequestException(
          "--memcached-item-max %d is too large; give at most %d bytes"
              .formatted(size, ServerSettings.Protocols.ITEM_LIMIT));
    }
    return size == null ? null : Math.toIntExact(size);
  }

  /** The corresponding unit of documents. */
  private static String jvmUnit(char unit) {
    return Character.toUpperCase(unit) + "iB";
  }

  /** A port that is not 0. */
  static @Nullable Integer realPort(ParseResult parsed, String name) {
    Integer port = port(parsed, name);
    if (port != null && port == 0) {
      throw new InvalidRequestException(
          "%s 0 is not a port; give a number from 1 to %d".formatted(name, PORT_MAX));
    }
    return port;
  }

  private static @Nullable Integer port(ParseResult parsed, String name) {
    String value = value(parsed, name);
    if (value == null) {
      return null;
    }
    int port;
    try {
      port = Integer.parseInt(value);
    } catch (NumberFormatException _) {
      port = -1;
    }
    if (port < 0 || port > PORT_MAX) {
      throw new InvalidRequestException(
          "%s %s is not a port; give a number from 0 to %d".formatted(name, value, PORT_MAX));
    }
    return port;
  }
}
