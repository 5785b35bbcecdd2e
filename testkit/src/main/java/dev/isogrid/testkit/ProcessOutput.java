package dev.isogrid.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a process that a test started prints, with a deadline. */
public final class ProcessOutput {
  private ProcessOutput() {}

  /**
   * A line that contains a pattern.
   *
   * @param text the whole line
   * @param match the place of the pattern, with its groups
   */
  public record Line(String text, MatchResult match) {}

  /** Like {@link #await(Process, Pattern, Duration)}, within {@link Await#PATIENCE}. */
  public static Line await(Process process, Pattern pattern) throws IOException {
    return await(process, pattern, Await.PATIENCE);
  }

  /**
   * Reads the lines that a process prints until one contains a pattern.
   *
   * @param deadline time after which the process is killed
   * @return the first line that contains it
   * @throws IOException if the process ends before, or prints no such line in time
   */
  public static Line await(Process process, Pattern pattern, Duration deadline) throws IOException {
    AtomicBoolean isLate = new AtomicBoolean();
    CompletableFuture<Void> watch =
        CompletableFuture.runAsync(
            () -> {
              isLate.set(true);
              kill(process);
            },
            CompletableFuture.delayedExecutor(deadline.toMillis(), TimeUnit.MILLISECONDS));
    try {
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Matcher match = pattern.matcher(line);
        if (match.find()) {
          return new Line(line, match.toMatchResult());
        }
      }
    } finally {
      watch.cancel(false);
    }
    kill(process);
    throw new IOException(
        "process %s before it printed what it should: pid=%d, pattern=%s, deadline=%s"
            .formatted(isLate.get() ? "was killed" : "ended", process.pid(), pattern, deadline));
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
