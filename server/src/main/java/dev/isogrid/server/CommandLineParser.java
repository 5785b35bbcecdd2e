package dev.isogrid.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.config.Quantity;
import java.io.PrintStream;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the command line of the server. */
final class CommandLineParser {
  private static final int PORT_MAX = 65_535;

  /** The least off-heap memory: with less, the built-in caches could not keep an entry each. */
  private static final long SIZE_MIN_BYTES = 1 << 20;

  /** The letters of powers of 1,024 in options of the JVM. */
  private static final String JVM_UNITS = "kmgt";

  private static final String SEE_HELP = "; see isogrid server --help";

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

  /** The declarations of all options but those for help and version. */
  static OptionList options() {
    OptionList options = new OptionList();
    options.text("--bind", "HOST", "Address to listen on; default 127.0.0.1.");
    options.text("--port", "PORT", "Port of all protocols; default 11222, 0 for any free one.");
    options.text("--memcached-port", "PORT", "Port of memcached alone; default 11211, 0 for none.");
    options.text("--config", "FILE", "Configuration in XML, JSON or YAML. Options go before it.");
    options.text("--node-name", "NAME", "Name of this node; default host and process id.");
    options.text("--cluster", "NAME", "Name of the cluster; default cluster.");
    ClusterOptionsParser.declare(options);
    options.text("--data", "DIR", "Where configurations and stores of caches outlive the server.");
    options.text("--tasks", "DIR", "Where the jars of tasks are that clients may run.");
    options.text(
        "--off-heap-max",
        "SIZE",
        "Off-heap memory of all caches, such as 4g or 500MB; default half of the memory.");
    options.text(
        "--streamed-value-max",
        "SIZE",
        "Largest value that Hot Rod clients may write in chunks; default 1g, less than 2g.");
    options.text(
        "--memcached-item-max",
        "SIZE",
        "Largest item of memcached clients, up to 1g; default 1m on the port of memcached alone"
            + " and what a request may have on that of all protocols.");
    options.text(
        "--external-address",
        "HOST",
        "Host by which clients reach this server; default the address listened on.");
    options.text(
        "--external-port",
        "PORT",
        "Port by which clients reach this server; default the port listened on.");
    SecurityOptionsParser.declare(options);
    LogOptions.declare(options);
    Reporting.declare(options);
    return options;
  }

  /**
   * Reads a command line.
   *
   * @param out receives help and version
   * @return null if only help or the version was requested
   * @throws InvalidRequestException if an option is unknown, or its value is wrong or missing
   */
  @Nullable ServerOptions parse(String[] args, PrintStream out) {
    GivenOptions plain = GivenOptions.ofPlain(args, options());
    GivenOptions given = plain == null ? PicocliSyntax.read(args, out, SEE_HELP) : plain;
    if (given == null) {
      return null;
    }
    return new ServerOptions(
        value(given, "--bind"),
        port(given, "--port"),
        port(given, "--memcached-port"),
        value(given, "--config"),
        value(given, "--node-name"),
        value(given, "--cluster"),
        value(given, "--data"),
        value(given, "--tasks"),
        size(given, "--off-heap-max"),
        streamedValueMax(given),
        memcachedItemMax(given),
        value(given, "--external-address"),
        realPort(given, "--external-port"),
        ClusterOptionsParser.read(given, environment),
        SecurityOptionsParser.read(given),
        LogOptions.read(given),
        Reporting.read(given));
  }

  /** The value of an option that may not be blank, or null. */
  static @Nullable String value(GivenOptions given, String name) {
    String value = given.value(name);
    if (value != null && value.isBlank()) {
      throw new InvalidRequestException("%s has an empty value%s".formatted(name, SEE_HELP));
    }
    return value;
  }

  /** A size in the form of documents or of JVM options: with k, m, g or t. */
  static @Nullable Long size(GivenOptions given, String name) {
    return size(given, name, SIZE_MIN_BYTES);
  }

  private static @Nullable Long size(GivenOptions given, String name, long minBytes) {
    String value = value(given, name);
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

  private static @Nullable Integer streamedValueMax(GivenOptions given) {
    Long size = size(given, "--streamed-value-max");
    if (size != null && size > ServerSettings.Protocols.STREAMED_VALUE_LIMIT) {
      throw new InvalidRequestException(
          "--streamed-value-max %d is too large; give at most %d bytes"
              .formatted(size, ServerSettings.Protocols.STREAMED_VALUE_LIMIT));
    }
    return size == null ? null : Math.toIntExact(size);
  }

  private static @Nullable Integer memcachedItemMax(GivenOptions given) {
    Long size = size(given, "--memcached-item-max", ServerSettings.Protocols.ITEM_MIN);
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
  static @Nullable Integer realPort(GivenOptions given, String name) {
    Integer port = port(given, name);
    if (port != null && port == 0) {
      throw new InvalidRequestException(
          "%s 0 is not a port; give a number from 1 to %d".formatted(name, PORT_MAX));
    }
    return port;
  }

  private static @Nullable Integer port(GivenOptions given, String name) {
    String value = value(given, name);
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
