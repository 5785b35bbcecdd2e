package dev.isogrid.bench.client;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import dev.isogrid.bench.server.Contestant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The speed of Hot Rod clients for Java and its cost in processor time: {@code ./isogrid bench
 * client}. Each client and each server is a process of its own.
 */
public final class ClientBenchmark implements Benchmark {
  private static final int MILLIS_MAX = 600_000;
  private static final int PROCESSES = 3;

  /** The longest watch of a client after a stalled server continued. */
  private static final double RECOVERY_SECONDS_MAX = 60;

  /** The length of the loads that detect when a client has recovered. */
  private static final int PROBE_MILLIS = 50;

  private static final String STALL = "stall";

  @Override
  public String name() {
    return "client";
  }

  @Override
  public String summary() {
    return "operations per second of Hot Rod clients for Java, ours and others, and their costs";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds",
            Option.Kind.COUNT,
            "5",
            "1",
            "Rounds; in each, every client is started once."),
        new Option(
            "--warmup-millis",
            Option.Kind.MILLIS,
            "4000",
            "500",
            "Load before each figure, not counted."),
        new Option("--millis", Option.Kind.MILLIS, "4000", "500", "Load of each figure."),
        new Option(
            "--stall-millis",
            Option.Kind.MILLIS,
            "4000",
            "1000",
            "Load while a server is stopped."),
        Option.of("--servers", Option.Kind.WORDS, "isogrid,infinispan", "The servers."),
        Option.of(
            "--clients", Option.Kind.WORDS, "isogrid,infinispan-16,infinispan-15", "The clients."),
        Option.of(
            "--cases",
            Option.Kind.WORDS,
            "single,threads,async,one-to-three,many-to-three,three-to-three,stall",
            "The loads; stall on servers of ours only."),
        Option.of("--keys", Option.Kind.COUNT, "10000", "Entries."),
        Option.of("--value-size", Option.Kind.BYTES, "1000", "Bytes of a value."),
        Option.of(
            "--threads", Option.Kind.COUNT, "22", "Threads of a client, where there are many."),
        Option.of(
            "--outstanding",
            Option.Kind.COUNT,
            "64",
            "Operations on their way, where nobody waits for them."),
        Option.of("--heap", Option.Kind.HEAP, "512m", "Heap of each process."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<ServerSet.Product> products =
        chosen(arguments, "--servers", ServerSet.Product.values(), ServerSet.Product::id);
    List<ClientLibrary> libraries =
        chosen(arguments, "--clients", ClientLibrary.values(), ClientLibrary::id);
    List<ClientCase> cases = cases(arguments);
    if (products.contains(ServerSet.Product.ISOGRID)) {
      Launcher.buildServer(checkout);
    }
    ClientTables tables = new ClientTables();
    List<ClientLibrary> order = new ArrayList<>(libraries);
    int rounds = arguments.number("--rounds", 1000);
    for (int round = 1; round <= rounds; round++) {
      System.err.printf("round %d of %d%n", round, rounds);
      Run run = new Run(arguments, checkout, order, tables);
      for (ServerSet.Product product : products) {
        for (int servers : List.of(1, PROCESSES)) {
          List<ClientCase> loads =
              cases.stream().filter(load -> load.servers() == servers).toList();
          run.all(product, servers, loads);
        }
      }
      if (arguments.words("--cases").contains(STALL)
          && products.contains(ServerSet.Product.ISOGRID)) {
        run.stall();
      }
      Collections.rotate(order, 1);
    }
    Report report = new Report();
    tables.addTo(report);
    return report;
  }

  private static <E> List<E> chosen(
      Arguments arguments, String option, E[] all, Function<E, String> id) {
    List<E> chosen = new ArrayList<>();
    for (String word : arguments.words(option)) {
      chosen.add(
          Arrays.stream(all)
              .filter(one -> id.apply(one).equals(word))
              .findFirst()
              .orElseThrow(() ->
                  new InvalidRequestException(
                      "%s %s is not allowed; there are %s"
                          .formatted(option, word, Arrays.stream(all).map(id).toList()))));
    }
    return chosen;
  }

  private static List<ClientCase> cases(Arguments arguments) {
    int threads = arguments.number("--threads", 1000);
    int outstanding = arguments.number("--outstanding", 4096);
    List<ClientCase> cases = new ArrayList<>();
    for (String word : arguments.words("--cases")) {
      switch (word) {
        case "single" -> {
          for (Work work : Work.values()) {
            cases.add(new ClientCase(1, 1, work, 1, 0));
          }
        }
        case "threads" -> cases.add(new ClientCase(1, 1, Work.MIX, threads, 0));
        case "async" -> {
          for (Work work : Work.values()) {
            cases.add(new ClientCase(1, 1, work, 0, outstanding));
          }
        }
        case "one-to-three" -> cases.add(new ClientCase(1, PROCESSES, Work.MIX, 1, 0));
        case "many-to-three" -> {
          for (Work work : List.of(Work.GET, Work.PUT)) {
            cases.add(new ClientCase(1, PROCESSES, work, threads, 0));
          }
        }
        case "three-to-three" ->
            cases.add(new ClientCase(PROCESSES, PROCESSES, Work.MIX, threads, 0));
        case STALL -> {}
        default ->
            throw new InvalidRequestException(
                ("--cases %s is not allowed; there are single, threads, async, one-to-three,"
                        + " many-to-three, three-to-three, stall")
                    .formatted(word));
      }
    }
    return cases;
  }

  /** One round. */
  private record Run(
      Arguments arguments, Checkout checkout, List<ClientLibrary> libraries, ClientTables tables) {
    Run {
      libraries = List.copyOf(libraries);
    }

    private ClientChild.Plan plan() {
      return new ClientChild.Plan(
          arguments.text("--heap"),
          Contestant.CACHE,
          arguments.number("--keys", 1_000_000),
          arguments.number("--value-size", 1_000_000));
    }

    private ServerSet servers(ServerSet.Product product, int count)
        throws IOException, InterruptedException {
      return ServerSet.start(checkout, product, count, arguments.text("--heap"));
    }

    private ClientChild client(ClientLibrary library, ServerSet servers)
        throws IOException, InterruptedException {
      return ClientChild.start(checkout, plan(), library, servers.ports());
    }

    /** Measures all clients on the same servers, one kind after the other. */
    void all(ServerSet.Product product, int count, List<ClientCase> loads)
        throws IOException, InterruptedException {
      if (loads.isEmpty()) {
        return;
      }
      try (ServerSet servers = servers(product, count)) {
        for (ClientLibrary library : libraries) {
          List<ClientChild> children = new ArrayList<>();
          try {
            for (ClientCase load : loads) {
              while (children.size() < load.clients()) {
                children.add(client(library, servers));
              }
              List<ClientChild> busy = children.subList(0, load.clients());
              warmUp(load, busy);
              double before = servers.processorSeconds();
              ClientFigures figures =
                  together(load, busy, arguments.number("--millis", MILLIS_MAX));
              tables.add(product, load, library, figures, servers.processorSeconds() - before);
              System.err.printf("  %-12s %-34s %s%n", product.id(), library.label(), load.label());
            }
          } finally {
            children.forEach(ClientChild::close);
          }
        }
      }
    }

    private void warmUp(ClientCase load, List<ClientChild> children) throws IOException {
      children.getFirst().fill();
      together(load, children, arguments.number("--warmup-millis", MILLIS_MAX));
      children.getFirst().fill();
    }

    private static ClientFigures together(ClientCase load, List<ClientChild> children, int millis)
        throws IOException {
      for (ClientChild child : children) {
        child.begin(load, millis);
      }
      List<ClientFigures> figures = new ArrayList<>();
      for (ClientChild child : children) {
        figures.add(child.end());
      }
      return ClientFigures.sum(figures);
    }

    /** Stops one of three servers while a client works, continues it, and waits for the client. */
    void stall() throws IOException, InterruptedException {
      ClientCase load =
          new ClientCase(1, PROCESSES, Work.MIX, arguments.number("--threads", 1000), 0);
      for (ClientLibrary library : libraries) {
        try (ServerSet servers = servers(ServerSet.Product.ISOGRID, PROCESSES);
            ClientChild child = client(library, servers)) {
          child.fill();
          together(load, List.of(child), arguments.number("--warmup-millis", MILLIS_MAX));
          ClientFigures before =
              together(load, List.of(child), arguments.number("--millis", MILLIS_MAX));
          servers.signal(1, "STOP");
          int stallMillis = arguments.number("--stall-millis", MILLIS_MAX);
          child.begin(load, stallMillis);
          RealTime.pause(stallMillis);
          servers.signal(1, "CONT");
          long continuedNanos = RealTime.nanos();
          ClientFigures during = child.end();
          double seconds = recoverySeconds(child, load, before.rate() / 2, continuedNanos);
          tables.addStall(library, before, during, seconds);
          System.err.printf("  a stalled server, %s%n", library.label());
        }
      }
    }

    /** The time until no operation fails and the speed is high enough. */
    private static double recoverySeconds(
        ClientChild child, ClientCase load, double rate, long startNanos) throws IOException {
      while (true) {
        double seconds = RealTime.secondsSince(startNanos);
        ClientFigures probe = together(load, List.of(child), PROBE_MILLIS);
        if (probe.failed() == 0 && probe.rate() >= rate) {
          return seconds;
        }
        if (seconds > RECOVERY_SECONDS_MAX) {
          return Double.NaN;
        }
      }
    }
  }
}
