package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The flags {@code h} and {@code l}; memcached 1.6.18 has the same answers to these commands. */
class RecencyTest {
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  private void pass(int seconds) {
    server.world.advance(TimeUnit.SECONDS.toMillis(seconds));
  }

  @Test
  void mg_ofAFreshEntry_wasNotReadBefore() {
    server.ask("mg none h l");
    assertEquals("HD\nHD h0 l0\nHD h1 l0\n", server.ask("ms a 1", "x", "mg a h l", "mg a h l"));
  }

  @Test
  void mg_afterATime_showsTheSecondsSinceTheLastUse() {
    server.ask("mg none h", "set a 0 0 1", "x");
    pass(5);
    assertEquals("HD h0 l5\n", server.ask("mg a h l"));
    pass(7);
    assertEquals("VALUE a 0 1\nx\nEND\n", server.ask("get a"));
    pass(2);
    assertEquals("VA 1 l2 h1 t-1\nx\n", server.ask("mg a v l h t"));
  }

  @Test
  void mg_afterAWrite_beginsAnew() {
    server.ask("mg none h", "set a 0 0 1", "5", "get a");
    pass(3);
    assertEquals("STORED\nHD h0 l0\n", server.ask("set a 0 0 1", "6", "mg a h l"));
    assertEquals("HD h1 l0\n", server.ask("mg a h l"));
  }

  @Test
  void mg_ofWhatItMakes_wasNotRead() {
    assertEquals("EN\n", server.ask("mg a h l"));
    assertEquals("HD h0 l0 W\nHD h1 l0 Z\n", server.ask("mg a N30 h l", "mg a h l"));
  }

  @Test
  void mg_ofAnEntryWithALifespan_knowsSinceWhenItIsThere() {
    server.ask("set a 0 100 1", "x");
    pass(9);
    assertEquals("HD l9\n", server.ask("mg a l"));
  }

  @Test
  void find_ofAnotherVersionOrKey_isNotKnown() {
    Recency recency = new Recency();
    recency.note(7, 1, true, 1_000);
    assertFalse(recency.isOn());
    recency.begin(2_000);
    assertFalse(recency.wasRead(7, 1));
    recency.note(7, 1, true, 5_000);
    recency.begin(9_000);
    assertTrue(recency.wasRead(7, 1));
    assertFalse(recency.wasRead(7, 2));
    assertFalse(recency.wasRead(8, 1));
    assertEquals(4, recency.idleSeconds(7, 1, -1, 9_999));
    assertEquals(7, recency.idleSeconds(7, 2, -1, 9_999));
    assertEquals(6, recency.idleSeconds(7, 2, 3_000, 9_999));
  }
}
