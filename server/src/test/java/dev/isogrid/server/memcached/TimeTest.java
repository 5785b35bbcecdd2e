package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The passage of time. */
class TimeTest {
  private static final String HIT = "VALUE a 0 1\n5\nEND\n";
  private static final String MISS = "END\n";

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  private void set(long exptime) {
    assertEquals("STORED\n", server.ask("set a 0 " + exptime + " 1", "5"));
  }

  private long seconds() {
    return server.world.nowMillis() / 1000;
  }

  @Test
  void set_withRelativeTime_expiresAfterIt() {
    set(10);
    server.world.advance(9_999);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void set_with30Days_isRelative_andASecondMoreIsLongPast() {
    set(2_592_000);
    server.world.advance(2_592_000_000L - 1);
    assertEquals(HIT, server.ask("get a"));
    set(2_592_001);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void set_withAbsoluteTime_expiresThen() {
    set(seconds() + 5_000_000);
    server.world.advance(5_000_000_000L - 1);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void set_withoutTime_neverExpires() {
    set(0);
    server.world.advance(4_000_000_000_000L);
    assertEquals(HIT, server.ask("get a"));
  }

  @Test
  void touch_withNewTime_countsFromNowOn() {
    set(10);
    server.world.advance(8_000);
    assertEquals("TOUCHED\n", server.ask("touch a 10"));
    server.world.advance(9_999);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1);
    assertEquals("NOT_FOUND\n", server.ask("touch a 10"));
  }

  @Test
  void gat_withZero_makesTheEntryImmortal() {
    set(10);
    assertEquals(HIT, server.ask("gat 0 a"));
    server.world.advance(100_000_000);
    assertEquals(HIT, server.ask("get a"));
  }

  @Test
  void gat_withANegativeTime_answersOnceMore() {
    set(0);
    assertEquals(HIT + MISS, server.ask("gat -1 a", "get a"));
  }

  @Test
  void incrAndAppend_ofAMortalEntry_keepItsTime() {
    set(10);
    server.world.advance(6_000);
    assertEquals("6\n", server.ask("incr a 1"));
    server.world.advance(3_000);
    assertEquals("STORED\nSTORED\n", server.ask("append a 0 0 1", "0", "prepend a 0 900 1", "1"));
    server.world.advance(999);
    assertEquals("VALUE a 0 3\n160\nEND\n", server.ask("get a"));
    server.world.advance(1);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void add_afterTheEntryExpired_stores() {
    set(10);
    assertEquals("NOT_STORED\n", server.ask("add a 0 0 1", "7"));
    server.world.advance(10_000);
    assertEquals("NOT_STORED\n", server.ask("replace a 0 0 1", "7"));
    assertEquals("STORED\n", server.ask("add a 0 0 1", "7"));
  }

  @Test
  void flushAll_withDelay_removesWhatIsOlderThanItsMoment() {
    set(0);
    assertEquals("OK\n" + HIT, server.ask("flush_all 10", "get a"));
    server.world.advance(9_000);
    set(0);
    server.world.advance(999);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1);
    assertEquals(MISS, server.ask("get a"));
    set(0);
    server.world.advance(100_000);
    assertEquals(HIT, server.ask("get a"));
  }

  @Test
  void flushAll_withALaterDelay_replacesTheOneBefore() {
    set(0);
    server.ask("flush_all 10", "flush_all 20 noreply");
    server.world.advance(19_000);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1_000);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void flushAll_atOnce_replacesADelayedOne() {
    server.ask("flush_all 10", "flush_all");
    set(0);
    server.world.advance(10_000);
    assertEquals(HIT, server.ask("get a"));
  }

  @Test
  void flushAll_withAnAbsoluteTime_removesThen() {
    set(0);
    server.ask("flush_all " + (seconds() + 5_000_000));
    server.world.advance(4_999_999_999L);
    assertEquals(HIT, server.ask("get a"));
    server.world.advance(1);
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void flushAll_withAMomentThatIsJustOver_removesAtOnce() {
    server.world.advance(10_000);
    set(0);
    server.ask("flush_all " + (seconds() - 5));
    assertEquals(MISS, server.ask("get a"));
  }

  @Test
  void flushAll_withAMomentBeforeTheStart_removesNothing() {
    set(0);
    server.ask("flush_all 10", "flush_all " + (seconds() - 5));
    server.world.advance(10_000);
    assertEquals(HIT, server.ask("get a"));
  }

  @Test
  void flushAll_dueWhenTheCacheIsGone_doesNothing() {
    server.ask("flush_all 10");
    server.node.removeCache(TestServer.CACHE);
    server.world.advance(10_000);
    int tidying = 1; // of the node's off-heap memory, for the next cache
    assertEquals(tidying, server.world.openTasks());
  }
}
