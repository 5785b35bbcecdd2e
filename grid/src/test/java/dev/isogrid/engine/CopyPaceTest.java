package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CopyPaceTest {
  private static final long MILLI = 1_000_000;
  private static final int PART = 100_000;
  private static final long BOUND = 10 * MILLI;

  private long nowNanos;

  /** Sends what may be sent, looking each millisecond, while operations are done. */
  private long sendFor(CopyPace pace, int millis, int operations, long tookNanos) {
    long sent = 0;
    for (int i = 0; i < millis; i++) {
      nowNanos += MILLI;
      for (int j = 0; j < operations; j++) {
        pace.operationTook(tookNanos);
      }
      for (int j = 0; j < 10 && pace.maySend(nowNanos); j++) {
        pace.sent(PART);
        sent += PART;
      }
    }
    return sent;
  }

  @Test
  void maySend_withoutLimits_isAlways() {
    CopyPace pace = new CopyPace(CopyLimits.NONE);

    assertEquals(1_000L * 10 * PART, sendFor(pace, 1_000, 5, 1_000 * MILLI));
  }

  @Test
  void maySend_withABoundOfBytes_keepsIt() {
    CopyPace pace = new CopyPace(new CopyLimits(20_000_000, Long.MAX_VALUE));
    long sent = sendFor(pace, 2_000, 0, 0);

    assertTrue(sent >= 38_000_000 && sent <= 42_000_000, "sent=" + sent);
  }

  @Test
  void limit_replacesTheConfiguredBound_untilItIsTakenBack() {
    CopyPace pace = new CopyPace(new CopyLimits(20_000_000, Long.MAX_VALUE));
    sendFor(pace, 100, 0, 0);
    pace.limit(2_000_000);
    long slow = sendFor(pace, 2_000, 0, 0);
    assertTrue(slow >= 3_500_000 && slow <= 4_200_000, "sent=" + slow);
    pace.limit(50_000_000);
    long faster = sendFor(pace, 2_000, 0, 0);
    assertTrue(faster >= 95_000_000 && faster <= 105_000_000, "sent=" + faster);
    pace.limit(Long.MAX_VALUE);
    assertEquals(1_000L * 10 * PART, sendFor(pace, 1_000, 0, 0));
    pace.limit(0);
    long configured = sendFor(pace, 2_000, 0, 0);
    assertTrue(configured >= 38_000_000 && configured <= 42_000_000, "sent=" + configured);
  }

  @Test
  void limit_afterALargePart_letsTheNextWaitForASecondAtMost() {
    CopyPace pace = new CopyPace(new CopyLimits(20_000_000, Long.MAX_VALUE));
    sendFor(pace, 2, 0, 0);
    pace.sent(10_000_000);
    pace.limit(100_000);

    assertFalse(pace.maySend(nowNanos += 900 * MILLI));
    assertTrue(pace.maySend(nowNanos += 200 * MILLI));
  }

  @Test
  void limit_belowTheLeastRateOfSlowOperations_isKeptThen() {
    CopyPace pace = new CopyPace(new CopyLimits(Long.MAX_VALUE, BOUND));
    pace.limit(1_000_000);
    long sent = sendFor(pace, 2_000, 1, BOUND + 1);

    assertTrue(sent >= 1_500_000 && sent <= 2_200_000, "sent=" + sent);
  }

  @Test
  void maySend_whileOperationsAreSlow_becomesLessAndThenMoreAgain() {
    CopyPace pace = new CopyPace(new CopyLimits(Long.MAX_VALUE, BOUND));
    long fast = sendFor(pace, 1_000, 1, BOUND);
    assertEquals(1_000L * 10 * PART, fast);
    sendFor(pace, 2_000, 1, BOUND + 1);
    assertEquals(CopyPace.RATE_MIN, pace.rate());
    long least = sendFor(pace, 1_000, 1, BOUND + 1);
    assertTrue(least >= 3_900_000 && least <= 4_600_000, "sent=" + least);
    sendFor(pace, 5_000, 1, BOUND);

    assertEquals(fast, sendFor(pace, 1_000, 1, BOUND));
  }

  @Test
  void maySend_withFewSlowOperations_isNotLess() {
    CopyPace pace = new CopyPace(new CopyLimits(Long.MAX_VALUE, BOUND));
    for (int i = 0; i < 20; i++) {
      sendFor(pace, 99, 2, BOUND);
      sendFor(pace, 1, 1, BOUND + 1);
    }

    assertTrue(pace.maySend(nowNanos));
    assertTrue(pace.rate() > 1e12, "rate=" + pace.rate());
  }
}
