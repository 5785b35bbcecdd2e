package dev.isogrid.bench.server;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Requests per second, and processor time of the server process per request: {@code ./isogrid bench
 * server}. The second figure is the reliable one on a machine that the clients share.
 */
public final class ServerBenchmark implements Benchmark {
  /** Client libraries that log each connection. */
  private static final List<String> NOISY = List.of("org.infinispan", "net.spy", "io.netty");

  /** Many times the memory of the largest load. */
  private static final int MEMCACHED_MEGABYTES = 512;

  @Override
  public String name() {
    return "server";
  }

  @Override
  public String summary() {
    return "requests per second and processor time per request of servers, ours and others";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds",
            Option.Kind.COUNT,
            "5",
            "2",
            "Rounds; in each, every server is started once."),
        new Option(
            "--warmup-millis",
            Option.Kind.MILLIS,
            "4000",
            "1000",
            "Load before each figure that is not counted."),
        new Option("--millis", Option.Kind.MILLIS, "4000", "1000", "Load of each figure."),
        Option.of(
            "--servers",
            Option.Kind.WORDS,
            "isogrid,infinispan,infinispan-rest,memcached,redis",
            "The servers."),
        Option.of(
            "--clients",
            Option.Kind.WORDS,
            "all",
            "Some of " + Arrays.toString(Client.values()) + "."),
        Option.of("--keys", Option.Kind.COUNT, "10000", "Entries."),
        Option.of("--value-size", Option.Kind.BYTES, "1000", "Bytes of a value."),
        Option.of("--connections", Option.Kind.COUNT, "2", "Connections of the raw clients."),
        Option.of(
            "--depth", Option.Kind.COUNT, "32", "Requests that a raw connection sends at once."),
        Option.of("--heap", Option.Kind.HEAP, "512m", "Heap of the servers that run on a JVM."),
        Option.of("--memcached-threads", Option.Kind.COUNT, "2", "Worker threads of memcached."));
  }

  /**
   * The figures of one server with one client: requests per second, and microseconds of processor
   * time per request.
   */
  private record Figures(Samples rate, Samples cost) {
    Figures() {
      this(new Samples(), new Samples());
    }
  }

  /** One row of the tables. */
  private record Row(Client client, Operation operation, String server) {}

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<Logger> quiet = NOISY.stream().map(Logger::getLogger).toList();
    quiet.forEach(logger -> logger.setLevel(Level.WARNING));
    Report report = new Report();
    List<Contestant> contestants = contestants(arguments, checkout, report);
    List<Client> clients = clients(arguments);
    Map<Row, Figures> figures = new LinkedHashMap<>();
    for (Client client : clients) {
      for (Operation operation : Operation.values()) {
        contestants.stream()
            .filter(contestant -> contestant.ports().containsKey(client.protocol()))
            .map(contestant -> new Row(client, operation, contestant.label()))
            .forEach(row -> figures.put(row, new Figures()));
      }
    }
    int rounds = arguments.number("--rounds", 1000);
    List<Contestant> order = new ArrayList<>(contestants);
    for (int round = 1; round <= rounds; round++) {
      System.err.printf("round %d of %d%n", round, rounds);
      for (Contestant contestant : order) {
        Path log = checkout.logs().resolve("server-" + fileName(contestant) + ".log");
        try (Child child = contestant.start(log)) {
          measure(arguments, contestant, child, clients, figures);
        }
      }
      Collections.rotate(order, 1);
    }
    remarks(report, contestants);
    tables(report, figures);
    return report;
  }

  private static String fileName(Contestant contestant) {
    return contestant.label().toLowerCase(Locale.ROOT).replaceAll("\\W+", "-");
  }

  private static List<Client> clients(Arguments arguments) {
    if (arguments.text("--clients").equals("all")) {
      return List.of(Client.values());
    }
    List<Client> clients = new ArrayList<>();
    for (String word : arguments.words("--clients")) {
      clients.add(
          Arrays.stream(Client.values())
              .filter(client -> client.name().equals(word))
              .findFirst()
              .orElseThrow(() ->
                  new InvalidRequestException(
                      "--clients %s is not allowed; there are %s"
                          .formatted(word, Arrays.toString(Client.values())))));
    }
    return clients;
  }

  private static List<Contestant> contestants(Arguments arguments, Checkout checkout, Report report)
      throws IOException, InterruptedException {
    String heap = arguments.text("--heap");
    List<Contestant> contestants = new ArrayList<>();
    for (String server : arguments.words("--servers")) {
      switch (server) {
        case "isogrid" -> {
          Launcher.buildServer(checkout);
          contestants.add(Contestant.isogrid(checkout, "-Xms%s -Xmx%s".formatted(heap, heap)));
        }
        case "infinispan" ->
            contestants.add(Contestant.infinispan(checkout, List.of("-Xms" + heap, "-Xmx" + heap)));
        case "infinispan-rest" ->
            contestants.add(
                Contestant.infinispanForRest(checkout, List.of("-Xms" + heap, "-Xmx" + heap)));
        case "memcached" -> {
          String threads = String.valueOf(arguments.number("--memcached-threads", 64));
          addOrSkip(
              server, Contestant.memcached(threads, MEMCACHED_MEGABYTES), contestants, report);
        }
        case "redis" -> addOrSkip(server, Contestant.redis(), contestants, report);
        default ->
            throw new InvalidRequestException(
                ("--servers %s is not allowed; there are isogrid, infinispan, infinispan-rest,"
                        + " memcached, redis")
                    .formatted(server));
      }
    }
    return contestants;
  }

  private static void addOrSkip(
      String server, Optional<Contestant> found, List<Contestant> contestants, Report report) {
    if (found.isEmpty()) {
      System.err.println("skipped, since it is not installed: " + server);
      report.remark("Skipped, since it is not installed: " + server + ".");
    }
    found.ifPresent(contestants::add);
  }

  private static void measure(
      Arguments arguments,
      Contestant contestant,
      Child child,
      List<Client> clients,
      Map<Row, Figures> figures)
      throws IOException, InterruptedException {
    Entries entries =
        new Entries(
            arguments.number("--keys", 1_000_000), arguments.number("--value-size", 1_000_000));
    Client.RawShape shape =
        new Client.RawShape(
            arguments.number("--connections", 1000), arguments.number("--depth", 10_000));
    for (Client client : clients) {
      Integer port = contestant.ports().get(client.protocol());
      if (port == null) {
        continue;
      }
      fill(port, client.protocol(), entries);
      try (Load load = client.open(port, entries, shape)) {
        for (Operation operation : Operation.values()) {
          load.run(operation, end(arguments.number("--warmup-millis", 600_000)));
          Row row = new Row(client, operation, contestant.label());
          Figures found = Objects.requireNonNull(figures.get(row));
          measureOnce(arguments, load, operation, child, found);
          System.err.printf(
              "  %-16s %-38s %s%n", contestant.label(), client.label(), operation.label());
        }
      }
    }
  }

  private static void fill(int port, Protocol protocol, Entries entries) throws IOException {
    int depth = 1;
    try (PipelinedConnection connection =
        new PipelinedConnection(port, protocol.wire(entries.value().length), entries, depth, 0)) {
      connection.putAll();
    }
  }

  private static void measureOnce(
      Arguments arguments, Load load, Operation operation, Child child, Figures figures)
      throws IOException, InterruptedException {
    ProcessFacts facts = new ProcessFacts(child.pid());
    double processorBefore = facts.processorSeconds();
    long startNanos = RealTime.nanos();
    long count = load.run(operation, end(arguments.number("--millis", 600_000)));
    double seconds = RealTime.secondsSince(startNanos);
    double processor = facts.processorSeconds() - processorBefore;
    figures.rate().add(count / seconds);
    figures.cost().add(processor * 1e6 / count);
  }

  private static long end(int millis) {
    return RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static void remarks(Report report, List<Contestant> contestants) {
    contestants.forEach(
        contestant -> report.remark(contestant.label() + ": " + contestant.description() + "."));
    report.remark(
        "Infinispan's endpoint for REST is that of an earlier version: Maven Central had no library"
            + " infinispan-server-rest of the other one.");
    report.remark(
        "Infinispan's endpoint for memcached is not measured: Maven Central had no library"
            + " infinispan-server-memcached of this version.");
    report.remark(
        "One server at a time, in turns; in each round a new process, loaded for a while before"
            + " each figure. Clients and server share the processors, over the loopback address.");
    report.remark(
        "Processor time is user and kernel time of the whole server process (utime and stime of"
            + " Linux, to 0.01 s): garbage collection, compilation and the kernel's share of the"
            + " network included.");
    report.remark(
        "Infinispan's client and spymemcached are their own releases, run on this project's Netty"
            + " and without marshalling; basic intelligence, no retries.");
  }

  private static void tables(Report report, Map<Row, Figures> figures) {
    List<String> header = List.of("client", "request", "server");
    Table cost = new Table("Processor time of the server for a request, µs", 3, with(header, "µs"));
    Table rate = new Table("Requests per second", 3, with(header, "1/s"));
    figures.forEach((row, found) -> {
      List<String> names = List.of(row.client().label(), row.operation().label(), row.server());
      cost.add(joined(names, found.cost().cells()));
      rate.add(joined(names, found.rate().cells()));
    });
    report.add(cost);
    report.add(rate);
  }

  private static List<String> with(List<String> header, String unit) {
    return joined(header, List.of(unit, "min", "max"));
  }

  private static List<String> joined(List<String> first, List<String> second) {
    List<String> joined = new ArrayList<>(first);
    joined.addAll(second);
    return joined;
  }
}
