package dev.isogrid.bench.neighbours;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.process.Ports;
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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Measures clients that read one entry at a time, while another client runs operations on very many
 * entries: {@code ./isogrid bench neighbours}. The server is a process with a small heap.
 */
public final class NeighboursBenchmark implements Benchmark {
  private static final long READY_SECONDS_MAX = 60;
  private static final String CACHE = "default";
  private static final int VALUE_SIZE = 20;
  private static final int LOADED_AT_ONCE = 1000;

  /** The entries of one operation on some entries. */
  private static final int SOME = 10_000;

  /** The pause of a reader between two requests. */
  private static final long PAUSE_MILLIS = 1;

  private static final double USUAL = 0.99;
  private static final double TAIL = 0.999;

  private static final int KEYS_MAX = 10_000_000;
  private static final int SECONDS_MAX = 600;
  private static final int READERS_MAX = 100;

  /** The operation that the other client repeats. */
  private interface Work {
    void run(SmallClient client) throws IOException;
  }

  private record Case(String name, Work work) {}

  @Override
  public String name() {
    return "neighbours";
  }

  @Override
  public String summary() {
    return "waits of small requests while another client runs very large ones";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("--keys", Option.Kind.COUNT, "300000", "300000", "The number of entries."),
        new Option("--seconds", Option.Kind.SECONDS, "10", "3", "How long each operation goes on."),
        Option.of(
            "--readers", Option.Kind.COUNT, "8", "The clients that read; each has a connection."),
        Option.of("--heap", Option.Kind.HEAP, "160m", "The heap of the server, as for -Xmx."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    int keys = arguments.number("--keys", KEYS_MAX);
    int seconds = arguments.number("--seconds", SECONDS_MAX);
    int readers = arguments.number("--readers", READERS_MAX);
    int port = Ports.free();
    try (Child child =
        Child.start(
            "isogrid",
            server(arguments.text("--heap"), port),
            Launcher.READY_TEXT,
            checkout.logs().resolve("neighbours.log"))) {
      child.awaitReady(READY_SECONDS_MAX);
      load(port, keys);
      Table table =
          new Table(
              "Wait of a reader for its answer, ms",
              1,
              List.of(
                  "another client does", "median", "99 %", "99.9 %", "longest", "operations/s"));
      measure(port, readers, seconds, new Case("warming up", client -> client.getAll(0, SOME)));
      for (Case each : cases(keys)) {
        table.add(measure(port, readers, seconds, each));
      }
      Report report = new Report();
      report.remark(
          "%,d entries of %d bytes in a cache off the heap; %d readers, each with one request at a"
                  .formatted(keys, VALUE_SIZE, readers)
              + " time and a pause of 1 ms.");
      report.add(table);
      return report;
    }
  }

  /** The server from the class path, without the launcher, whose JVM has a larger heap. */
  private static ProcessBuilder server(String heap, int port) {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + heap,
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.isogrid.server.Main",
        "--no-cluster",
        "--bind",
        "127.0.0.1",
        "--port",
        String.valueOf(port),
        "--memcached-port",
        "0");
  }

  private static void load(int port, int keys) throws IOException {
    try (SmallClient client = new SmallClient(port, CACHE)) {
      for (int from = 0; from < keys; from += LOADED_AT_ONCE) {
        client.putAll(from, Math.min(LOADED_AT_ONCE, keys - from), new byte[VALUE_SIZE]);
      }
    }
  }

  private static List<Case> cases(int keys) {
    byte[] value = new byte[VALUE_SIZE];
    int some = Math.min(SOME, keys);
    return List.of(
        new Case("nothing", client -> client.get(0)),
        new Case("bulkGetKeys of all", client -> check(client.bulkGet(false), keys)),
        new Case("bulkGet of all", client -> check(client.bulkGet(true), keys)),
        new Case("getAll of 10,000", client -> check(client.getAll(0, some), some)),
        new Case("putAll of 10,000", client -> client.putAll(0, some, value)));
  }

  private static void check(int found, int expected) throws IOException {
    if (found != expected) {
      throw new IOException("entries missing: found=%d, expected=%d".formatted(found, expected));
    }
  }

  /** Measures the readers beside one operation; returns a line of the table. */
  private static List<String> measure(int port, int readers, int seconds, Case each)
      throws IOException, InterruptedException {
    long endNanos = RealTime.nanos() + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<long[]>> waits = new ArrayList<>();
    long operations = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        SmallClient other = new SmallClient(port, CACHE)) {
      for (int i = 0; i < readers; i++) {
        Callable<long[]> reader = () -> read(port, endNanos);
        waits.add(threads.submit(reader));
      }
      for (; RealTime.nanos() - endNanos < 0; operations++) {
        each.work.run(other);
        if (each.name.equals("nothing")) {
          RealTime.pause(PAUSE_MILLIS);
        }
      }
    }
    long[] all = new long[0];
    for (Future<long[]> wait : waits) {
      all = joined(all, result(wait));
    }
    Arrays.sort(all);
    System.err.printf("%s: %d reads%n", each.name, all.length);
    return List.of(
        each.name,
        millis(all[all.length / 2]),
        millis(all[(int) (all.length * USUAL)]),
        millis(all[(int) (all.length * TAIL)]),
        millis(all[all.length - 1]),
        Samples.text((double) operations / seconds));
  }

  private static long[] joined(long[] first, long[] second) {
    long[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static long[] result(Future<long[]> wait) throws IOException, InterruptedException {
    try {
      return wait.get();
    } catch (ExecutionException failure) {
      throw new IOException("a reader failed", failure.getCause());
    }
  }

  private static long[] read(int port, long endNanos) throws IOException, InterruptedException {
    List<Long> waits = new ArrayList<>();
    try (SmallClient client = new SmallClient(port, CACHE)) {
      for (int number = 0; RealTime.nanos() - endNanos < 0; number++) {
        long begin = RealTime.nanos();
        client.get(number % LOADED_AT_ONCE);
        waits.add(RealTime.nanos() - begin);
        RealTime.pause(PAUSE_MILLIS);
      }
    }
    return waits.stream().mapToLong(Long::longValue).toArray();
  }

  private static String millis(long nanos) {
    return "%.2f".formatted(nanos / 1e6);
  }
}
