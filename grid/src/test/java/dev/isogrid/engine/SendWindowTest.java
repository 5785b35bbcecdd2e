package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SendWindowTest {
  private static final long PAUSE = 100;

  private final SendWindow<String> window = new SendWindow<>();

  /** Fills the window, and returns how many it took. */
  private int fill() {
    int count = 0;
    while (window.tryEnter("last", 1)) {
      count++;
    }
    window.dequeue("last");
    return count;
  }

  private void leaveAll(int count) {
    for (int i = 0; i < count; i++) {
      window.leave(1);
    }
  }

  @Test
  void tryEnter_beyondTheWindow_queuesInOrder() {
    int sent = fill();
    assertEquals(SendWindow.FIRST_MAX, sent);
    assertFalse(window.tryEnter("a", 1));
    assertFalse(window.tryEnter("b", 1));
    assertFalse(window.tryEnter("c", 1));
    assertNull(window.pollQueued());
    window.dequeue("b");
    window.leave(1);
    assertEquals("a", window.pollQueued());
    assertNull(window.pollQueued());
    window.leave(1);
    assertFalse(window.tryEnter("d", 1), "overtook");
    assertEquals("c", window.pollQueued());
  }

  @Test
  void tryEnter_beyondTheBytes_queues_butLetsOneLargeThrough() {
    int large = (int) SendWindow.SENT_BYTES_MAX + 1;
    assertTrue(window.tryEnter("large", large));
    assertFalse(window.tryEnter("small", 1));
    window.leave(large);
    assertEquals("small", window.pollQueued());
    assertFalse(window.tryEnter("large", large));
  }

  @Test
  void grow_letsMoreThrough_upToALimit() {
    window.grow();
    assertEquals(SendWindow.FIRST_MAX + 1, fill());
    for (int i = 0; i < 2 * SendWindow.MOST_MAX; i++) {
      window.grow();
    }
    assertEquals(SendWindow.MOST_MAX - SendWindow.FIRST_MAX - 1, fill());
  }

  @Test
  void shrink_halvesOncePerPause_andLeavesSome() {
    window.shrink(0, PAUSE);
    window.shrink(PAUSE - 1, PAUSE);
    int half = fill();
    assertEquals(SendWindow.FIRST_MAX / 2, half);
    leaveAll(half);
    for (int i = 1; i < 20; i++) {
      window.shrink(i * PAUSE, PAUSE);
    }
    assertEquals(SendWindow.LEAST_MAX, fill());
  }
}
