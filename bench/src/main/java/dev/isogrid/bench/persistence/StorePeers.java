package dev.isogrid.bench.persistence;

import dev.isogrid.bench.load.HotRodWire;
import dev.isogrid.bench.load.RespWire;
import dev.isogrid.bench.load.Wire;
import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import dev.isogrid.bench.server.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The servers of others that keep what they store. */
final class StorePeers implements AutoCloseable {
  private static final String REDIS = "redis";
  private static final String INFINISPAN = "infinispan";

  private final Arguments arguments;
  private final Checkout checkout;
  private final Path folder;
  private final List<Child> children = new ArrayList<>();

  /** A kind of server. */
  enum Kind {
    /** Redis with a log that is forced each second. */
    REDIS_EVERYSEC("Redis, appendfsync everysec", REDIS, "everysec"),
    /** Redis with a log that is forced before each answer. */
    REDIS_ALWAYS("Redis, appendfsync always", REDIS, "always"),
    /** Infinispan's file store as it is by default. */
    INFINISPAN_STORE("Infinispan, file store", INFINISPAN, "false"),
    /** Infinispan's file store with forced writes. */
    INFINISPAN_FORCED("Infinispan, file store, syncWrites", INFINISPAN, "true");

    final String label;
    final String server;
    private final String policy;

    Kind(String label, String server, String policy) {
      this.label = label;
      this.server = server;
      this.policy = policy;
    }

    /** Whether a write is answered only when it was forced. */
    boolean isForced() {
      return this == REDIS_ALWAYS || this == INFINISPAN_FORCED;
    }

    /** Whether it runs in a JVM. */
    boolean isJava() {
      return server.equals(INFINISPAN);
    }
  }

  /** Starts nothing yet. */
  StorePeers(Arguments arguments, Checkout checkout, Path folder) {
    this.arguments = arguments;
    this.checkout = checkout;
    this.folder = folder;
  }

  /** The servers that are named by the arguments. */
  static List<Kind> kinds(Arguments arguments) {
    List<String> names = List.of(arguments.text("--peers").split(",", -1));
    List<Kind> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (names.contains(kind.server)) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  /**
   * A server that runs.
   *
   * @param readyMillis how long its start took
   */
  record Started(StoreSubject subject, long pid, double readyMillis) {}

  /** Starts a server, or nothing if it is not installed, which the report says. */
  @Nullable Started start(Kind kind, Report report) throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve(kind.name()));
    Optional<Contestant> found = contestant(kind, own);
    if (found.isEmpty()) {
      report.remark("Not measured, since it is not installed: " + kind.label + ".");
      return null;
    }
    Contestant contestant = found.get();
    Child child = contestant.start(checkout.logs().resolve("persistence-" + kind + ".log"));
    children.add(child);
    Protocol protocol = kind.server.equals(REDIS) ? Protocol.RESP : Protocol.HOT_ROD;
    int valueSize = arguments.number("--value-size", 1_000_000);
    Supplier<Wire> wire =
        protocol == Protocol.RESP
            ? () -> new RespWire(valueSize)
            : () -> new HotRodWire(Contestant.CACHE);
    int port = Objects.requireNonNull(contestant.ports().get(protocol));
    double millis = child.awaitReady(1).afterNanos() / 1e6;
    return new Started(
        new StoreSubject(kind.label, port, wire, child.pid(), own), child.pid(), millis);
  }

  private Optional<Contestant> contestant(Kind kind, Path own) throws IOException {
    if (kind.server.equals(REDIS)) {
      List<String> options =
          List.of(
              "--dir",
              own.toString(),
              "--save",
              "",
              "--appendonly",
              "yes",
              "--appendfsync",
              kind.policy);
      return Contestant.redis(options, "a log with appendfsync " + kind.policy);
    }
    String heap = arguments.text("--heap");
    List<String> store = List.of(own.toString(), kind.policy);
    return Optional.of(
        Contestant.infinispan(checkout, List.of("-Xms" + heap, "-Xmx" + heap), store));
  }

  /** Ends all servers. */
  @Override
  public void close() {
    children.forEach(Child::close);
    children.clear();
  }
}
