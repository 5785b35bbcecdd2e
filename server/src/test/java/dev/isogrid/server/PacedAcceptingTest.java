package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PacedAcceptingTest {
  private final EmbeddedChannel listening = new EmbeddedChannel(new PacedAccepting());

  PacedAcceptingTest() {
    listening.freezeTime();
  }

  private void accept(int count) {
    for (int i = 0; i < count; i++) {
      listening.writeInbound("connection");
    }
  }

  private void passMillis(int millis) {
    listening.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    listening.runScheduledPendingTasks();
  }

  @Test
  void flood_waitsForTheNextPeriod() {
    for (int period = 0; period < 3; period++) {
      accept(PacedAccepting.BATCH - 1);
      assertTrue(listening.config().isAutoRead());
      accept(1);
      assertFalse(listening.config().isAutoRead());
      passMillis(PacedAccepting.PAUSE_MILLIS - 1);
      assertFalse(listening.config().isAutoRead());
      passMillis(1);
      assertTrue(listening.config().isAutoRead());
    }
    assertEquals(3 * PacedAccepting.BATCH, listening.inboundMessages().size());
  }

  @Test
  void connectionsFarApart_neverWait() {
    for (int i = 0; i < 3 * PacedAccepting.BATCH; i++) {
      accept(1);
      assertTrue(listening.config().isAutoRead());
      passMillis(PacedAccepting.PAUSE_MILLIS);
    }
  }

  @Test
  void pauseOfOthers_isNotEndedByAPeriodWithoutFlood() {
    accept(1);
    listening.config().setAutoRead(false);
    passMillis(PacedAccepting.PAUSE_MILLIS);
    assertFalse(listening.config().isAutoRead());
  }
}
