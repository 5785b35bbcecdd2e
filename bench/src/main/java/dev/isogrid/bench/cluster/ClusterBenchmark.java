package dev.isogrid.bench.cluster;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.QuietMachine;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Clusters of three embedded nodes, each in a process of its own, on the loopback address: {@code
 * ./isogrid bench cluster}. One library after the other, in turns.
 */
public final class ClusterBenchmark implements Benchmark {
  /** The number of nodes, without the one that joins. */
  static final int NODES = 3;

  private static final int VICTIM = NODES - 1;
  private static final int WATCHED_KEYS = 16;
  private static final int MILLIS_MAX = 600_000;

  /** Three processes and their cluster, more or less. */
  private static final int START_SECONDS = 12;

  /** The speed of filling and copying, for estimates. */
  private static final int MEGABYTES_PER_SECOND = 20;

  private static final String THREADS = "--threads";
  private static final String PARTS = "--parts";
  private static final String LOAD = "load";
  private static final String GAPS = "gaps";
  private static final String JOIN = "join";

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String summary() {
    return "operations per second in a cluster of three, gaps after failures, speed of rebalancing";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds",
            Option.Kind.COUNT,
            "5",
            "1",
            "Rounds; in each, every library's cluster starts anew."),
        new Option(
            "--warmup-millis",
            Option.Kind.MILLIS,
            "8000",
            "3000",
            "Load before each figure, not counted."),
        new Option("--millis", Option.Kind.MILLIS, "5000", "2000", "Load of each figure."),
        Option.of(
            "--libraries",
            Option.Kind.WORDS,
            "isogrid,infinispan,floor",
            "The libraries; floor is the load's messages alone, without entries."),
        Option.of(
            "--operations",
            Option.Kind.WORDS,
            "get,put,set",
            "The operations; set gets no value before."),
        Option.of("--parts", Option.Kind.WORDS, "load,gaps,join", "The parts of the benchmark."),
        new Option(
            "--when-busy",
            Option.Kind.WORD,
            "refuse",
            "mark",
            "With other work on the machine: refuse, or mark the report."),
        Option.of(
            "--threads",
            Option.Kind.COUNTS,
            "1,8",
            "Threads of the node that operations come from."),
        Option.of("--keys", Option.Kind.COUNT, "10000", "Entries."),
        Option.of("--value-size", Option.Kind.BYTES, "1000", "Bytes of a value."),
        Option.of("--heap", Option.Kind.HEAP, "768m", "Heap of a node under load."),
        new Option(
            "--megabytes",
            Option.Kind.MEGABYTES,
            "1000",
            "100",
            "Values that are there when a node joins; 1 kB."),
        Option.of("--joining-heap", Option.Kind.HEAP, "2g", "Heap of a node in that case."),
        new Option(
            "--watch-millis",
            Option.Kind.MILLIS,
            "20000",
            "15000",
            "How long writes are watched at a failure."),
        Option.of("--pause-millis", Option.Kind.MILLIS, "5000", "How long a node is paused."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<ClusterLibrary> order = new ArrayList<>();
    arguments
        .words("--libraries")
        .forEach(word -> order.add(ClusterLibrary.of(word, ClusterLibrary.WITH_FLOOR)));
    String busy = QuietMachine.check(arguments.text("--when-busy"));
    ClusterFigures figures = new ClusterFigures();
    int rounds = arguments.number("--rounds", 1000);
    System.err.printf(
        "about %,d minutes%n", 1 + rounds * order.size() * secondsOfRound(arguments) / 60);
    for (int round = 1; round <= rounds; round++) {
      for (ClusterLibrary library : order) {
        System.err.printf("round %d of %d, %s%n", round, rounds, library.label());
        new Round(arguments, checkout, library, figures).run();
      }
      Collections.rotate(order, 1);
    }
    return figures.report(busy);
  }

  /** About how long a round of one library takes, starts of processes included. */
  private static int secondsOfRound(Arguments arguments) {
    int seconds = 0;
    if (arguments.words(PARTS).contains(LOAD)) {
      int figures = arguments.words(THREADS).size() * operations(arguments).size();
      int millis =
          arguments.number("--warmup-millis", MILLIS_MAX)
              + arguments.number("--millis", MILLIS_MAX);
      seconds += START_SECONDS + figures * millis / 1000;
    }
    if (arguments.words(PARTS).contains(GAPS)) {
      int millis = arguments.number("--watch-millis", MILLIS_MAX);
      seconds += 2 * (START_SECONDS + millis * 5 / 4 / 1000);
    }
    if (arguments.words(PARTS).contains(JOIN)) {
      int megabytes = arguments.number("--megabytes", 1_000_000);
      seconds += START_SECONDS + megabytes / MEGABYTES_PER_SECOND;
    }
    return seconds;
  }

  private static List<MapOperation> operations(Arguments arguments) {
    List<MapOperation> operations = new ArrayList<>();
    for (String word : arguments.words("--operations")) {
      try {
        operations.add(MapOperation.valueOf(word.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException unknown) {
        throw new InvalidRequestException(
            "no such operation: %s; there are get, put and set".formatted(word), unknown);
      }
    }
    return operations;
  }

  /** One library in one round. */
  private record Round(
      Arguments arguments, Checkout checkout, ClusterLibrary library, ClusterFigures figures) {
    void run() throws IOException, InterruptedException {
      List<String> parts = arguments.words(PARTS);
      if (parts.contains(LOAD)) {
        underLoad();
      }
      if (library == ClusterLibrary.FLOOR) {
        return; // it survives nothing, and has no entries
      }
      if (parts.contains(GAPS)) {
        gap(ClusterFigures.KILL);
        gap(ClusterFigures.PAUSE);
      }
      if (parts.contains(JOIN)) {
        join();
      }
    }

    private List<MemberChild> start(String heap, int nodes)
        throws IOException, InterruptedException {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() <= NODES) {
        ports.add(Ports.free());
      }
      MemberChild.Plan plan = new MemberChild.Plan(library, CacheKind.DISTRIBUTED, heap, ports);
      List<MemberChild> members = new ArrayList<>();
      try {
        for (int i = 0; i < nodes; i++) {
          members.add(MemberChild.start(checkout, plan, i));
        }
        for (int i = 0; i < NODES; i++) {
          members.get(i).ask(MemberProcess.OPEN, i + 1);
        }
        for (int i = 0; i < NODES; i++) {
          members.get(i).ask(MemberProcess.COMPLETE, NODES);
        }
        return members;
      } catch (IOException | InterruptedException | RuntimeException failure) {
        members.forEach(MemberChild::close);
        throw failure;
      }
    }

    private void underLoad() throws IOException, InterruptedException {
      int keys = arguments.number("--keys", 10_000_000);
      int size = arguments.number("--value-size", 10_000_000);
      List<MemberChild> members = start(arguments.text("--heap"), NODES);
      try {
        members.getFirst().ask(MemberProcess.FILL, keys, size);
        for (int threads : arguments.numbers(THREADS, 1000)) {
          for (MapOperation operation : operations(arguments)) {
            int warmUp = arguments.number("--warmup-millis", MILLIS_MAX);
            int millis = arguments.number("--millis", MILLIS_MAX);
            MemberChild first = members.getFirst();
            first.ask(MemberProcess.RUN, operation, threads, warmUp, keys, size);
            ClusterUse before = ClusterUse.of(members);
            long startNanos = RealTime.nanos();
            long[] found = first.ask(MemberProcess.RUN, operation, threads, millis, keys, size);
            double seconds = RealTime.secondsSince(startNanos);
            ClusterUse use = ClusterUse.of(members).since(before);
            ClusterFigures.Load load = figures.load(operation, threads, library);
            load.rate().add(found[0] / seconds);
            load.middle().add(found[1] / 1e3);
            load.rare().add(found[2] / 1e3);
            load.add(use, found[0]);
            System.err.printf(
                "  %s, %d threads: %,.0f/s, %.1f us, %.1f waits, %.1f preemptions, %.0f B%n",
                operation.label(),
                threads,
                found[0] / seconds,
                use.processorSeconds() * 1e6 / found[0],
                (double) use.voluntary() / found[0],
                (double) use.involuntary() / found[0],
                (double) use.counts().allocated() / found[0]);
          }
        }
      } finally {
        members.forEach(MemberChild::close);
      }
    }

    private static double processorSeconds(List<MemberChild> members) throws IOException {
      double sum = 0;
      for (MemberChild member : members) {
        sum += member.processorSeconds();
      }
      return sum;
    }

    private void gap(String failure) throws IOException, InterruptedException {
      int millis = arguments.number("--watch-millis", MILLIS_MAX);
      List<MemberChild> members = start(arguments.text("--heap"), NODES);
      try {
        MemberChild first = members.getFirst();
        MemberChild victim = members.get(VICTIM);
        first.ask(MemberProcess.WATCH, WATCHED_KEYS, millis / 4);
        first.tell(MemberProcess.WATCH, WATCHED_KEYS, millis);
        RealTime.pause(millis / 8);
        if (failure.equals(ClusterFigures.KILL)) {
          victim.signal("KILL");
        } else {
          victim.signal("STOP");
          RealTime.pause(arguments.number("--pause-millis", MILLIS_MAX));
          victim.signal("CONT");
        }
        long[] found = first.answer();
        figures.gap(failure, library).add(found[0] / 1e6);
        figures.failures(failure, library).add((double) found[1]);
        System.err.printf("  gap after %s: %,.0f ms%n", failure, found[0] / 1e6);
      } finally {
        members.forEach(MemberChild::close);
      }
    }

    private void join() throws IOException, InterruptedException {
      int entries = arguments.number("--megabytes", 1_000_000) * 1000;
      List<MemberChild> members = start(arguments.text("--joining-heap"), NODES + 1);
      try {
        members.getFirst().ask(MemberProcess.FILL, entries, 1000);
        long startNanos = RealTime.nanos();
        double processor = processorSeconds(members);
        long[] found = members.get(NODES).ask(MemberProcess.OPEN, NODES + 1);
        double seconds = RealTime.secondsSince(startNanos);
        double megabytes = entries * 1e3 / 1e6 * found[1] / found[2];
        ClusterFigures.Join join = figures.join(library);
        join.seconds().add(seconds);
        join.speed().add(megabytes / (found[0] / 1e9));
        join.segments().add((double) found[1]);
        join.cost().add((processorSeconds(members) - processor) / (megabytes / 1e3));
        System.err.printf("  joined in %.1f s, segments: %d of %d%n", seconds, found[1], found[2]);
      } finally {
        members.forEach(MemberChild::close);
      }
    }
  }
}
