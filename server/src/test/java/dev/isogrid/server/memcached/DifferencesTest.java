package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the answer is knowingly not that of memcached 1.6.18. */
class DifferencesTest {
  private static final String NON_NUMERIC =
      "CLIENT_ERROR cannot increment or decrement non-numeric value\n";

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  /** There, the replies to earlier commands of the same packet get lost. */
  @Test
  void get_ofAKeyThatIsTooLong_keepsTheRepliesBefore() {
    assertEquals(
        "MN\nCLIENT_ERROR bad command line format\nMN\n",
        server.ask("mn", "get a " + "k".repeat(251), "mn"));
  }

  /** There, the number is looked for in the memory behind the value. */
  @Test
  void incr_ofBlanks_isNotNumeric() {
    assertEquals("STORED\n" + NON_NUMERIC, server.ask("set a 0 0 2", "  ", "incr a 1"));
  }

  /** There, a delay of one second hides entries at once, those written within it too. */
  @Test
  void flushAll_withADelayOfOneSecond_waitsForIt() {
    server.ask("set a 0 0 1", "x", "flush_all 1");
    server.world.advance(999);
    assertEquals("VALUE a 0 1\nx\nEND\n", server.ask("get a"));
    server.world.advance(1);
    assertEquals("END\n", server.ask("get a"));
  }

  /** Commands that are about what only memcached has, and the meta commands. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mg a v",
        "ms a 1",
        "md a",
        "ma a",
        "me a",
        "shutdown",
        "cache_memlimit 64",
        "slabs automove 0",
        "lru mode flat",
        "lru_crawler enable",
        "watch",
        "stats cachedump 1 1",
        "stats detail on"
      })
  void commands_thatAreNotSupported_areErrors(String command) {
    assertEquals("ERROR\nMN\n", server.ask(command, "mn"));
  }
}
