package dev.isogrid.bench.persistence;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.HotRodWire;
import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.process.Ports;
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
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Puts to caches with stores, beside a cache in memory, other servers and the disk's forces per
 * second; what they write to the disk; and starts with many entries: {@code ./isogrid bench
 * persistence}.
 */
public final class PersistenceBenchmark implements Benchmark {
  private static final String MEMORY = "memory";
  private static final String NONE = "none";
  private static final String EACH = "each";
  private static final List<String> CACHES = List.of(MEMORY, NONE, "interval", EACH);

  /** The cache of the server that starts again. */
  private static final String RESTARTED = "restarted";

  private static final long READY_SECONDS_MAX = 600;
  private static final int MILLIS_MAX = 600_000;

  /** The bytes of a record besides key and value, approximately. */
  private static final int RECORD_OVERHEAD_BYTES = 50;

  @Override
  public String name() {
    return "persistence";
  }

  @Override
  public String summary() {
    return "puts per second of caches with stores, and the start of a server with a full one";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--rounds", Option.Kind.COUNT, "5", "2", "Figures of each cache, which take turns."),
        new Option(
            "--warmup-millis",
            Option.Kind.MILLIS,
            "4000",
            "1000",
            "Load before the figures, for each cache."),
        new Option("--millis", Option.Kind.MILLIS, "4000", "1000", "Load of each figure."),
        Option.of("--keys", Option.Kind.COUNT, "100000", "Entries that are overwritten."),
        Option.of("--value-size", Option.Kind.BYTES, "100", "Bytes of a value."),
        Option.of("--connections", Option.Kind.COUNT, "2", "Connections."),
        Option.of("--depth", Option.Kind.COUNT, "32", "Puts that a connection sends at once."),
        new Option(
            "--restart-entries",
            Option.Kind.COUNT,
            "1000000",
            "100000",
            "Entries of the server that starts."),
        Option.of("--heap", Option.Kind.HEAP, "512m", "Heap of a server."),
        Option.of(
            "--peers",
            Option.Kind.WORDS,
            "redis,infinispan",
            "Other servers with a store, or none."),
        Option.of(
            "--folder",
            Option.Kind.FOLDER,
            "bench/target/persistence",
            "The folder on the disk to measure."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    Launcher.buildServer(checkout);
    Path folder = checkout.root().resolve(arguments.text("--folder"));
    Report report = new Report();
    report.remark(
        "One server without a cluster has all of Isogrid's caches. All servers run at the same"
            + " time, one of them has work. Clients and server share the processors, over the"
            + " loopback address.");
    clear(folder);
    try {
      puts(report, arguments, checkout, folder);
      clear(folder);
      report.add(restart(report, arguments, checkout, folder));
    } finally {
      delete(folder);
    }
    return report;
  }

  private static void clear(Path folder) throws IOException {
    delete(folder);
    Files.createDirectories(folder);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path emptied, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(emptied);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void puts(Report report, Arguments arguments, Checkout checkout, Path folder)
      throws IOException, InterruptedException {
    PutLoad load = load(arguments, arguments.number("--keys", 100_000_000));
    int valueSize = load.entries().value().length;
    int recordBytes = Entries.KEY_SIZE + valueSize + RECORD_OVERHEAD_BYTES;
    Samples commits = new Samples();
    List<StoreSubject> subjects = new ArrayList<>();
    try (Running server = new Running(arguments, checkout, folder);
        StorePeers peers = new StorePeers(arguments, checkout, folder)) {
      CACHES.forEach(cache -> subjects.add(server.subject(cache)));
      for (StorePeers.Kind kind : StorePeers.kinds(arguments)) {
        StorePeers.Started peer = peers.start(kind, report);
        if (peer != null) {
          subjects.add(peer.subject());
        }
      }
      for (StoreSubject subject : subjects) {
        load.fill(subject);
        PutLoad.Done _ = load.run(subject, arguments.number("--warmup-millis", MILLIS_MAX));
      }
      List<StoreSubject> order = new ArrayList<>(subjects);
      int rounds = arguments.number("--rounds", 1000);
      int millis = arguments.number("--millis", MILLIS_MAX);
      for (int round = 1; round <= rounds; round++) {
        System.err.printf("round %d of %d%n", round, rounds);
        for (StoreSubject subject : order) {
          subject.measure(load, millis);
        }
        long end = RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        commits.add(
            GroupCommits.perSecond(folder, load.outstanding(), recordBytes, end)
                * load.outstanding());
        Collections.rotate(order, 1);
      }
      report.add(rates(subjects, commits, load.outstanding()));
      report.add(disk(subjects, Entries.KEY_SIZE + valueSize, load.entries().count()));
    }
  }

  private static PutLoad load(Arguments arguments, int count) {
    Entries entries = Entries.withKeysOfOneSize(count, arguments.number("--value-size", 1_000_000));
    return new PutLoad(
        entries, arguments.number("--connections", 1000), arguments.number("--depth", 10_000));
  }

  private static Table rates(List<StoreSubject> subjects, Samples commits, int group) {
    Table table =
        new Table(
            "Puts per second, %d outstanding".formatted(group),
            1,
            List.of("store", "1/s", "min", "max", "of memory only"));
    double memory = subjects.getFirst().rates().median();
    for (StoreSubject subject : subjects) {
      String part = Samples.text(subject.rates().median() / memory);
      table.add(cells(subject.name(), subject.rates(), part));
    }
    table.add(cells("bare group commits of %d records".formatted(group), commits, "-"));
    return table;
  }

  private static List<String> cells(String name, Samples samples, String last) {
    List<String> cells = new ArrayList<>(List.of(name));
    cells.addAll(samples.cells());
    cells.add(last);
    return cells;
  }

  /** The disk after the puts, on which the keys are uniform. */
  private static Table disk(List<StoreSubject> subjects, long entryBytes, long count)
      throws IOException {
    Table table =
        new Table(
            "Bytes on the disk, per byte of keys and values",
            1,
            List.of("store", "written per byte put", "files per byte kept"));
    for (StoreSubject subject : subjects) {
      table.add(subject.diskCells(entryBytes, count));
    }
    return table;
  }

  private static Table restart(Report report, Arguments arguments, Checkout checkout, Path folder)
      throws IOException, InterruptedException {
    PutLoad load = load(arguments, arguments.number("--restart-entries", 100_000_000));
    Table table =
        new Table(
            "Start until the server is ready, ms, with %,d entries"
                .formatted(load.entries().count()),
            1,
            List.of("store", "empty", "with the entries", "memory, MB", "memory with them, MB"));
    List<String> cells = new ArrayList<>(List.of("Isogrid"));
    double memory;
    try (Running server = new Running(arguments, checkout, folder)) {
      cells.add(Samples.text(server.millis));
      memory = new ProcessFacts(server.child.pid()).liveHeapMegabytes();
      load.fill(server.subject(RESTARTED));
    }
    try (Running server = new Running(arguments, checkout, folder)) {
      cells.add(Samples.text(server.millis));
      cells.add(Samples.text(memory));
      cells.add(Samples.text(new ProcessFacts(server.child.pid()).liveHeapMegabytes()));
    }
    table.add(cells);
    for (StorePeers.Kind kind : StorePeers.kinds(arguments)) {
      if (!kind.isForced()) {
        addRestart(table, kind, load, new StorePeers(arguments, checkout, folder), report);
      }
    }
    report.remark("Memory is the used heap of a JVM, and what Redis has in main memory.");
    return table;
  }

  private static void addRestart(
      Table table, StorePeers.Kind kind, PutLoad load, StorePeers peers, Report report)
      throws IOException, InterruptedException {
    List<String> cells = new ArrayList<>(List.of(kind.label));
    double memory;
    try (peers) {
      StorePeers.Started empty = peers.start(kind, report);
      if (empty == null) {
        return;
      }
      cells.add(Samples.text(empty.readyMillis()));
      memory = megabytes(kind, empty.pid());
      load.fill(empty.subject());
    }
    try (peers) {
      StorePeers.Started full = Objects.requireNonNull(peers.start(kind, report));
      cells.add(Samples.text(full.readyMillis()));
      cells.add(Samples.text(memory));
      cells.add(Samples.text(megabytes(kind, full.pid())));
    }
    table.add(cells);
  }

  private static double megabytes(StorePeers.Kind kind, long pid)
      throws IOException, InterruptedException {
    ProcessFacts facts = new ProcessFacts(pid);
    return kind.isJava() ? facts.liveHeapMegabytes() : facts.residentMegabytes();
  }

  /** A running server. */
  private static final class Running implements AutoCloseable {
    private final int port = Ports.free();
    private final Child child;
    private final Path folder;
    private final double millis;

    Running(Arguments arguments, Checkout checkout, Path folder)
        throws IOException, InterruptedException {
      this.folder = folder;
      ProcessBuilder builder =
          new ProcessBuilder(
              checkout.launcher(),
              "server",
              "--bind=127.0.0.1",
              "--port=" + port,
              "--memcached-port=0",
              "--no-cluster",
              "--config=" + configuration(folder),
              "--data=" + folder.resolve("data"));
      String heap = arguments.text("--heap");
      builder.environment().put("ISOGRID_JAVA_OPTS", "-Xms%s -Xmx%s".formatted(heap, heap));
      Path log = checkout.logs().resolve("persistence.log");
      child = Child.start("isogrid", builder, Launcher.READY_TEXT, log);
      try {
        millis = child.awaitReady(READY_SECONDS_MAX).afterNanos() / 1e6;
      } catch (IOException | InterruptedException | RuntimeException failure) {
        child.close();
        throw failure;
      }
    }

    private static Path configuration(Path folder) throws IOException {
      StringBuilder text = new StringBuilder("<infinispan><cache-container>");
      text.append("<distributed-cache name='%s'/>".formatted(MEMORY));
      for (String cache : CACHES.subList(1, CACHES.size())) {
        text.append(stored(cache, cache));
      }
      text.append(stored(RESTARTED, NONE)).append("</cache-container></infinispan>");
      return Files.writeString(folder.resolve("isogrid.xml"), text);
    }

    private static String stored(String cache, String fsync) {
      return ("<distributed-cache name='%s'><persistence><file-store fsync='%s'/></persistence>"
              + "</distributed-cache>")
          .formatted(cache, fsync);
    }

    StoreSubject subject(String cache) {
      boolean isInMemory = cache.equals(MEMORY);
      String name = isInMemory ? "memory only" : cache.toUpperCase(Locale.ROOT);
      Path files = folder.resolve("data").resolve("stores").resolve(cache);
      return new StoreSubject(
          name, port, () -> new HotRodWire(cache), child.pid(), isInMemory ? null : files);
    }

    @Override
    public void close() {
      child.close();
    }
  }
}
