package dev.isogrid.bench.memory;

import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import dev.isogrid.bench.server.Contestant;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The memory per entry in libraries and servers, ours and others: {@code ./isogrid bench memory}. A
 * process starts, comes to rest, is loaded, and comes to rest again. The difference is the entries'
 * memory.
 */
public final class MemoryBenchmark implements Benchmark {
  /** More rounds would take days. */
  private static final int ROUNDS_MAX = 100;

  private static final System.Logger log = System.getLogger(MemoryBenchmark.class.getName());

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String summary() {
    return "memory of an entry besides its key and value, ours and others, by process and by count";
  }

  @Override
  public List<Option> options() {
    String sets = Arrays.stream(DataSet.values()).map(DataSet::id).collect(Collectors.joining(","));
    String rows = Arrays.stream(Row.values()).map(Row::id).collect(Collectors.joining(", "));
    return List.of(
        Option.of("--rows", Option.Kind.WORDS, "all", "Some of " + rows + "."),
        new Option("--sets", Option.Kind.WORDS, sets, "1kB,1M", "The sets of entries to load."),
        new Option(
            "--rounds",
            Option.Kind.COUNT,
            "4",
            "2",
            "Rounds, each in a new process; the first is dropped."),
        Option.of("--heap", Option.Kind.HEAP, "8g", "The most heap of a JVM."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    Report report = new Report();
    Processes processes = new Processes(checkout, arguments.text("--heap"));
    List<DataSet> sets = arguments.words("--sets").stream().map(DataSet::of).toList();
    List<Row> rows = installed(rows(arguments), processes, report);
    if (rows.stream().anyMatch(row -> row.isOwn() && row.protocol() != null)) {
      Launcher.buildServer(checkout);
    }
    MemoryTables tables = new MemoryTables();
    for (Round round : plan(sets, rows, arguments.number("--rounds", ROUNDS_MAX))) {
      try {
        measure(processes, round, tables);
      } catch (IOException | IllegalStateException failure) {
        // The other rows still have figures; the report names the missing ones.
        report.remark(
            "Failed, see the log: %s, set %s, round %d."
                .formatted(round.row().label(), round.set().id(), round.number()));
        log.log(Level.WARNING, "a round failed", failure);
      }
    }
    remarks(report, arguments);
    tables.addTo(report);
    return report;
  }

  private static List<Round> plan(List<DataSet> sets, List<Row> rows, int rounds) {
    List<Round> plan = new ArrayList<>();
    for (DataSet set : sets) {
      for (int number = 1; number <= rounds; number++) {
        for (Row row : rows) {
          plan.add(new Round(set, row, number, number > 1 || rounds == 1));
        }
      }
    }
    return plan;
  }

  private static List<Row> rows(Arguments arguments) {
    return arguments.text("--rows").equals("all")
        ? List.of(Row.values())
        : arguments.words("--rows").stream().map(Row::of).toList();
  }

  /**
   * The rows that can be measured on this machine. The report names the others, and the servers'
   * commands.
   */
  private static List<Row> installed(List<Row> rows, Processes processes, Report report)
      throws IOException {
    List<Row> installed = new ArrayList<>();
    for (Row row : rows) {
      Optional<Contestant> server = processes.server(row);
      if (row.protocol() != null && server.isEmpty()) {
        report.remark("Skipped, since it is not installed: " + row.label() + ".");
        continue;
      }
      server.ifPresent(found -> report.remark(row.label() + ": " + found.description() + "."));
      installed.add(row);
    }
    return installed;
  }

  private static void measure(Processes processes, Round round, MemoryTables tables)
      throws IOException, InterruptedException {
    long startNanos = RealTime.nanos();
    try (MeasuredProcess process = processes.start(round.row(), round.set())) {
      Reading before = Settling.read(process);
      process.load(round.set());
      Reading after = Settling.read(process);
      tables.add(round, before, after);
      Growth growth = Growth.of(round.set(), before, after);
      System.err.printf(
          "%-4s round %d  %-45s overhead %s B, heap %s B, resident %s B an entry (%.0f s)%n",
          round.set().id(),
          round.number(),
          round.row().label(),
          Samples.text(growth.process() - round.set().entrySize()),
          Samples.text(growth.heap()),
          Samples.text(growth.resident()),
          RealTime.secondsSince(startNanos));
    }
  }

  private static void remarks(Report report, Arguments arguments) {
    report.remark(
        "One process for each row and round: it starts, garbage is collected until that changes"
            + " the used heap by less than 100 kB, it is loaded, garbage is collected likewise."
            + " The figures are the differences, divided by the number of entries: their mean over"
            + " the rounds, of which the first is dropped; min and max are those of the overhead.");
    report.remark(
        "overhead: by the memory of the process, less key and value. The memory is the"
            + " proportional set (Pss of smaps_rollup), but of a JVM's heap only the bytes in use:"
            + " the resident part of the heap's addresses (smaps) is taken off and the used heap"
            + " added. It includes memory that the process took for other reasons, such as"
            + " compiled code: a few MB, so with 100 MB of data the figure is rough.");
    report.remark(
        "by heap: the used heap less key and value, where the entries are on the heap: the"
            + " published procedure. heap, resident (Rss), proportional (Pss): their growth, with"
            + " nothing taken off; the latter two include free heap that the JVM keeps.");
    report.remark(
        "own count: the count of the cache or server itself:"
            + " Isogrid's `memoryUse().allocatedBytes()`"
            + " (for HEAP_OBJECT without keys and values; of servers, by REST), Hazelcast's"
            + " `getOwnedEntryMemoryCost()`, `bytes` of memcached's stats, `used_memory` of Redis."
            + " reserved: `Grid.offHeapUse().reservedBytes()`.");
    report.remark(
        "Libraries run with the JVM's default options, -Xmx%s and %s. Keys are `String` and values"
                .formatted(arguments.text("--heap"), String.join(" ", LibraryChild.JVM_OPTIONS))
            + " `byte[]`, new for each entry; `byte[]` both for HEAP_BINARY, OFF_HEAP and"
            + " Infinispan off-heap (application/octet-stream). Caffeine's bound is the number of"
            + " entries, Isogrid's twice that, so that none is removed; its lifespan is an hour.");
  }
}
