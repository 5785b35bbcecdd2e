package dev.isogrid.bench.path;

import com.sun.management.ThreadMXBean;
import dev.isogrid.api.GridConfig;
import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.HotRodWire;
import dev.isogrid.bench.load.MemcachedWire;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
import dev.isogrid.bench.load.Wire;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.server.CacheSetup;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes that event loops of a server in this JVM allocate per request, over a real socket:
 * {@code ./isogrid bench path}. The counts are exact, so load on the machine does no harm.
 */
public final class PathBenchmark implements Benchmark {
  private static final String IO_THREADS = "isogrid-io";
  private static final int REQUESTS_MAX = 100_000_000;

  @Override
  public String name() {
    return "path";
  }

  @Override
  public String summary() {
    return "bytes that the server's event loops allocate per request";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--requests",
            Option.Kind.COUNT,
            "1000000",
            "100000",
            "Requests that are counted, in all rounds."),
        new Option("--warmup", Option.Kind.COUNT, "1000000", "200000", "Requests before that."),
        Option.of("--rounds", Option.Kind.COUNT, "5", "Rounds that the requests are cut into."),
        Option.of("--depths", Option.Kind.COUNTS, "1,64", "Requests that are sent at once."),
        Option.of("--keys", Option.Kind.COUNT, "10000", "Entries of the cache."),
        Option.of("--value-size", Option.Kind.BYTES, "1000", "Bytes of a value."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout) throws IOException {
    Entries entries =
        new Entries(
            arguments.number("--keys", 1_000_000), arguments.number("--value-size", 1_000_000));
    Report report = new Report();
    report.remark(
        "Heap bytes that the event loop threads allocated, divided by the requests answered; the"
            + " reading and writing of the socket included. A put cannot do without those of the"
            + " entry that it stores.");
    Table table =
        new Table(
            "Allocation in the server's event loops, one connection",
            2,
            List.of("protocol", "request", "depth", "B/request", "min", "max", "requests"));
    try (Server server = Server.start(settings())) {
      for (String protocol : List.of("Hot Rod 4.1", "memcached text")) {
        for (int depth : arguments.numbers("--depths", 10_000)) {
          int port = server.address().getPort();
          Wire wire =
              protocol.startsWith("Hot Rod")
                  ? new HotRodWire(CacheSetup.DEFAULT_CACHE)
                  : new MemcachedWire(entries.value().length);
          try (PipelinedConnection connection =
              new PipelinedConnection(port, wire, entries, depth, depth)) {
            connection.putAll();
            for (Operation operation : Operation.values()) {
              table.add(row(arguments, protocol, operation, depth, connection));
            }
          }
        }
      }
    }
    report.add(table);
    return report;
  }

  private static ServerSettings settings() {
    return ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE);
  }

  private static List<String> row(
      Arguments arguments,
      String protocol,
      Operation operation,
      int depth,
      PipelinedConnection connection)
      throws IOException {
    int rounds = arguments.number("--rounds", 1000);
    long requests = arguments.number("--requests", REQUESTS_MAX);
    send(connection, operation, arguments.number("--warmup", REQUESTS_MAX));
    Samples samples = new Samples();
    long answered = 0;
    for (int round = 0; round < rounds; round++) {
      long before = allocatedBytes();
      long count = send(connection, operation, Math.ceilDiv(requests, rounds));
      samples.add((double) (allocatedBytes() - before) / count);
      answered += count;
    }
    List<String> cells = new ArrayList<>();
    cells.add(protocol);
    cells.add(operation.label());
    cells.add(String.valueOf(depth));
    cells.addAll(samples.cells());
    cells.add(String.valueOf(answered));
    System.err.println("  " + String.join("  ", cells));
    return cells;
  }

  private static long send(PipelinedConnection connection, Operation operation, long requests)
      throws IOException {
    long count = 0;
    while (count < requests) {
      count += connection.runBatch(operation);
    }
    return count;
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    int count = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo thread = threads.getThreadInfo(id);
      if (thread != null && thread.getThreadName().startsWith(IO_THREADS)) {
        sum += threads.getThreadAllocatedBytes(id);
        count++;
      }
    }
    if (count == 0) {
      throw new IllegalStateException("no event loop found: name=" + IO_THREADS);
    }
    return sum;
  }
}
