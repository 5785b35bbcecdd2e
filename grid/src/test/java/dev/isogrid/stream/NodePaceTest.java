package dev.isogrid.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NodePaceTest {
  private static final int PAGE = NodePace.ENTRIES_PAGE_BYTES_MAX;

  private final AtomicLong nanos = new AtomicLong();
  private final NodePace pace = new NodePace(nanos::get, true);

  private static void answer(NodePace asked, int bytes) {
    asked.ended(asked.begun());
    asked.answered(bytes, 0);
  }

  @Test
  void firstQuestion_isAloneAndForLittle() {
    assertEquals(1, pace.free());
    assertEquals(64 << 10, pace.pageBytes());
    int expected = pace.begun();
    assertEquals(0, pace.free());
    pace.ended(expected);
    pace.answered(1000, 0);
    assertEquals(4, pace.free());
    assertEquals(128 << 10, pace.pageBytes());
  }

  @Test
  void openQuestions_neverExpectMoreThanTheCredit() {
    Seeds.run(
        200,
        random -> {
          NodePace any = new NodePace(nanos::get, true);
          ArrayDeque<Integer> open = new ArrayDeque<>();
          long sum = 0;
          for (int i = 0; i < 200; i++) {
            boolean isFree = any.free() > 0;
            if (isFree && random.nextInt(3) > 0) {
              int expected = any.begun();
              open.add(expected);
              sum += expected;
            } else if (!open.isEmpty()) {
              int expected = open.remove();
              sum -= expected;
              any.ended(expected);
              any.answered(random.nextInt(2 * PAGE), 0);
            }
            assertTrue(sum <= NodePace.CREDIT_BYTES, () -> "open=" + open);
            assertTrue(open.size() <= 4);
          }
        });
  }

  @Test
  void pagesThatAreLarge_leaveRoomForFewerQuestions() {
    answer(pace, 500_000);
    assertEquals(2, pace.free());
    answer(pace, 40 << 20);
    assertEquals(1, pace.free());
    int expected = pace.begun();
    assertEquals(40 << 20, expected);
    assertEquals(0, pace.free());
    pace.ended(expected);
    pace.answered(1000, 0);
    assertEquals(4, pace.free());
  }

  @Test
  void pagesOfOtherElements_comeOneByOne() {
    NodePace other = new NodePace(nanos::get, false);
    for (int i = 0; i < 10; i++) {
      assertEquals(1, other.free());
      answer(other, 0);
    }
    assertEquals(1 << 20, other.pageBytes());
  }

  @Test
  void nodeThatFailed_isLeftAloneForAMoment_andHasTheFullTimeThen() {
    assertEquals(5_000, pace.timeoutMillis(60_000));
    assertEquals(100, pace.timeoutMillis(100));
    pace.ended(pace.begun());
    pace.failed();
    assertEquals(0, pace.free());
    nanos.addAndGet(NodePace.PAUSE_NANOS);
    assertEquals(1, pace.free());
    assertEquals(60_000, pace.timeoutMillis(60_000));
    answer(pace, 1000);
    assertEquals(5_000, pace.timeoutMillis(60_000));
  }
}
