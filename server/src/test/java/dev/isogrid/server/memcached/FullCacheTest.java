package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The replies to memcached clients for writes at a bound. */
class FullCacheTest {
  private static final String FULL = "SERVER_ERROR out of memory storing object\n";

  private final TestServer server = new TestServer();

  @BeforeEach
  void fill() {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .maxCount(1)
            .whenFull(WhenFull.EXCEPTION)
            .build());
    assertEquals("STORED\n", server.ask("set a 0 0 1", "1"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"set", "add"})
  void store_intoFullCache_isRefusedAndTheBlockSwallowed(String command) {
    assertEquals(
        FULL + "VALUE a 0 1\n1\nEND\n", server.ask(command + " b 0 0 7", "delete ", "get a b"));
  }

  @Test
  void store_intoFullCache_leavesTheConnectionUsable() {
    EmbeddedChannel channel = server.connect();
    assertEquals(FULL, TestServer.ask(channel, "set b 0 0 1", "2"));
    assertEquals("STORED\n", TestServer.ask(channel, "set a 0 0 1", "3"));
    assertEquals("DELETED\nSTORED\n", TestServer.ask(channel, "delete a", "set b 0 0 1", "4"));
    assertEquals("VALUE b 0 1\n4\nEND\n", TestServer.ask(channel, "get b"));
    channel.finishAndReleaseAll();
  }

  @Test
  void store_intoFullCacheSilently_isSilent() {
    assertEquals("MN\n", server.ask("set b 0 0 1 noreply", "2", "mn"));
    assertEquals("END\n", server.ask("get b"));
  }

  @Test
  void stats_afterARefusal_countIt() {
    server.ask("set b 0 0 1", "2");
    assertEquals(1, server.ask("stats").split("STAT store_no_memory 1\n", -1).length - 1);
  }
}
