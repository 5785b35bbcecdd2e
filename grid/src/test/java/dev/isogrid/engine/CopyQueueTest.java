package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyQueueTest {
  private static final int PART = 100;
  private static final long RESEND = 1_000;

  private final CopyQueue queue =
      new CopyQueue(new CopyPace(CopyLimits.NONE), 3 * PART - 1, RESEND);
  private final List<String> sent = new ArrayList<>();

  /** A copy of so many parts. */
  private final class Parts implements CopyQueue.Copy {
    private final String name;
    private int left;

    Parts(String name, int count) {
      this.name = name;
      this.left = count;
    }

    @Override
    public void sendPart(long nowNanos) {
      left--;
      sent.add(name + queue.sent(PART));
    }

    @Override
    public boolean isSent() {
      return left == 0;
    }
  }

  @Test
  void copies_shareOneWindow_andTakeTurns() {
    queue.add(new Parts("a", 2));
    queue.add(new Parts("b", 3));
    queue.send(0);
    assertEquals(List.of("a1", "b2"), sent);
    queue.send(0);
    queue.send(0);
    assertEquals(List.of("a1", "b2", "a3"), sent);
    queue.stored(2 * PART, 2, 0);
    queue.send(0);
    assertEquals(List.of("a1", "b2", "a3", "b4", "b5"), sent);
    assertFalse(queue.hasMore());
  }

  @Test
  void copies_ofTheNextGroup_beginWhenAllOfOneWereSent() {
    for (int i = 0; i < 17; i++) {
      queue.add(new Parts(i == 16 ? "next" : "", 2));
    }
    for (int part = 1; part <= 34; part++) {
      queue.send(0);
      queue.stored(PART, part, 0);
    }
    assertEquals(34, sent.size());
    assertEquals(List.of("next33", "next34"), sent.subList(32, 34));
  }

  @Test
  void copyThatIsGivenUp_leavesItsRoomToOthers() {
    Parts given = new Parts("a", 9);
    queue.add(given);
    queue.send(0);
    queue.send(0);
    queue.add(new Parts("b", 1));
    queue.remove(given, 3 * PART);
    queue.send(0);
    assertEquals(List.of("a1", "a2", "a3", "b4"), sent);
  }

  @Test
  void part_isLost_ifALaterOneWasAnsweredOrNoneForLong() {
    queue.add(new Parts("a", 3));
    queue.send(0);
    queue.send(0);
    assertFalse(queue.isLost(1, 0, RESEND - 1));
    assertTrue(queue.isLost(1, 0, RESEND));

    queue.stored(PART, 1, RESEND - 1);
    assertFalse(queue.isLost(2, 0, RESEND)); // it waits behind what was answered just now
    assertTrue(queue.isLost(2, 0, 2 * RESEND));

    queue.stored(PART, 3, RESEND);
    assertTrue(queue.isLost(2, 0, RESEND));
    assertFalse(queue.isLost(queue.sentAgain(), RESEND, RESEND));
  }
}
