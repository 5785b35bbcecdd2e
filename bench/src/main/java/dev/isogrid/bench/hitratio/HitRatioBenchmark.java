package dev.isogrid.bench.hitratio;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Option;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Requests the keys of several access patterns from bounded caches and counts the hits. */
public final class HitRatioBenchmark implements Benchmark {
  private static final List<Pattern> PATTERNS =
      List.of(
          Pattern.zipf(0.7, 10),
          Pattern.zipf(0.7, 100),
          Pattern.zipf(0.8, 10),
          Pattern.zipf(0.8, 100),
          Pattern.zipf(0.9, 10),
          Pattern.zipf(0.9, 100),
          Pattern.zipf(1.0, 10),
          Pattern.zipf(1.0, 100),
          Pattern.zipf(1.1, 10),
          Pattern.zipf(1.1, 100),
          Pattern.scans(),
          Pattern.loop(1.1),
          Pattern.loop(2),
          Pattern.shifts(),
          Pattern.drift(),
          Pattern.window(),
          Pattern.recent(),
          Pattern.stackDistance(),
          Pattern.mix());

  @Override
  public String name() {
    return "hitratio";
  }

  @Override
  public String summary() {
    return "hits of bounded caches on access patterns: ours, Caffeine, LRU, SIEVE, S3-FIFO";
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option(
            "--capacities",
            Option.Kind.COUNTS,
            "1000,50000",
            "1000",
            "Bounds of the caches, in entries."),
        new Option(
            "--requests",
            Option.Kind.COUNT,
            "160",
            "160",
            "Requests in capacities; a million at least."),
        Option.of(
            "--policies",
            Option.Kind.WORDS,
            "all",
            "Some of " + Arrays.toString(Policy.values()) + "."));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout) {
    List<Policy> policies =
        arguments.text("--policies").equals("all")
            ? List.of(Policy.values())
            : arguments.words("--policies").stream().map(HitRatioBenchmark::policy).toList();
    Report report = new Report();
    report.remark("Hits of all requests in percent; a key that is missing is put.");
    report.remark("\"10 x\": the number of different keys, in capacities.");
    report.remark("LRU, SIEVE and S3-FIFO are models; the others are the products.");
    for (int capacity : arguments.numbers("--capacities", 1_000_000)) {
      int length =
          Math.max(1_000_000, Math.multiplyExact(capacity, arguments.number("--requests", 1000)));
      report.add(table(capacity, length, policies));
    }
    return report;
  }

  private static Policy policy(String word) {
    return Arrays.stream(Policy.values())
        .filter(policy -> policy.name().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "--policies %s is not allowed; there are %s"
                    .formatted(word, Arrays.toString(Policy.values()))));
  }

  private static Table table(int capacity, int length, List<Policy> policies) {
    List<String> header = new ArrayList<>(List.of("pattern"));
    policies.forEach(policy -> header.add(policy.label()));
    Table table = new Table("%d entries, %d requests".formatted(capacity, length), 1, header);
    for (Pattern pattern : PATTERNS) {
      int[] keys = pattern.keys(capacity, length);
      List<String> cells = new ArrayList<>(List.of(pattern.name()));
      policies.forEach(policy -> cells.add("%.2f".formatted(hitPercent(policy, capacity, keys))));
      table.add(cells);
      System.err.println(String.join("  ", cells));
    }
    return table;
  }

  private static double hitPercent(Policy policy, int capacity, int[] keys) {
    long hits = 0;
    try (Policy.Requests requests = policy.open(capacity)) {
      for (int key : keys) {
        hits += requests.ask(key) ? 1 : 0;
      }
    }
    return 100.0 * hits / keys.length;
  }
}
