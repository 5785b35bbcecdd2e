package dev.isogrid.bench.cluster;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The measurements and their tables. Not thread-safe. */
final class ClusterFigures {
  /** A node is killed. */
  static final String KILL = "kill -9";

  /** A node is paused. */
  static final String PAUSE = "pause";

  private final Map<LoadRow, Load> loads = new LinkedHashMap<>();
  private final Map<GapRow, Samples> gaps = new LinkedHashMap<>();
  private final Map<GapRow, Samples> failures = new LinkedHashMap<>();
  private final Map<ClusterLibrary, Join> joins = new LinkedHashMap<>();

  private record LoadRow(MapOperation operation, int threads, ClusterLibrary library) {}

  private record GapRow(String failure, ClusterLibrary library) {}

  /**
   * Figures of operations.
   *
   * @param rate operations per second
   * @param middle the median of their time, in microseconds
   * @param rare the 99 % quantile of their time, in microseconds
   * @param cost processor time of all nodes per operation, in microseconds
   * @param waits voluntary switches of threads of all nodes per operation
   * @param preemptions involuntary ones
   * @param allocated bytes allocated on all nodes per operation
   * @param messages messages between nodes per operation
   * @param bytes bytes of messages between nodes per operation
   * @param lockWaits waits for the lock of a node per 1,000 operations
   */
  record Load(
      Samples rate,
      Samples middle,
      Samples rare,
      Samples cost,
      Samples waits,
      Samples preemptions,
      Samples allocated,
      Samples messages,
      Samples bytes,
      Samples lockWaits) {
    private Load() {
      this(
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples(),
          new Samples());
    }

    /** Adds what all nodes used for so many operations. */
    void add(ClusterUse use, long operations) {
      double count = operations;
      cost.add(use.processorSeconds() * 1e6 / count);
      waits.add(use.voluntary() / count);
      preemptions.add(use.involuntary() / count);
      allocated.add(use.counts().allocated() / count);
      messages.add(use.counts().messages() / count);
      bytes.add(use.counts().bytes() / count);
      lockWaits.add(use.counts().lockWaits() * 1e3 / count);
    }
  }

  /**
   * Figures of a node that joins.
   *
   * @param seconds until the cluster is complete
   * @param speed bytes of values that it receives, in MB per second, from its first entry to its
   *     last
   * @param segments that it keeps at the end
   * @param cost processor seconds of all nodes per GB of values
   */
  record Join(Samples seconds, Samples speed, Samples segments, Samples cost) {
    private Join() {
      this(new Samples(), new Samples(), new Samples(), new Samples());
    }
  }

  Load load(MapOperation operation, int threads, ClusterLibrary library) {
    return loads.computeIfAbsent(new LoadRow(operation, threads, library), _ -> new Load());
  }

  Samples gap(String failure, ClusterLibrary library) {
    return gaps.computeIfAbsent(new GapRow(failure, library), _ -> new Samples());
  }

  Samples failures(String failure, ClusterLibrary library) {
    return failures.computeIfAbsent(new GapRow(failure, library), _ -> new Samples());
  }

  Join join(ClusterLibrary library) {
    return joins.computeIfAbsent(library, _ -> new Join());
  }

  /**
   * The report with all tables.
   *
   * @param busy what there is to say of other work on the machine, or null
   */
  Report report(@Nullable String busy) {
    Report report = new Report();
    if (busy != null) {
      report.remark(busy);
    }
    report.remark(
        "Three nodes, each in a JVM of its own whose heap was touched at its start, over the"
            + " loopback address of one machine; a distributed cache, synchronous, two owners, as"
            + " it is when nothing else is configured. One library at a time, in turns; in each"
            + " round new processes.");
    report.remark(
        "Operations are those of `ConcurrentMap`, from one node, keys evenly spread; a put returns"
            + " the value before unless the row says otherwise. Processor time is that of all three"
            + " processes, user and kernel.");
    report.remark(
        "Waits and preemptions are voluntary and involuntary context switches of threads, memory is"
            + " what is allocated on heaps. Messages of Isogrid are its own without JGroups'"
            + " packets, those of Infinispan are all of JGroups. Lock waits are those for the one"
            + " lock of a node, which only Isogrid has and counts.");
    report.remark(
        "Gap: the longest time in which no write to one of 16 keys succeeded while a node failed"
            + " that owns some of them, written from another node every 2 ms.");
    report.remark(
        "`messages alone` passes the messages of the operations between three nodes over"
            + " connections of Netty, and does nothing else: what Isogrid's protocol costs at"
            + " least.");
    report.remark("Infinispan uses its TCP stack, with a list of seeds in the place of multicast.");
    report.add(rates());
    report.add(latencies());
    report.add(costs());
    report.add(uses());
    report.add(gaps());
    report.add(joins());
    return report;
  }

  private Table rates() {
    Table table = loadTable("Operations a second", "1/s");
    loads.forEach((row, load) -> table.add(cells(row, load.rate, ratio(row, load.rate, false))));
    return table;
  }

  private Table costs() {
    Table table = loadTable("Processor time of all nodes for an operation, µs", "µs");
    loads.forEach((row, load) -> table.add(cells(row, load.cost, ratio(row, load.cost, true))));
    return table;
  }

  private static Table loadTable(String heading, String unit) {
    return new Table(
        heading,
        3,
        List.of("operation", "threads", "library", unit, "min", "max", "times Infinispan's"));
  }

  private static List<String> cells(LoadRow row, Samples samples, String ratio) {
    List<String> cells = new ArrayList<>(names(row));
    cells.addAll(samples.cells());
    cells.add(ratio);
    return cells;
  }

  private static List<String> names(LoadRow row) {
    return List.of(row.operation.label(), String.valueOf(row.threads), row.library.label());
  }

  private String ratio(LoadRow row, Samples own, boolean ofCost) {
    Load peer = loads.get(new LoadRow(row.operation, row.threads, ClusterLibrary.INFINISPAN));
    return peer == null
        ? "-"
        : Samples.text(own.median() / (ofCost ? peer.cost : peer.rate).median());
  }

  private Table latencies() {
    Table table =
        new Table(
            "Time of an operation, µs; medians of the rounds",
            3,
            List.of("operation", "threads", "library", "p50", "p99"));
    loads.forEach((row, load) -> {
      List<String> cells = new ArrayList<>(names(row));
      cells.add(Samples.text(load.middle.median()));
      cells.add(Samples.text(load.rare.median()));
      table.add(cells);
    });
    return table;
  }

  private Table uses() {
    Table table =
        new Table(
            "What all nodes do for an operation; medians of the rounds",
            3,
            List.of(
                "operation",
                "threads",
                "library",
                "waits",
                "preemptions",
                "memory, B",
                "messages",
                "bytes sent",
                "lock waits per 1,000"));
    loads.forEach((row, load) -> {
      List<String> cells = new ArrayList<>(names(row));
      cells.add(Samples.text(load.waits.median()));
      cells.add(Samples.text(load.preemptions.median()));
      cells.add(Samples.text(load.allocated.median()));
      cells.add(Samples.text(load.messages.median()));
      cells.add(Samples.text(load.bytes.median()));
      boolean isCounted = row.library == ClusterLibrary.ISOGRID;
      cells.add(isCounted ? Samples.text(load.lockWaits.median()) : "-");
      table.add(cells);
    });
    return table;
  }

  private Table gaps() {
    Table table =
        new Table(
            "Longest time without a successful write to a key, ms",
            2,
            List.of("failure", "library", "ms", "min", "max", "failed writes"));
    gaps.forEach((row, samples) -> {
      List<String> cells = new ArrayList<>(List.of(row.failure, row.library.label()));
      cells.addAll(samples.cells());
      cells.add(Samples.text(failures(row.failure, row.library).median()));
      table.add(cells);
    });
    return table;
  }

  private Table joins() {
    Table table =
        new Table(
            "A fourth node joins an idle cluster",
            1,
            List.of(
                "library",
                "MB/s",
                "min",
                "max",
                "seconds until complete",
                "segments it gets",
                "processor s/GB"));
    joins.forEach((library, join) -> {
      List<String> cells = new ArrayList<>(List.of(library.label()));
      cells.addAll(join.speed.cells());
      cells.add(Samples.text(join.seconds.median()));
      cells.add(Samples.text(join.segments.median()));
      cells.add(Samples.text(join.cost.median()));
      table.add(cells);
    });
    return table;
  }
}
