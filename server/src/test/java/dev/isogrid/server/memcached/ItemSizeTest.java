package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The largest items of a port with memcached's count. */
class ItemSizeTest {
  private static final int ITEM_SIZE_MAX = 1 << 20;
  private static final String TOO_LARGE = "SERVER_ERROR object too large for cache\n";

  private final TestServer server = new TestServer(10 << 20);

  @AfterEach
  void close() {
    server.close();
  }

  private String ask(String... lines) {
    EmbeddedChannel channel = new EmbeddedChannel();
    server.protocol.withItemSizeMax(ITEM_SIZE_MAX).install(channel.pipeline());
    try {
      return TestServer.ask(channel, lines);
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  /** The numbers are those of memcached 1.6.18 with its default limit. */
  @ParameterizedTest
  @CsvSource({
    "set a 0 0 1048516, STORED",
    "set a 0 0 1048517, SERVER_ERROR object too large for cache",
    "set a 5 0 1048512, STORED",
    "set a 5 0 1048513, SERVER_ERROR object too large for cache",
    "add abcdefgh 0 0 1048509, STORED",
    "add abcdefgh 0 0 1048510, SERVER_ERROR object too large for cache",
    "ms a 1048516, HD",
    "ms a 1048517, SERVER_ERROR object too large for cache",
    "ms a 1048512 F5, HD",
    "ms a 1048513 F5, SERVER_ERROR object too large for cache"
  })
  void store_atTheLimit_isAsMemcached(String command, String reply) {
    int length = Integer.parseInt(command.replaceAll(" F5", "").replaceAll(".* ", ""));
    assertEquals(reply + "\nMN\n", ask(command, "x".repeat(length), "mn"));
  }

  @Test
  void set_aboveTheLimit_removesWhatWasThere() {
    String large = "x".repeat(2_000_000);
    assertEquals("STORED\n" + TOO_LARGE, ask("set a 0 0 1", "x", "set a 0 0 2000000", large));
    assertEquals("END\n", ask("get a"));
  }

  @Test
  void append_aboveTheLimit_leavesWhatWasThere() {
    ask("set a 0 0 1000000", "x".repeat(1_000_000));
    String more = "x".repeat(100_000);
    assertEquals(
        "NOT_STORED\nNS\nHD s1000000\n",
        ask("append a 0 0 100000", more, "ms a 100000 MA", more, "mg a s"));
  }

  @Test
  void set_whereNoItemsAreCounted_takesWhatARequestMayHave() {
    assertEquals("STORED\n", server.ask("set a 0 0 2000000", "x".repeat(2_000_000)));
  }

  @Test
  void settings_ofThePort_tellItsLimit() {
    assertEquals(true, ask("stats settings").contains("STAT item_size_max 1048576\n"));
  }
}
