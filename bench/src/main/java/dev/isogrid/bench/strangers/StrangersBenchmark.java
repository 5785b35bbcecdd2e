package dev.isogrid.bench.strangers;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.RealTime;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Lets clients without a login take as many resources as they can from a server with a small heap:
 * {@code ./isogrid bench strangers}. A client that has logged in measures the effect on others.
 */
public final class StrangersBenchmark implements Benchmark {
  private static final String USER = "ada";
  private static final String PASSWORD = "a password";
  private static final int CONNECTIONS_MAX = 100_000;
  private static final long READY_SECONDS_MAX = 60;

  /** Open files of this process and the server beside the connections. */
  private static final int OTHER_FILES = 500;

  /** The time within which the server must have released everything. */
  private static final int FREE_SECONDS = 60;

  /** Enough time for the JIT compilers to finish. */
  private static final int WARM_UP_SECONDS = 10;

  @Override
  public String name() {
    return "strangers";
  }

  @Override
  public String summary() {
    return "effect on others while clients without a login take all they can get";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("--silent", Option.Kind.COUNT, "10000", "1000", "Connections that say nothing."),
        new Option("--half", Option.Kind.COUNT, "1000", "100", "Connections with half a request."),
        new Option(
            "--bodies",
            Option.Kind.COUNT,
            "200",
            "20",
            "Connections with an unfinished body of 10 MiB."),
        new Option("--seconds", Option.Kind.SECONDS, "15", "5", "How long each phase is measured."),
        Option.of("--heap", Option.Kind.MEGABYTES, "160", "The heap of the server, in MiB."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    int connections =
        arguments.number("--silent", CONNECTIONS_MAX)
            + arguments.number("--half", CONNECTIONS_MAX)
            + arguments.number("--bodies", CONNECTIONS_MAX);
    checkFiles(connections);
    Launcher.buildServer(checkout);
    Path folder = Files.createTempDirectory("isogrid-strangers");
    new Users(folder, SecuritySettings.REALM).create(USER, PASSWORD, List.of("admin"));
    int port = Ports.free();
    try (Child child =
        Child.start(
            "isogrid",
            command(arguments, checkout, folder, port),
            Launcher.READY_TEXT,
            checkout.logs().resolve("strangers.log"))) {
      child.awaitReady(READY_SECONDS_MAX);
      return run(arguments, child, port);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void checkFiles(int connections) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long limit = system.getMaxFileDescriptorCount();
      if (limit < connections + OTHER_FILES) {
        throw new InvalidRequestException(
            "too few open files are allowed: limit=%d, needed=%d; raise it by ulimit -n, or give a"
                    .formatted(limit, connections + OTHER_FILES)
                + " smaller --silent");
      }
    }
  }

  /** The server as an operator starts it, with its start-up cache. */
  private static ProcessBuilder command(
      Arguments arguments, Checkout checkout, Path folder, int port) {
    ProcessBuilder builder =
        new ProcessBuilder(
            checkout.launcher(),
            "server",
            "--auth",
            "--conf",
            folder.toString(),
            "--no-cluster",
            "--port",
            String.valueOf(port),
            "--memcached-port",
            "0");
    builder
        .environment()
        .put("ISOGRID_JAVA_OPTS", "-Xmx" + arguments.number("--heap", CONNECTIONS_MAX) + "m");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  private static Report run(Arguments arguments, Child child, int port)
      throws IOException, InterruptedException {
    int seconds = arguments.number("--seconds", 600);
    ProcessFacts facts = new ProcessFacts(child.pid());
    Table table =
        new Table(
            "A client that has logged in, beside strangers",
            1,
            List.of(
                "phase",
                "operations",
                "p50, us",
                "p99, us",
                "max, us",
                "live heap, MB",
                "resident, MB",
                "strangers"));
    try (SteadyClient client = new SteadyClient(port, USER, PASSWORD);
        Strangers strangers = new Strangers(port)) {
      client.measure(WARM_UP_SECONDS);
      SteadyClient.Figures before = client.measure(seconds);
      table.add(row("before", before, facts, 0));
      long startNanos = RealTime.nanos();
      strangers.start(
          arguments.number("--silent", CONNECTIONS_MAX),
          arguments.number("--half", CONNECTIONS_MAX),
          arguments.number("--bodies", CONNECTIONS_MAX));
      SteadyClient.Figures during = client.measure(seconds);
      table.add(row("during", during, facts, strangers.left()));
      long leftMillis = (long) (FREE_SECONDS * 1000 - RealTime.secondsSince(startNanos) * 1000);
      RealTime.pause(Math.max(0, leftMillis));
      int left = strangers.left();
      SteadyClient.Figures after = client.measure(seconds);
      table.add(row("after", after, facts, left));
      Report report = new Report();
      report.remark("1 MB is 1,000,000 B. Strangers: connections that the server has not closed.");
      report.remark(
          "After: %d s after the strangers came. None of them ends by itself."
              .formatted(FREE_SECONDS));
      report.remark(
          "p99 during: %.1f times that before; target: at most 2."
              .formatted(during.p99Micros() / before.p99Micros()));
      report.add(table);
      return report;
    }
  }

  private static List<String> row(
      String phase, SteadyClient.Figures figures, ProcessFacts facts, int strangers)
      throws IOException, InterruptedException {
    double residentMegabytes = facts.residentMegabytes();
    return List.of(
        phase,
        String.valueOf(figures.operations()),
        number(figures.medianMicros()),
        number(figures.p99Micros()),
        number(figures.maxMicros()),
        number(facts.liveHeapMegabytes()),
        number(residentMegabytes),
        String.valueOf(strangers));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
