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

  /** When entries were read is not kept here; memcached itself has it in each item. */
  @Test
  void mg_ofWhatIsKnownOfReads_isRefused() {
    String refusal = "CLIENT_ERROR flags h and l: when entries were read is not kept\n";
    assertEquals(refusal + refusal, server.ask("mg a v h", "mg a l"));
    assertEquals("HD\n", server.ask("ms a 2 h", "xy"));
  }

  /** There, a key is returned as it was written, and here as it was sent. */
  @Test
  void mg_ofBase64Key_returnsItSo() {
    assertEquals("HD\nVA 2 kYWFh b\nxy\n", server.ask("ms aaa 2", "xy", "mg YWFh b k v"));
  }

  /** There, the time that is left of what is expired is a number near 2^32. */
  @Test
  void mg_thatExpires_leavesNoTime() {
    assertEquals("HD\nHD t0\nEN\n", server.ask("ms a 2", "xy", "mg a T-1 t", "mg a"));
  }

  /** There, it also shows what only memcached keeps. */
  @Test
  void me_showsWhatIsKnown() {
    assertEquals(
        "HD\nME a exp=30 cas=N size=2\nME YQ== exp=30 cas=N size=2\nEN\n",
        server
            .ask("ms a 2 T30", "xy", "me a", "me YQ== b", "me b")
            .replaceAll("cas=\\d+", "cas=N"));
    assertEquals("CLIENT_ERROR bad command line format\n", server.ask("me"));
  }

  /** There, the reply comes when the block was swallowed. */
  @Test
  void ms_ofTooMuch_removesWhatWasThere() {
    assertEquals("HD\n", server.ask("ms a 2", "xy"));
    assertEquals(
        "SERVER_ERROR object too large for cache\nEN\n",
        server.ask("ms a 2000000", "x".repeat(2_000_000), "mg a"));
  }

  /** Commands that are about what only memcached has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "watch",
        "stats detail on",
        "stats sizes_enable",
        "refresh_certs",
        "extstore free_memchunks 1 1"
      })
  void commands_thatAreNotSupported_areErrors(String command) {
    assertEquals("ERROR\nMN\n", server.ask(command, "mn"));
  }
}
