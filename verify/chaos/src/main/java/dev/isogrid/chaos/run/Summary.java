package dev.isogrid.chaos.run;

import dev.isogrid.chaos.fault.Fault;
import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.history.Verdict;
import dev.isogrid.chaos.load.Load;
import dev.isogrid.chaos.load.Probes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of a run.
 *
 * @param options its options
 * @param seconds its length, without start and end
 * @param episodes the faults
 * @param findings the observations of clients
 * @param incomplete the reason why the run was given up, or nothing
 */
public record Summary(
    Options options,
    double seconds,
    List<Episode> episodes,
    Load.Findings findings,
    String incomplete) {
  private static final int PROBLEMS_SHOWN_MAX = 5;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double RARE = 0.999;

  /** Copies the list. */
  public Summary {
    episodes = List.copyOf(episodes);
  }

  /** The broken promises, one or more lines each; empty if there are none. */
  public List<String> violations() {
    List<String> violations = new ArrayList<>();
    if (!incomplete.isEmpty()) {
      violations.add("liveness: " + incomplete);
    }
    findings.history().problems().forEach((key, verdict) -> violations.add(text(key, verdict)));
    if (findings.inserts().lost() > 0) {
      violations.add("acknowledged inserts that are lost: " + findings.inserts().lost());
    }
    if (findings.inserts().unread() > 0) {
      violations.add("inserts that can't be read at the end: " + findings.inserts().unread());
    }
    if (findings.tokens().wonTwice() > 0) {
      violations.add("tokens that several clients got: " + findings.tokens().wonTwice());
    }
    if (findings.tokens().wonByNobody() > 0) {
      violations.add("tokens that are gone and nobody got: " + findings.tokens().wonByNobody());
    }
    findings.failures().corrupt().forEach(violations::add);
    findings.probes().failures().corrupt().forEach(violations::add);
    return violations;
  }

  static String text(String key, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Explained() -> "key " + key + ": explained";
      case Verdict.Undecided(String reason) -> "key " + key + ": not decided: " + reason;
      case Verdict.Unexplained(String reason, var core, int left) ->
          "key %s: %s (%d other operations on it left out)%n%s"
              .formatted(
                  key,
                  reason,
                  left,
                  core.stream().map(o -> "    " + o).collect(Collectors.joining("\n")));
    };
  }

  /** The summary for human readers. */
  public String text() {
    StringBuilder text = new StringBuilder();
    appendOperations(text);
    appendFaults(text);
    appendFailures(text);
    List<String> violations = violations();
    text.append('\n');
    if (violations.isEmpty()) {
      text.append("no violation\n");
    } else {
      text.append("VIOLATIONS: ").append(violations.size()).append('\n');
      violations.stream()
          .limit(PROBLEMS_SHOWN_MAX)
          .forEach(violation -> text.append("  ").append(violation).append('\n'));
      if (violations.size() > PROBLEMS_SHOWN_MAX) {
        text.append("  ... and others; see ").append(options.folder()).append('\n');
      }
    }
    text.append("again: ").append(options.command()).append('\n');
    return text.append("logs and history: ").append(options.folder()).append('\n').toString();
  }

  private void appendOperations(StringBuilder text) {
    History.Result history = findings.history();
    long operations = 0;
    for (Outcome outcome : Outcome.values()) {
      operations += history.count(outcome);
    }
    text.append('\n');
    line(text, "seconds", Math.round(seconds));
    line(text, "operations in the history", operations);
    line(text, "  done", history.count(Outcome.DONE));
    line(text, "  surely not done", history.count(Outcome.FAILED));
    line(text, "  of unknown outcome", history.count(Outcome.UNKNOWN));
    line(text, "keys", history.keys());
    line(text, "keys not explained or undecided", history.problems().size());
    line(text, "acknowledged inserts", findings.inserts().acknowledged());
    line(text, "  lost", findings.inserts().lost());
    line(text, "token rounds", findings.tokens().rounds());
    line(text, "  taken once", findings.tokens().wonOnce());
    line(text, "  taken several times", findings.tokens().wonTwice());
    line(text, "  gone, taken by nobody", findings.tokens().wonByNobody());
    line(text, "  not known", findings.tokens().undecided());
    line(text, "writes of probes", findings.probes().count());
  }

  private static void line(StringBuilder text, String name, long value) {
    text.append(String.format(Locale.ROOT, "%-34s %,14d%n", name, value));
  }

  private void appendFaults(StringBuilder text) {
    if (episodes.isEmpty()) {
      return;
    }
    text.append('\n');
    text.append(
        """
        Milliseconds, for each fault. Gap: the longest time without a successful write to a key
        whose primary owner it happened to; copy: to a key with a copy there; others: to any
        other key, and of writes to those the 99.9 % quantile and the count of failures.
        """);
    text.append(
        String.format(
            Locale.ROOT,
            "%-58s %8s %8s %8s %8s %8s %6s%n",
            "fault",
            "complete",
            "gap",
            "copy",
            "others",
            "p99.9",
            "failed"));
    for (Episode episode : episodes) {
      text.append(row(episode));
    }
    Map<String, List<Long>> gaps = new TreeMap<>();
    for (Episode episode : episodes) {
      if (!episode.ofVictim().isEmpty()) {
        gaps.computeIfAbsent(episode.fault().getClass().getSimpleName(), _ -> new ArrayList<>())
            .add(gapMillis(episode, episode.ofVictim()));
      }
    }
    gaps.forEach((kind, all) -> {
      all.sort(null);
      text.append(
          String.format(
              Locale.ROOT,
              "gap after %-10s median %,d, longest %,d ms, %d faults%n",
              kind,
              all.get(all.size() / 2),
              all.getLast(),
              all.size()));
    });
  }

  private String row(Episode episode) {
    Probes probes = findings.probes();
    List<Probes.Target> others = episode.ofOthers();
    long[] latencies = probes.latenciesNanos(others, episode.startNanos(), episode.completeNanos());
    long rare =
        latencies.length == 0 ? 0 : latencies[(int) Math.floor((latencies.length - 1) * RARE)];
    return String.format(
        Locale.ROOT,
        "%-58s %8.0f %8s %8s %8s %8.1f %6d%n",
        name(episode.fault()),
        (episode.completeNanos() - episode.endNanos()) / NANOS_PER_MILLI,
        gap(episode, episode.ofVictim()),
        gap(episode, episode.withCopyAtVictim()),
        gap(episode, others),
        rare / NANOS_PER_MILLI,
        probes.failed(others, episode.startNanos(), episode.completeNanos()));
  }

  /** The gap of each probed key at each fault, and the nodes that owned it before: a table. */
  public List<String> gaps() {
    List<String> lines = new ArrayList<>(List.of("fault\tkey\towners\tgap-ms\tfailed"));
    for (Episode episode : episodes) {
      for (Probes.Target target : episode.targets()) {
        List<Probes.Target> one = List.of(target);
        long failed = findings.probes().failed(one, episode.startNanos(), episode.completeNanos());
        lines.add(
            "%s\t%s\t%s\t%d\t%d"
                .formatted(
                    episode.fault(),
                    target.key(),
                    target.owners(),
                    gapMillis(episode, one),
                    failed));
      }
    }
    return lines;
  }

  private String gap(Episode episode, List<Probes.Target> targets) {
    return targets.isEmpty() ? "-" : String.valueOf(gapMillis(episode, targets));
  }

  private long gapMillis(Episode episode, List<Probes.Target> targets) {
    long nanos = findings.probes().gapNanos(targets, episode.startNanos(), episode.completeNanos());
    return Math.round(nanos / NANOS_PER_MILLI);
  }

  private static String name(Fault fault) {
    return fault.toString();
  }

  private void appendFailures(StringBuilder text) {
    Map<String, Long> all = new TreeMap<>(findings.failures().counts());
    findings
        .probes()
        .failures()
        .counts()
        .forEach((kind, count) -> all.merge(kind, count, Long::sum));
    if (all.isEmpty()) {
      return;
    }
    text.append("\nFailures that clients saw, by kind:\n");
    Object[] sorted = all.entrySet().stream().sorted(Map.Entry.comparingByValue()).toArray();
    Arrays.asList(sorted).reversed().forEach(entry -> text.append("  ").append(entry).append('\n'));
  }
}
