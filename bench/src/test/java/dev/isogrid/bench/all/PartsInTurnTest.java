package dev.isogrid.bench.all;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.all.PartRunner.Ending;
import dev.isogrid.bench.all.PartsInTurn.Done;
import dev.isogrid.bench.report.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartsInTurnTest {
  private static final Part ONE = new Part("one", 5, List.of("codec"));
  private static final Part TWO = new Part("two", 10, List.of("start", "--runs", "1"));
  private static final Part THREE = new Part("three", 1, List.of("hitratio"));
  private static final List<Part> PARTS = List.of(ONE, TWO, THREE);
  private static final Ending WRITTEN = new Ending(true, "report.md");

  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
  private final Map<Part, Duration> limits = new HashMap<>();
  private long nowNanos = 17;

  /** Takes the planned time of each part. */
  private Ending take(Part part, Duration limit) {
    limits.put(part, limit);
    nowNanos += Duration.ofMinutes(part.minutes()).toNanos();
    return WRITTEN;
  }

  private List<Done> run(int minutes, PartsInTurn.QuietCheck quiet, PartRunner runner)
      throws InterruptedException {
    PrintStream stream = new PrintStream(progress, true, StandardCharsets.UTF_8);
    return new PartsInTurn(() -> nowNanos, quiet, runner, stream)
        .run(PARTS, Duration.ofMinutes(minutes));
  }

  private static String text(List<Done> all) {
    Report report = new Report();
    AllBenchmark.summarize(all, report);
    assertEquals(all.stream().anyMatch(done -> !done.ending().isDone()), report.hasFailed());
    return report.body();
  }

  @Test
  void run_withTime_runsAllInOrderWithTheirOwnLimits() throws Exception {
    List<Done> all = run(90, () -> null, this::take);
    assertEquals(PARTS, all.stream().map(Done::part).toList());
    assertTrue(all.stream().allMatch(done -> done.ending().equals(WRITTEN)));
    assertEquals(Duration.ofMinutes(10), all.get(1).took());
    assertEquals(Duration.ofMinutes(10), limits.get(ONE));
    assertEquals(Duration.ofMinutes(20), limits.get(TWO));
    assertEquals(Duration.ofMinutes(3), limits.get(THREE));
    assertTrue(progress.toString(StandardCharsets.UTF_8).contains("part 2 of 3: two"));
    assertTrue(text(all).contains("3 parts, 0 failed"), text(all));
    assertTrue(text(all).contains("[report.md](report.md)"), text(all));
    assertTrue(text(all).contains("./isogrid bench start --runs 1"), text(all));
  }

  @Test
  void run_withLittleTime_givesUpAtItsEnd() throws Exception {
    List<Done> all = run(15, () -> null, this::take);
    // Ten minutes are left for the second part, which takes them all.
    assertEquals(Duration.ofMinutes(10), limits.get(TWO));
    assertFalse(limits.containsKey(THREE));
    Done third = all.get(2);
    assertFalse(third.ending().isDone());
    assertTrue(third.ending().text().contains("--minutes"), third.ending().text());
    assertEquals(Duration.ZERO, third.took());
    assertTrue(text(all).contains("3 parts, 1 failed"), text(all));
  }

  @Test
  void run_afterAFailedPart_goesOn() throws Exception {
    List<Done> all =
        run(
            90,
            () -> null,
            (part, limit) -> {
              if (part.equals(ONE)) {
                throw new IOException("no such program");
              }
              return part.equals(TWO) ? new Ending(false, "exit code 1") : take(part, limit);
            });
    assertEquals(List.of(false, false, true), all.stream().map(d -> d.ending().isDone()).toList());
    assertTrue(text(all).contains("no such program"), text(all));
    assertTrue(text(all).contains("failed: exit code 1"), text(all));
    assertTrue(text(all).contains("3 parts, 2 failed"), text(all));
  }

  @Test
  void run_onAMachineThatIsRefused_leavesThePartOut() throws Exception {
    List<Integer> looks = new ArrayList<>();
    List<Done> all =
        run(
            90,
            () -> {
              looks.add(looks.size());
              if (looks.size() == 2) {
                throw new InvalidRequestException("machine busy");
              }
              return looks.size() == 3 ? "some other work" : null;
            },
            this::take);
    assertFalse(limits.containsKey(TWO));
    assertEquals("machine busy", all.get(1).ending().text());
    assertNull(all.get(0).busy());
    assertEquals("some other work", all.get(2).busy());
    assertTrue(text(all).contains("some other work"), text(all));
  }

  @Test
  void named_ofAllParts_fitsIntoTheTime() {
    assertTrue(Part.named(List.of("all")).stream().mapToInt(Part::minutes).sum() <= 90);
    assertEquals(
        List.of("start", "codec"),
        Part.named(List.of("codec", "start")).stream().map(Part::id).toList());
    assertThrows(InvalidRequestException.class, () -> Part.named(List.of("codec", "what")));
  }

  @Test
  void changed_ofAChangedCheckout_isRefusedOrMarked() {
    assertNull(AllBenchmark.changed(false, "refuse"));
    assertTrue(String.valueOf(AllBenchmark.changed(true, "mark")).contains("no commit"));
    assertThrows(InvalidRequestException.class, () -> AllBenchmark.changed(true, "refuse"));
    assertThrows(InvalidRequestException.class, () -> AllBenchmark.changed(false, "maybe"));
  }
}
