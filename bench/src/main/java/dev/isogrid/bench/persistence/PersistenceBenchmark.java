package dev.isogrid.bench.persistence;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.HotRodWire;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Puts over Hot Rod to caches with stores, beside a cache in memory and the disk's forces per
 * second; and the start of a server with many entries: {@code ./isogrid bench persistence}.
 */
public final class PersistenceBenchmark implements Benchmark {
  private static final String MEMORY = "memory";
  private static final String NONE = "none";
  private static final String EACH = "each";
  private static final List<String> CACHES = List.of(MEMORY, NONE, "interval", EACH);

  /** The cache of the server that starts again. */
  private static final String RESTARTED = "restarted";

  private static final long READY_SECONDS_MAX = 600;

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
        new Option("--rounds", "5", "2", "Figures of each cache, which take turns."),
        new Option("--warmup-millis", "4000", "1000", "Load before the figures, for each cache."),
        new Option("--millis", "4000", "1000", "Load of each figure."),
        Option.of("--keys", "100000", "Entries that are overwritten."),
        Option.of("--value-size", "100", "Bytes of a value."),
        Option.of("--connections", "2", "Connections."),
        Option.of("--depth", "32", "Puts that a connection sends at once."),
        new Option("--restart-entries", "1000000", "100000", "Entries of the server that starts."),
        Option.of("--heap", "512m", "Heap of the server."),
        Option.of("--folder", "bench/target/persistence", "The folder on the disk to measure."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    Launcher.buildServer(checkout);
    Path folder = checkout.root().resolve(arguments.text("--folder"));
    Report report = new Report();
    report.remark(
        "One server without a cluster has all caches. Clients and server share the processors,"
            + " over the loopback address.");
    clear(folder);
    try {
      report.add(puts(arguments, checkout, folder));
      clear(folder);
      report.add(restart(arguments, checkout, folder));
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

  private static Table puts(Arguments arguments, Checkout checkout, Path folder)
      throws IOException, InterruptedException {
    Map<String, Samples> rates = new LinkedHashMap<>();
    CACHES.forEach(cache -> rates.put(cache, new Samples()));
    Samples commits = new Samples();
    int depth = arguments.number("--depth", 10_000);
    int group = depth * arguments.number("--connections", 1000);
    int valueSize = arguments.number("--value-size", 1_000_000);
    Entries entries = Entries.withKeysOfOneSize(arguments.number("--keys", 100_000_000), valueSize);
    int recordBytes = Entries.KEY_SIZE + valueSize + RECORD_OVERHEAD_BYTES;
    try (Running server = new Running(arguments, checkout, folder)) {
      for (String cache : CACHES) {
        fill(server.port, cache, entries, depth);
        double _ = rate(arguments, server.port, cache, entries, "--warmup-millis");
      }
      List<String> order = new ArrayList<>(CACHES);
      int rounds = arguments.number("--rounds", 1000);
      for (int round = 1; round <= rounds; round++) {
        System.err.printf("round %d of %d%n", round, rounds);
        for (String cache : order) {
          Samples samples = rates.getOrDefault(cache, new Samples());
          samples.add(rate(arguments, server.port, cache, entries, "--millis"));
        }
        commits.add(
            GroupCommits.perSecond(folder, group, recordBytes, end(arguments, "--millis")) * group);
        Collections.rotate(order, 1);
      }
    }
    return table(rates, commits, group);
  }

  private static Table table(Map<String, Samples> rates, Samples commits, int group) {
    Table table =
        new Table(
            "Puts per second, %d outstanding".formatted(group),
            1,
            List.of("fsync", "1/s", "min", "max", "of memory only"));
    double memory = rates.getOrDefault(MEMORY, new Samples()).median();
    rates.forEach((cache, samples) -> {
      String name = cache.equals(MEMORY) ? "memory only" : cache.toUpperCase(Locale.ROOT);
      table.add(cells(name, samples, Samples.text(samples.median() / memory)));
    });
    table.add(cells("bare group commits of %d records".formatted(group), commits, "-"));
    return table;
  }

  private static List<String> cells(String name, Samples samples, String last) {
    List<String> cells = new ArrayList<>(List.of(name));
    cells.addAll(samples.cells());
    cells.add(last);
    return cells;
  }

  private static long end(Arguments arguments, String millis) {
    return RealTime.nanos() + TimeUnit.MILLISECONDS.toNanos(arguments.number(millis, 600_000));
  }

  private static void fill(int port, String cache, Entries entries, int depth) throws IOException {
    try (PipelinedConnection connection =
        new PipelinedConnection(port, new HotRodWire(cache), entries, depth, 0)) {
      connection.putAll();
    }
  }

  private static double rate(
      Arguments arguments, int port, String cache, Entries entries, String millis)
      throws IOException, InterruptedException {
    int depth = arguments.number("--depth", 10_000);
    int connections = arguments.number("--connections", 1000);
    long begun = RealTime.nanos();
    long endNanos = end(arguments, millis);
    long count = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        long seed = begun + i;
        counts.add(
            threads.submit(() -> {
              try (PipelinedConnection connection =
                  new PipelinedConnection(port, new HotRodWire(cache), entries, depth, seed)) {
                long puts = 0;
                while (RealTime.nanos() - endNanos < 0) {
                  puts += connection.runBatch(Operation.PUT);
                }
                return puts;
              }
            }));
      }
      for (Future<Long> each : counts) {
        count += each.get();
      }
    } catch (ExecutionException failure) {
      throw new IOException("puts failed: cache=" + cache, failure.getCause());
    }
    return count / RealTime.secondsSince(begun);
  }

  private static Table restart(Arguments arguments, Checkout checkout, Path folder)
      throws IOException, InterruptedException {
    int count = arguments.number("--restart-entries", 100_000_000);
    Entries entries = Entries.withKeysOfOneSize(count, arguments.number("--value-size", 1_000_000));
    List<String> cells = new ArrayList<>();
    try (Running server = new Running(arguments, checkout, folder)) {
      cells.add(Samples.text(server.millis));
      fill(server.port, RESTARTED, entries, arguments.number("--depth", 10_000));
    }
    try (Running server = new Running(arguments, checkout, folder)) {
      cells.add(Samples.text(server.millis));
      ProcessFacts facts = new ProcessFacts(server.child.pid());
      cells.add(Samples.text(facts.liveHeapMegabytes()));
    }
    Table table =
        new Table(
            "Start until the server is ready, ms",
            1,
            List.of("entries", "empty", "with the entries", "heap then, MB"));
    cells.addFirst("%,d".formatted(count));
    table.add(cells);
    return table;
  }

  /** A running server. */
  private static final class Running implements AutoCloseable {
    private final int port = Ports.free();
    private final Child child;
    private final double millis;

    Running(Arguments arguments, Checkout checkout, Path folder)
        throws IOException, InterruptedException {
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

    @Override
    public void close() {
      child.close();
    }
  }
}
