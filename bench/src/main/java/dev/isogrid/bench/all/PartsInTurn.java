package dev.isogrid.bench.all;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.all.PartRunner.Ending;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one part after the other, within a time, and goes on after one that failed. */
final class PartsInTurn {
  /** Looks whether the machine has other work. */
  @FunctionalInterface
  interface QuietCheck {
    /**
     * Looks now.
     *
     * @return a remark if the machine is busy, or null
     * @throws InvalidRequestException if it is busy and that is to be refused
     */
    @Nullable String remark() throws IOException, InterruptedException;
  }

  /**
   * A part that had its turn.
   *
   * @param took how long it ran; zero if it was not started
   * @param busy a remark on other work when it began, or null
   */
  record Done(Part part, Duration took, Ending ending, @Nullable String busy) {}

  private final LongSupplier nanos;
  private final QuietCheck quiet;
  private final PartRunner runner;
  private final PrintStream progress;

  /**
   * Makes a run.
   *
   * @param nanos the clock
   * @param progress gets lines for a reader who waits
   */
  PartsInTurn(LongSupplier nanos, QuietCheck quiet, PartRunner runner, PrintStream progress) {
    this.nanos = nanos;
    this.quiet = quiet;
    this.runner = runner;
    this.progress = progress;
  }

  /**
   * Runs the parts.
   *
   * @param time for all together; parts that have not ended by then are given up
   * @throws InterruptedException if the thread is interrupted; no process remains
   */
  List<Done> run(List<Part> parts, Duration time) throws InterruptedException {
    long startNanos = nanos.getAsLong();
    List<Done> all = new ArrayList<>();
    for (Part part : parts) {
      progress.printf(
          "part %d of %d: %s, about %d minutes%n",
          all.size() + 1, parts.size(), part.id(), part.minutes());
      Duration left = time.minusNanos(nanos.getAsLong() - startNanos);
      Done done = run(part, left);
      progress.printf(
          "  %s after %d s: %s%n",
          done.ending().isDone() ? "done" : "FAILED",
          done.took().toSeconds(),
          done.ending().text());
      all.add(done);
    }
    return all;
  }

  private Done run(Part part, Duration left) throws InterruptedException {
    if (!left.isPositive()) {
      return failed(part, Duration.ZERO, "no time was left for it; give more by --minutes", null);
    }
    String busy;
    try {
      busy = quiet.remark();
    } catch (InvalidRequestException | IOException refusal) {
      return failed(part, Duration.ZERO, String.valueOf(refusal.getMessage()), null);
    }
    long startNanos = nanos.getAsLong();
    try {
      Ending ending = runner.run(part, part.limit().compareTo(left) < 0 ? part.limit() : left);
      return new Done(part, since(startNanos), ending, busy);
    } catch (IOException failure) {
      return failed(part, since(startNanos), failure.toString(), busy);
    }
  }

  private Duration since(long startNanos) {
    return Duration.ofNanos(nanos.getAsLong() - startNanos);
  }

  private static Done failed(Part part, Duration took, String why, @Nullable String busy) {
    return new Done(part, took, new Ending(false, why), busy);
  }
}
