package dev.isogrid.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void until_conditionThatHoldsLater_returns() {
    AtomicInteger asked = new AtomicInteger();
    Await.until("three", () -> asked.incrementAndGet() == 3);
    assertEquals(3, asked.get());
  }

  @Test
  void until_conditionThatNeverHolds_failsAndSaysWhatWasAwaited() {
    AssertionError late =
        assertThrows(
            AssertionError.class, () -> Await.until("never", Duration.ofMillis(20), () -> false));
    assertEquals("not within 20 ms: never", late.getMessage());
  }

  @Test
  void until_conditionThatThrows_failsAtOnce() {
    IOException cause = new IOException("on purpose");
    AssertionError failed =
        assertThrows(
            AssertionError.class,
            () ->
                Await.until(
                    "x",
                    () -> {
                      throw cause;
                    }));
    assertSame(cause, failed.getCause());
  }

  @Test
  void until_interrupted_fails() {
    Thread.currentThread().interrupt();
    AssertionError failed =
        assertThrows(AssertionError.class, () -> Await.until("never", () -> false));
    assertTrue(Thread.interrupted());
    assertEquals("interrupted before this happened: never", failed.getMessage());
  }
}
