package dev.isogrid.bench.start;

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
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts a server repeatedly: {@code ./isogrid bench start}. The time runs from the start of the
 * launcher to the line that reports that the server is ready.
 */
public final class StartBenchmark implements Benchmark {
  private static final long READY_SECONDS_MAX = 60;

  private static final Pattern OWN_MILLIS = Pattern.compile(" in (\\d+) ms");

  private static final String TIME = "exec to ready line, ms";
  private static final String OWN_TIME = "the same by the server's own measurement, ms";
  private static final String HEAP = "heap after a full collection, MB";
  private static final String RESIDENT = "resident memory when ready, MB";
  private static final String RESIDENT_AFTER = "resident memory after the collection, MB";

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String summary() {
    return "time from exec to the ready line, heap and resident memory of an idle server";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--runs", Option.Kind.COUNT, "11", "3", "How many times the server is started."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    Launcher.buildServer(checkout);
    startOnce(checkout, Map.of());
    Map<String, Samples> figures = new LinkedHashMap<>();
    List.of(TIME, OWN_TIME, RESIDENT, HEAP, RESIDENT_AFTER)
        .forEach(figure -> figures.put(figure, new Samples()));
    int runs = arguments.number("--runs", 1000);
    for (int run = 1; run <= runs; run++) {
      startOnce(checkout, figures);
    }
    Report report = new Report();
    report.remark("Targets: ready in less than 1,500 ms, heap below 30 MB. 1 MB is 1,000,000 B.");
    report.remark("The server was built, and had been started once, before the first run.");
    Table table =
        new Table("`./isogrid server`", 1, List.of("figure", "median", "min", "max", "runs"));
    figures.forEach((figure, samples) -> {
      List<String> cells = new ArrayList<>(List.of(figure));
      cells.addAll(samples.cells());
      cells.add(String.valueOf(samples.count()));
      table.add(cells);
    });
    report.add(table);
    return report;
  }

  private static double ownMillis(String readyLine) throws IOException {
    Matcher matcher = OWN_MILLIS.matcher(readyLine);
    if (!matcher.find()) {
      throw new IOException("the ready line has no time: " + readyLine);
    }
    return Double.parseDouble(matcher.group(1));
  }

  private static void startOnce(Checkout checkout, Map<String, Samples> figures)
      throws IOException, InterruptedException {
    String port = String.valueOf(Ports.free());
    ProcessBuilder builder =
        new ProcessBuilder(
            checkout.launcher(),
            "server",
            "--bind",
            "127.0.0.1",
            "--port",
            port,
            "--memcached-port",
            "0");
    try (Child child =
        Child.start(
            "isogrid", builder, Launcher.READY_TEXT, checkout.logs().resolve("start.log"))) {
      Child.ReadyLine ready = child.awaitReady(READY_SECONDS_MAX);
      if (figures.isEmpty()) {
        return;
      }
      System.err.printf("%.0f ms: %s%n", ready.afterNanos() / 1e6, ready.text());
      ProcessFacts facts = new ProcessFacts(child.pid());
      Map<String, Double> found = new LinkedHashMap<>();
      found.put(TIME, ready.afterNanos() / 1e6);
      found.put(OWN_TIME, ownMillis(ready.text()));
      found.put(RESIDENT, facts.residentMegabytes());
      found.put(HEAP, facts.liveHeapMegabytes());
      found.put(RESIDENT_AFTER, facts.residentMegabytes());
      figures.forEach((figure, samples) -> samples.add(found.getOrDefault(figure, Double.NaN)));
    }
  }
}
