package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.server.LoggedLines;
import dev.isogrid.server.LoggedLines.Line;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProblemLogTest {
  private final FatalGridException full =
      new FatalGridException("can't be kept: reason=disk full", new IOException("disk full"));

  private final LoggedLines logged = new LoggedLines();
  private long nowNanos;
  private final ProblemLog problems = new ProblemLog(() -> nowNanos, logged);

  private static Line warning(String text) {
    return new Line(Level.WARNING, text, null);
  }

  @Test
  void reportFailure_ofAFullDisk_isALineWithTheReason() {
    problems.reportFailure("failed", full, () -> "a=1");
    assertEquals(
        List.of(warning("failed: a=1, reason=can't be kept: reason=disk full")), logged.lines());
  }

  @Test
  void reportFailure_ofTheServerItself_hasTheException() {
    IllegalStateException bug = new IllegalStateException("bug");
    problems.reportFailure("failed", bug, () -> "a=1");
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    FatalGridException around = new FatalGridException("broken", bug);
    problems.reportFailure("failed", around, () -> "a=2");
    assertEquals(
        List.of(
            new Line(Level.ERROR, "failed: a=1", bug),
            new Line(Level.ERROR, "failed: a=2", around)),
        logged.lines());
  }

  @Test
  void reportFailure_manyWithinASecond_isOneLine() {
    for (int i = 0; i < 5; i++) {
      problems.reportFailure("failed", full, () -> "a=1");
    }
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    problems.reportFailure("failed", full, () -> "a=2");
    assertEquals(
        List.of(
            warning("failed: a=1, reason=can't be kept: reason=disk full"),
            warning("failed: a=2, reason=can't be kept: reason=disk full (and 4 more before)")),
        logged.lines());
  }
}
