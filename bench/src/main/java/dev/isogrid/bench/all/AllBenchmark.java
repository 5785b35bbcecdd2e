package dev.isogrid.bench.all;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.all.PartsInTurn.Done;
import dev.isogrid.bench.process.Launcher;
import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Table;
import dev.isogrid.bench.run.Arguments;
import dev.isogrid.bench.run.Benchmark;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.run.Machine;
import dev.isogrid.bench.run.Option;
import dev.isogrid.bench.run.QuietMachine;
import dev.isogrid.bench.run.RealTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The benchmarks of {@code docs/performance.md}, one after the other: {@code ./isogrid bench all}.
 * Each writes its own report; that of this one lists them.
 */
public final class AllBenchmark implements Benchmark {
  /** The option that only lists the parts. */
  public static final String LIST = "--list";

  private static final String WHEN_BUSY = "--when-busy";
  private static final String WHEN_CHANGED = "--when-changed";
  private static final int MINUTES_MAX = 24 * 60;
  private static final double MILLIS_PER_MINUTE = 60_000;

  @Override
  public String name() {
    return "all";
  }

  @Override
  public String summary() {
    return "what docs/performance.md shows: runs the other benchmarks one after the other";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.of("--only", Option.Kind.WORDS, "all", "The parts to run; --list shows them."),
        Option.of(
            "--minutes",
            Option.Kind.COUNT,
            "90",
            "Minutes for all parts; those that have not ended by then fail. Each may take twice its"
                + " planned minutes, and 3 at least."),
        Option.of(
            WHEN_BUSY,
            Option.Kind.WORD,
            "refuse",
            "With other work on the machine: refuse, or mark the report."),
        Option.of(
            WHEN_CHANGED,
            Option.Kind.WORD,
            "refuse",
            "With changes in the checkout that are not committed: refuse, or mark the report."));
  }

  @Override
  public Map<String, String> flags() {
    return Map.of(LIST, "Lists the parts with their planned minutes, and runs nothing.");
  }

  /** The text of {@code --list}. */
  public String list(Arguments arguments) {
    return Part.list(Part.named(arguments.words("--only")));
  }

  @Override
  public Report run(Arguments arguments, Checkout checkout)
      throws IOException, InterruptedException {
    List<Part> parts = Part.named(arguments.words("--only"));
    Duration time = Duration.ofMinutes(arguments.number("--minutes", MINUTES_MAX));
    String whenBusy = arguments.text(WHEN_BUSY);
    Report report = new Report();
    String changed = changed(Machine.isChanged(checkout), arguments.text(WHEN_CHANGED));
    if (changed != null) {
      report.remark(changed);
    }
    // A machine that is busy from the beginning is refused before anything is written.
    QuietMachine.check(whenBusy);
    Launcher.buildServer(checkout); // the time of a part is not for that
    PartProcess process =
        new PartProcess(
            List.of(checkout.launcher(), "bench"),
            checkout.root().resolve(arguments.text("--results")),
            checkout.logs());
    PartsInTurn turns =
        new PartsInTurn(RealTime::nanos, () -> QuietMachine.check(whenBusy), process, System.err);
    summarize(turns.run(parts, time), report);
    return report;
  }

  /**
   * Returns a remark if the checkout is changed, or null.
   *
   * @throws InvalidRequestException if it is and that is to be refused
   */
  static @Nullable String changed(boolean isChanged, String whenChanged) {
    if (!whenChanged.equals("refuse") && !whenChanged.equals("mark")) {
      throw new InvalidRequestException(
          "--when-changed %s is not allowed; give refuse or mark".formatted(whenChanged));
    }
    if (!isChanged) {
      return null;
    }
    if (whenChanged.equals("refuse")) {
      throw new InvalidRequestException(
          "checkout changed: `git status` lists files that are not committed; commit them, or give"
              + " --when-changed mark");
    }
    return "The checkout had changes that are not committed: the figures belong to no commit.";
  }

  /** Adds a row for each part. */
  static void summarize(List<Done> all, Report report) {
    Table table =
        new Table(
            "Parts", 4, List.of("part", "command", "report", "busy", "planned min", "took min"));
    for (Done done : all) {
      Part part = done.part();
      boolean isDone = done.ending().isDone();
      String text = done.ending().text();
      table.add(
          List.of(
              part.id(),
              "`" + part.command() + "`",
              isDone ? "[%s](%s)".formatted(text, text) : "failed: " + text,
              done.busy() == null ? "" : done.busy(),
              String.valueOf(part.minutes()),
              String.format(Locale.ROOT, "%.1f", done.took().toMillis() / MILLIS_PER_MINUTE)));
    }
    report.add(table);
    long failed = all.stream().filter(done -> !done.ending().isDone()).count();
    report.remark("%d parts, %d failed".formatted(all.size(), failed));
    if (failed > 0) {
      report.fail();
    }
  }
}
