package dev.isogrid.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.run.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server to be measured.
 *
 * @param label the name in reports
 * @param description its command, for reports
 * @param ports its port for each protocol, on the loopback address
 * @param command the process
 * @param environment further variables of the process
 * @param readyText a part of the line that it prints when it is ready, or null if it prints none
 */
public record Contestant(
    String label,
    String description,
    Map<Protocol, Integer> ports,
    List<String> command,
    Map<String, String> environment,
    @Nullable String readyText) {
  /** The cache of the load, for servers with several caches. */
  public static final String CACHE = "default";

  /** The cache of this product for clients of memcached. */
  public static final String MEMCACHED_CACHE = "memcachedCache";

  private static final long READY_SECONDS_MAX = 600;

  /** Redis listens before it has read what it kept, and then says this. */
  private static final String REDIS_READY_TEXT = "Ready to accept connections";

  /** A text that no output contains. */
  private static final String NEVER = "\0";

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** Copies the collections. */
  public Contestant {
    ports = Map.copyOf(ports);
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * This product, by its launcher.
   *
   * @param options JVM options in addition to those of the launcher
   */
  public static Contestant isogrid(Checkout checkout, String options) throws IOException {
    int port = Ports.free();
    int memcachedPort = Ports.free();
    return new Contestant(
        "Isogrid",
        "`./isogrid server` with `ISOGRID_JAVA_OPTS=\"%s\"`, its built-in caches"
            .formatted(options),
        Map.of(Protocol.HOT_ROD, port, Protocol.MEMCACHED, memcachedPort, Protocol.REST, port),
        List.of(
            checkout.launcher(),
            "server",
            "--bind",
            "127.0.0.1",
            "--port",
            String.valueOf(port),
            "--memcached-port",
            String.valueOf(memcachedPort)),
        Map.of("ISOGRID_JAVA_OPTS", options, "JAVA_HOME", System.getProperty("java.home")),
        Launcher.READY_TEXT);
  }

  /**
   * The same server as a node of a cluster on this machine.
   *
   * @param cluster its name
   * @param clusterPort the port of this node for other nodes
   * @param seedPort that port of the first node
   */
  public Contestant inCluster(String cluster, int clusterPort, int seedPort) {
    List<String> clustered = new ArrayList<>(command);
    clustered.addAll(List.of("--cluster", cluster, "--cluster-port", String.valueOf(clusterPort)));
    clustered.addAll(List.of("--join", "127.0.0.1:" + seedPort));
    return new Contestant(label, description, ports, clustered, environment, readyText);
  }

  /**
   * Infinispan's Hot Rod endpoint; see {@link InfinispanServer}.
   *
   * @param options the sizes of the heap
   */
  public static Contestant infinispan(Checkout checkout, List<String> options) throws IOException {
    return infinispan(checkout, options, List.of());
  }

  /**
   * The same with a file store.
   *
   * @param store the folder and {@code true} if each write is forced; or nothing for no store
   */
  public static Contestant infinispan(Checkout checkout, List<String> options, List<String> store)
      throws IOException {
    int port = Ports.free();
    List<String> arguments =
        new ArrayList<>(List.of(String.valueOf(port), CACHE, InfinispanServer.BYTES));
    arguments.addAll(store);
    return infinispan(
        checkout, options, port, "one local heap cache", InfinispanServer.class, arguments);
  }

  /**
   * The same as a node of a cluster on this machine.
   *
   * @param clusterPort the port of this node for other nodes
   * @param seedPort that port of the first node
   */
  public static Contestant infinispanInCluster(
      Checkout checkout, List<String> options, int clusterPort, int seedPort) throws IOException {
    int port = Ports.free();
    return infinispan(
        checkout,
        options,
        port,
        "one distributed heap cache of two owners",
        InfinispanClusterServer.class,
        List.of(
            String.valueOf(port), CACHE, String.valueOf(clusterPort), String.valueOf(seedPort)));
  }

  private static Contestant infinispan(
      Checkout checkout,
      List<String> options,
      int port,
      String cache,
      Class<?> program,
      List<String> arguments)
      throws IOException {
    return infinispan(
        infinispanJars(checkout),
        options,
        infinispanClassPath(checkout),
        program.getName(),
        arguments,
        "`HotRodServer` of its library infinispan-server-hotrod",
        cache,
        Map.of(Protocol.HOT_ROD, port));
  }

  /**
   * The REST endpoint of an earlier Infinispan, the newest whose endpoint Maven Central has.
   *
   * @param options the sizes of the heap
   */
  public static Contestant infinispanForRest(Checkout checkout, List<String> options)
      throws IOException {
    int port = Ports.free();
    Path target = checkout.root().resolve("bench/infinispan-rest/target");
    List<Path> libraries = jars(target.resolve("lib"));
    List<Path> jars = new ArrayList<>(jars(target));
    jars.addAll(libraries);
    return infinispan(
        libraries,
        options,
        joined(jars.stream().map(Path::toString)),
        "dev.isogrid.bench.infinispan.rest.InfinispanRestServer",
        List.of(String.valueOf(port), CACHE),
        "`RestServer` of its library infinispan-server-rest",
        "one local heap cache",
        Map.of(Protocol.REST, port));
  }

  private static Contestant infinispan(
      List<Path> jars,
      List<String> options,
      String classPath,
      String program,
      List<String> arguments,
      String endpoint,
      String cache,
      Map<Protocol, Integer> ports) {
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.net.preferIPv4Stack=true",
            "-cp",
            classPath,
            program));
    command.addAll(arguments);
    return new Contestant(
        "Infinispan " + version(jars, "infinispan-core-"),
        ("%s over a `DefaultCacheManager`, not its server distribution: %s of"
                + " application/octet-stream, no statistics, no security; Netty %s; JDK and options"
                + " of the JVM as Isogrid's")
            .formatted(endpoint, cache, version(jars, "netty-common-")),
        ports,
        command,
        Map.of(),
        InfinispanServer.READY_TEXT);
  }

  private static List<Path> infinispanJars(Checkout checkout) throws IOException {
    return jars(checkout.root().resolve("bench/infinispan/target/lib"));
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted(Comparator.naturalOrder())
          .toList();
    }
  }

  /**
   * The class path of a process that runs Infinispan: the benchmarks' own jar and its libraries.
   */
  public static String infinispanClassPath(Checkout checkout) throws IOException {
    return classPath(infinispanJars(checkout));
  }

  /**
   * The class path of a process that runs Infinispan 8: the one big jar, after the jars that
   * replace parts of it.
   */
  public static String infinispan8ClassPath(Checkout checkout) throws IOException {
    Path target = checkout.root().resolve("bench/infinispan8/target");
    List<Path> jars = new ArrayList<>(jars(target));
    jars.addAll(jars(target.resolve("lib")).reversed());
    return classPath(jars);
  }

  private static String classPath(List<Path> jars) {
    String own = System.getProperty("java.class.path").split(File.pathSeparator, 2)[0];
    return joined(Stream.concat(Stream.of(own), jars.stream().map(Path::toString)));
  }

  private static String joined(Stream<String> jars) {
    return jars.collect(Collectors.joining(File.pathSeparator));
  }

  private static String version(List<Path> jars, String prefix) {
    return jars.stream()
        .map(jar -> jar.getFileName().toString())
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length(), name.length() - ".jar".length()))
        .findFirst()
        .orElse("of unknown version");
  }

  /**
   * memcached, or nothing if it is not installed.
   *
   * @param megabytes the limit of the memory of its entries
   */
  public static Optional<Contestant> memcached(String threads, int megabytes) throws IOException {
    Path program = program("memcached");
    if (program == null) {
      return Optional.empty();
    }
    int port = Ports.free();
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of("-l", "127.0.0.1", "-U", "0", "-t", threads));
    command.addAll(List.of("-m", String.valueOf(megabytes), "-p", String.valueOf(port)));
    // memcached refuses to run as root unless an option names another user.
    command.addAll(List.of("-u", System.getProperty("user.name")));
    return Optional.of(
        new Contestant(
            "memcached",
            "%s, %s threads, %d MB".formatted(version(program, "--version"), threads, megabytes),
            Map.of(Protocol.MEMCACHED, port),
            command,
            Map.of(),
            null));
  }

  /** Redis, or nothing if it is not installed. */
  public static Optional<Contestant> redis() throws IOException {
    return redis(List.of("--save", "", "--appendonly", "no"), "nothing kept on disk");
  }

  /**
   * The same with other options.
   *
   * @param what the options in words
   */
  public static Optional<Contestant> redis(List<String> options, String what) throws IOException {
    Path program = program("redis-server");
    if (program == null) {
      return Optional.empty();
    }
    int port = Ports.free();
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of("--bind", "127.0.0.1", "--port", String.valueOf(port)));
    command.addAll(options);
    return Optional.of(
        new Contestant(
            "Redis",
            version(program, "--version") + ", " + what,
            Map.of(Protocol.RESP, port),
            command,
            Map.of(),
            REDIS_READY_TEXT));
  }

  private static String version(Path program, String option) throws IOException {
    Process process = new ProcessBuilder(program.toString(), option).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static @Nullable Path program(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** Starts it; on return, clients can connect. */
  public Child start(Path log) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Child child = Child.start(label, builder, readyText == null ? NEVER : readyText, log);
    try {
      if (readyText != null) {
        child.awaitReady(READY_SECONDS_MAX);
      }
      for (int port : ports.values()) {
        child.awaitPort(port, READY_SECONDS_MAX);
      }
    } catch (IOException | InterruptedException | RuntimeException failure) {
      child.close();
      throw failure;
    }
    return child;
  }
}
