package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.FatalGridException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProblemLogTest {
  private final FatalGridException full =
      new FatalGridException("can't be kept: reason=disk full", new IOException("disk full"));

  private final List<String> lines = new ArrayList<>();
  private long nowNanos;
  private final ProblemLog problems = new ProblemLog(() -> nowNanos, new Lines());

  /** Collects levels, lines, and the exceptions with them. */
  private final class Lines implements System.Logger {
    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
      lines.add(level + " " + text + (thrown == null ? "" : " with " + thrown));
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object @Nullable ... params) {
      lines.add(level + " " + format);
    }
  }

  @Test
  void reportFailure_ofAFullDisk_isALineWithTheReason() {
    problems.reportFailure("failed", full, () -> "a=1");
    assertEquals(List.of("WARNING failed: a=1, reason=can't be kept: reason=disk full"), lines);
  }

  @Test
  void reportFailure_ofTheServerItself_hasTheException() {
    problems.reportFailure("failed", new IllegalStateException("bug"), () -> "a=1");
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    FatalGridException around = new FatalGridException("broken", new IllegalStateException("bug"));
    problems.reportFailure("failed", around, () -> "a=2");
    assertEquals(
        List.of(
            "ERROR failed: a=1 with java.lang.IllegalStateException: bug",
            "ERROR failed: a=2 with " + around),
        lines);
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
            "WARNING failed: a=1, reason=can't be kept: reason=disk full",
            "WARNING failed: a=2, reason=can't be kept: reason=disk full (and 4 more before)"),
        lines);
  }
}
