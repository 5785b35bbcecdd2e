package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowLogTest {
  private static final SlowLog.Operation GET = new SlowLog.Operation("get", "c", 0xabc, 12);

  private final List<String> lines = new ArrayList<>();
  private long nowNanos;
  private final SlowLog slowLog = new SlowLog(() -> nowNanos, lines::add);

  @Test
  void threshold_isReachedByWhatTakesAsLong() {
    assertFalse(slowLog.isOn());
    assertFalse(slowLog.isSlow(TimeUnit.HOURS.toNanos(1)));
    slowLog.threshold(5);
    assertTrue(slowLog.isOn());
    assertFalse(slowLog.isSlow(4_999_999));
    assertTrue(slowLog.isSlow(5_000_000));
  }

  @Test
  void line_saysWhatAndHowLong() {
    slowLog.report(GET, 2_000_000, 7_000_999);
    assertEquals(
        List.of(
            "slow: operation=get, cache=c, keyHash=00000abc, size=12, queuedMicros=2000,"
                + " workedMicros=7000"),
        lines);
  }

  @Test
  void lines_areBounded_andTheRestIsCounted() {
    for (int i = 0; i < SlowLog.LINES_PER_SECOND + 7; i++) {
      slowLog.report(GET, 0, 1);
    }
    assertEquals(SlowLog.LINES_PER_SECOND, lines.size());
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    slowLog.report(GET, 0, 1);
    assertTrue(lines.getLast().endsWith(" (and 7 more before)"), lines.getLast());
    slowLog.report(GET, 0, 1);
    assertFalse(lines.getLast().contains("more before"));
  }
}
