package dev.isogrid.server;

import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.WhenGone;
import dev.isogrid.config.DiscoveryText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Declares and reads the options of a server's command line for its cluster. */
final class ClusterOptionsParser {
  private static final String NO_CLUSTER = "--no-cluster";
  private static final String JOIN = "--join";
  private static final String BIND = "--cluster-bind";
  private static final String PORT = "--cluster-port";
  private static final String FOUND = "--found";
  private static final String FOUND_AFTER = "--found-after";
  private static final String JOIN_TIMEOUT = "--join-timeout";
  private static final String LEAVE_TIMEOUT = "--leave-timeout";
  private static final String STACK = "--cluster-stack";
  private static final String ZONE = "--zone";
  private static final String CAPACITY = "--capacity";
  private static final String DISCOVERY = "--discovery";
  private static final String DISCOVERY_USER = "--discovery-user";
  private static final String DISCOVERY_PASSWORD = "--discovery-password-file";
  private static final String DISCOVERY_DRIVER = "--discovery-driver";
  private static final String KEYSTORE = "--cluster-tls-keystore";
  private static final String PASSWORD = "--cluster-tls-password-file";
  private static final String TRUST = "--cluster-tls-truststore";
  private static final String TRUST_PASSWORD = "--cluster-tls-trust-password-file";
  private static final String SECRET = "--cluster-secret-file";
  private static final String INSECURE = "--cluster-insecure";
  private static final String ALLOW = "--allow-packages";
  private static final String WHEN_GONE = "--when-gone";
  private static final String RATE = "--rebalance-rate";
  private static final String LATENCY = "--rebalance-latency";
  private static final String FILE = "FILE";

  /** Environment variables as an alternative to the files. */
  private static final String PASSWORD_VARIABLE = "ISOGRID_CLUSTER_TLS_PASSWORD";

  private static final String TRUST_VARIABLE = "ISOGRID_CLUSTER_TLS_TRUST_PASSWORD";
  private static final String DISCOVERY_VARIABLE = "ISOGRID_DISCOVERY_PASSWORD";

  private final GivenOptions given;
  private final Function<String, @Nullable String> environment;

  private ClusterOptionsParser(GivenOptions given, Function<String, @Nullable String> environment) {
    this.given = given;
    this.environment = environment;
  }

  /** Adds the options. */
  static void declare(OptionList options) {
    options.text(
        JOIN,
        "HOST:PORT,...",
        "Nodes to form a cluster with, the same list on all of them; port 7800 if left out."
            + " Without it the server founds a cluster that others can join.");
    options.text(DISCOVERY, "HOW", "Finds nodes without a list: " + DiscoveryText.FORM + ".");
    options.text(DISCOVERY_USER, "NAME", "User of the database.");
    options.text(DISCOVERY_PASSWORD, FILE, "Its password: first line, or $" + DISCOVERY_VARIABLE);
    options.text(DISCOVERY_DRIVER, "CLASS", "Driver of JDBC for it, on $ISOGRID_CLASS_PATH.");
    options.text(BIND, "HOST", "Address to listen on for nodes; default that of --bind.");
    options.text(
        PORT,
        "PORT",
        "Port to listen on for nodes; default 7800 or, if it is taken, one of the next 50.");
    options.text(
        SECRET, FILE, "Encrypts between nodes, and lets only nodes in that have the same secret.");
    options.text(KEYSTORE, FILE, "Encrypts between nodes, with the key of this key store.");
    options.text(PASSWORD, FILE, "Its password: first line, or $" + PASSWORD_VARIABLE);
    options.text(TRUST, FILE, "Authorities of trusted nodes' certificates: a key store.");
    options.text(TRUST_PASSWORD, FILE, "Its password: first line, or $" + TRUST_VARIABLE);
    options.text(
        WHEN_GONE,
        "WHEN",
        "If a refused connection proves a node dead: ignored, of-two or always; default of-two.");
    options.flag(FOUND, "Founds the cluster even if no other node of --join is reached.");
    options.text(
        FOUND_AFTER,
        "MILLIS",
        "How long to look for a living cluster before founding one, with --discovery or when --data"
            + " has addresses of other servers; with --found and stores, how long each further"
            + " server is waited for; default 5000.");
    options.text(
        JOIN_TIMEOUT,
        "MILLIS",
        "How long the start waits for the cluster; then the server ends; default 60000.");
    options.text(
        LEAVE_TIMEOUT,
        "MILLIS",
        "How long a server that ends takes at most to hand its entries over; default 10000, 0 for"
            + " not at all.");
    options.text(STACK, FILE, "Stack of JGroups in XML, in place of the built-in one.");
    options.text(ZONE, "SITE/RACK/MACHINE", "Where the server runs; copies are kept far apart.");
    options.text(CAPACITY, "X", "Share of the entries, against others' 1; 0 to keep none.");
    options.text(RATE, "SIZE", "The most bytes of copies that the server sends per second.");
    options.text(
        LATENCY,
        "MILLIS",
        "Sends less of copies while operations take longer; default 50, 0 not to heed it.");
    options.text(
        ALLOW,
        "PACKAGE,...",
        "Packages whose classes other nodes may send, besides those of --tasks; * for all.");
    options.flag(INSECURE, "Opens the cluster port to strangers: whoever reaches it is a node.");
    options.flag(NO_CLUSTER, "Lets no other node join.");
  }

  /**
   * Reads the options.
   *
   * @param environment gives variables of the environment, or null
   * @throws InvalidRequestException if an option is wrong, lacks another one, or contradicts it
   */
  static ClusterOptions read(GivenOptions given, Function<String, @Nullable String> environment) {
    return new ClusterOptionsParser(given, environment).read();
  }

  private ClusterOptions read() {
    ClusterOptions options =
        new ClusterOptions(
            given.has(NO_CLUSTER),
            seeds(text(JOIN)),
            discovery(),
            text(BIND),
            CommandLineParser.realPort(given, PORT),
            given.has(FOUND),
            new ClusterOptions.Waits(
                millis(FOUND_AFTER), millis(JOIN_TIMEOUT), millis(LEAVE_TIMEOUT)),
            text(STACK),
            tls(),
            secretFile(),
            given.has(INSECURE),
            packages(text(ALLOW)),
            whenGone(),
            text(ZONE),
            capacity(text(CAPACITY)),
            new ClusterOptions.Rebalance(CommandLineParser.size(given, RATE), millis(LATENCY)));
    if (options.isOff() && options.wantsCluster()) {
      throw new InvalidRequestException(
          "--no-cluster contradicts the other options of the cluster; leave it or them out");
    }
    if (options.discovery() != null && !options.seeds().isEmpty()) {
      throw new InvalidRequestException("--join and --discovery exclude each other; give one");
    }
    requireOneAtMost(KEYSTORE, SECRET, INSECURE);
    return options;
  }

  private void requireOneAtMost(String... options) {
    List<String> chosen = Arrays.stream(options).filter(given::has).toList();
    if (chosen.size() > 1) {
      throw new InvalidRequestException(
          "%s exclude each other; give one".formatted(String.join(" and ", chosen)));
    }
  }

  private @Nullable String text(String name) {
    return CommandLineParser.value(given, name);
  }

  /** Refuses options that need another one. */
  private void requireWith(String needed, String... options) {
    for (String option : options) {
      if (!given.has(needed) && given.has(option)) {
        throw new InvalidRequestException(
            "%s means nothing without %s; add that, or leave it out".formatted(option, needed));
      }
    }
  }

  /** The first line of a file, or a variable, or null. */
  private @Nullable String secret(String option, String variable) {
    String file = text(option);
    if (file == null) {
      return environment.apply(variable);
    }
    try {
      List<String> lines = Files.readAllLines(Path.of(file));
      return lines.isEmpty() ? "" : lines.getFirst();
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "%s %s can't be read: %s; name a file with the password in its first line"
              .formatted(option, file, failure.getMessage()),
          failure);
    }
  }

  private String neededSecret(String store, String option, String variable) {
    String secret = secret(option, variable);
    if (secret == null) {
      throw new InvalidRequestException(
          "%s needs its password; give %s or the environment variable %s"
              .formatted(store, option, variable));
    }
    return secret;
  }

  private @Nullable ClusterTls tls() {
    String keys = text(KEYSTORE);
    String trust = text(TRUST);
    requireWith(KEYSTORE, PASSWORD, TRUST, TRUST_PASSWORD);
    if (keys == null) {
      return null;
    }
    if (trust == null) {
      throw new InvalidRequestException(
          "%s needs %s; give it, since each node shows a certificate".formatted(KEYSTORE, TRUST));
    }
    return new ClusterTls(
        readable(KEYSTORE, keys),
        neededSecret(KEYSTORE, PASSWORD, PASSWORD_VARIABLE),
        readable(TRUST, trust),
        neededSecret(TRUST, TRUST_PASSWORD, TRUST_VARIABLE));
  }

  private @Nullable Path secretFile() {
    String name = text(SECRET);
    return name == null ? null : Path.of(name);
  }

  private static Path readable(String option, String name) {
    Path file = Path.of(name);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new InvalidRequestException(
          "%s %s can't be read; name a key store that can be".formatted(option, name));
    }
    return file;
  }

  private @Nullable ClusterDiscovery discovery() {
    String how = text(DISCOVERY);
    requireWith(DISCOVERY, DISCOVERY_USER, DISCOVERY_PASSWORD, DISCOVERY_DRIVER);
    if (how == null) {
      return null;
    }
    boolean isDatabase = how.startsWith("database:");
    String password = isDatabase ? secret(DISCOVERY_PASSWORD, DISCOVERY_VARIABLE) : null;
    try {
      return DiscoveryText.read(
          how, new DiscoveryText.Login(text(DISCOVERY_USER), password, text(DISCOVERY_DRIVER)));
    } catch (InvalidRequestException wrong) {
      throw new InvalidRequestException(DISCOVERY + ": " + wrong.getMessage(), wrong);
    }
  }

  private @Nullable WhenGone whenGone() {
    String text = text(WHEN_GONE);
    if (text == null) {
      return null;
    }
    for (WhenGone each : WhenGone.values()) {
      if (each.name().equals(text.toUpperCase(Locale.ROOT).replace('-', '_'))) {
        return each;
      }
    }
    throw new InvalidRequestException(
        "%s %s is not known; give ignored, of-two or always".formatted(WHEN_GONE, text));
  }

  private @Nullable Long millis(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    long millis;
    try {
      millis = Long.parseLong(text);
    } catch (NumberFormatException _) {
      millis = -1;
    }
    if (millis < 0) {
      throw new InvalidRequestException(
          "%s %s is not a time; give milliseconds, 0 or more".formatted(name, text));
    }
    return millis;
  }

  private static List<String> seeds(@Nullable String join) {
    if (join == null) {
      return List.of();
    }
    List<String> seeds = Arrays.stream(join.split(",", -1)).map(String::strip).toList();
    if (seeds.contains("")) {
      throw new InvalidRequestException(
          "--join %s names a node without a name; give HOST:PORT,HOST:PORT".formatted(join));
    }
    return seeds;
  }

  private static @Nullable List<String> packages(@Nullable String text) {
    return text == null ? null : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private static @Nullable Float capacity(@Nullable String text) {
    if (text == null) {
      return null;
    }
    float capacity;
    try {
      capacity = Float.parseFloat(text);
    } catch (NumberFormatException _) {
      capacity = Float.NaN;
    }
    if (!(capacity >= 0) || Float.isInfinite(capacity)) {
      throw new InvalidRequestException(
          "--capacity %s is not a share; give a number of 0 or more, such as 0.5".formatted(text));
    }
    return capacity;
  }
}
