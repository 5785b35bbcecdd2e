package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The known differences from memcached 1.6.18. */
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

  /** There, the number is read from the memory behind the value. */
  @Test
  void incr_ofBlanks_isNotNumeric() {
    assertEquals("STORED\n" + NON_NUMERIC, server.ask("set a 0 0 2", "  ", "incr a 1"));
  }

  /** There, a delay of one second hides entries at once, including those written within it. */
  @Test
  void flushAll_withADelayOfOneSecond_waitsForIt() {
    server.ask("set a 0 0 1", "x", "flush_all 1");
    server.world.advance(999);
    assertEquals("VALUE a 0 1\nx\nEND\n", server.ask("get a"));
    server.world.advance(1);
    assertEquals("END\n", server.ask("get a"));
  }

  /** There, each item has it; here it is recorded from the first query on. */
  @Test
  void mg_ofUseBeforeTheFirstQuestion_isNotKnown() {
    server.ask("set a 0 0 2", "xy", "get a");
    assertEquals("HD h0 l0\nHD h1 l0\n", server.ask("mg a h l", "mg a h l"));
  }

  /** There, a key is returned in its written form, and here in the sent form. */
  @Test
  void mg_ofBase64Key_returnsItSo() {
    assertEquals("HD\nVA 2 kYWFh b\nxy\n", server.ask("ms aaa 2", "xy", "mg YWFh b k v"));
  }

  /** There, the remaining time of an expired entry is a number near 2^32. */
  @Test
  void mg_thatExpires_leavesNoTime() {
    assertEquals("HD\nHD t0\nEN\n", server.ask("ms a 2", "xy", "mg a T-1 t", "mg a"));
  }

  /** There, the key is shown decoded, whatever bytes it has. */
  @Test
  void me_ofBase64Key_showsItSo() {
    assertEquals(
        "HD\nME YQ== exp=-1 la=0 cas=N fetch=no cls=1 size=62\n",
        server.ask("ms a 2", "xy", "me YQ== b").replaceAll("cas=\\d+", "cas=N"));
  }

  /** There, the reply comes after the block. */
  @Test
  void ms_ofTooMuch_removesWhatWasThere() {
    assertEquals("HD\n", server.ask("ms a 2", "xy"));
    assertEquals(
        "SERVER_ERROR object too large for cache\nEN\n",
        server.ask("ms a 2000000", "x".repeat(2_000_000), "mg a"));
  }

  /** Commands about features that only memcached has. */
  @ParameterizedTest
  @ValueSource(strings = {"stats sizes_enable", "refresh_certs", "extstore free_memchunks 1 1"})
  void commands_thatAreNotSupported_areErrors(String command) {
    assertEquals("ERROR\nMN\n", server.ask(command, "mn"));
  }

  private String askBinary(String requests) {
    EmbeddedChannel channel = server.connect();
    try {
      byte[] bytes = BinaryPackets.encode(requests);
      channel.writeInbound(channel.alloc().buffer().writeBytes(bytes));
      return BinaryPackets.decode(TestServer.received(channel));
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  /** There, as many bytes of the next request are lost as the refused one has extras and key. */
  @Test
  void unknownRequest_withABody_leavesTheNextOneWhole() {
    assertEquals(
        "60 st=81 v=Unknown\\x20command\nnoop st=00 o=00000001\n",
        askBinary("60 key=cluster x=01 v=x\nnoop o=01"));
  }

  /** There, it is unknown, although the text protocol has it. */
  @Test
  void verbosity_inTheBinaryProtocol_isTaken() {
    assertEquals("verbosity st=00 o=00000001\n", askBinary("verbosity x=00000001 o=01"));
  }

  /** There, the surplus counts as the next request. */
  @Test
  void touchAndStat_withAValue_areInvalid() {
    assertEquals("touch st=04 v=Invalid\\x20arguments\n", askBinary("touch key=a x=00000000 v=x"));
    assertEquals("stat st=04 v=Invalid\\x20arguments\n", askBinary("stat key=settings v=x"));
  }

  /** There, this protocol also counts sizes of items. */
  @Test
  void sizesOfItems_inTheBinaryProtocol_areNotFound() {
    assertEquals("stat st=01 v=Not\\x20found\n", askBinary("stat key=sizes_enable"));
  }

  /** There, a write also shows its look-up of the entry. */
  @Test
  void watch_ofFetchers_showsReadsOnly() {
    EmbeddedChannel watcher = server.connect();
    assertEquals("OK\n", TestServer.ask(watcher, "watch fetchers"));
    server.ask("set a 0 0 1", "5", "incr a 1", "delete a");
    watcher.runPendingTasks();
    assertEquals("", TestServer.received(watcher));
    watcher.finishAndReleaseAll();
  }
}
