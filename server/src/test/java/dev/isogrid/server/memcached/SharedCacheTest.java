package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Entries of other protocols, and caches that are created and removed. */
class SharedCacheTest {
  private static final String MEDIA_TYPE = "text/plain";

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  private void look(String key, EntryReader<BinaryKey, Bytes> reader) {
    CacheEngine<BinaryKey, Bytes> engine = server.engine();
    BinaryKey binaryKey = BinaryKey.of(TestServer.ascii(key));
    assertTrue(engine.peek(binaryKey, binaryKey.hash(), engine.newView(), reader));
  }

  @Test
  void gets_ofAnotherProtocolsEntry_hasFlagsZeroAndACasUnique() {
    server.put("a", "hello", Expiry.UNLIMITED, Expiry.UNLIMITED, MEDIA_TYPE);
    String reply = server.ask("gets a");
    assertTrue(reply.matches("VALUE a 0 5 [1-9][0-9]*\nhello\nEND\n"), reply);
    assertEquals(reply, server.ask("gets a"));
  }

  @Test
  void cas_ofAnotherProtocolsEntry_comparesItsVersion() {
    server.put("a", "hello", Expiry.UNLIMITED, Expiry.UNLIMITED, MEDIA_TYPE);
    String unique = server.ask("gets a").lines().findFirst().orElseThrow().split(" ", -1)[4];
    server.put("a", "world", Expiry.UNLIMITED, Expiry.UNLIMITED, MEDIA_TYPE);
    assertEquals("EXISTS\n", server.ask("cas a 0 0 1 " + unique, "x"));
  }

  @Test
  void set_overAnotherProtocolsEntry_leavesNothingOfIt() {
    server.put("a", "hello", 5000, 1000, MEDIA_TYPE);
    server.ask("set a 4294967295 0 1", "x");
    look(
        "a",
        entry -> {
          assertNull(entry.mediaType());
          assertEquals(Expiry.UNLIMITED, entry.lifespanMillis());
          assertEquals(Expiry.UNLIMITED, entry.maxIdleMillis());
          assertEquals(-1, entry.clientFlags());
        });
  }

  @Test
  void incr_ofAnotherProtocolsEntry_keepsItsTimesAndMediaType() {
    server.put("a", "9", 5000, 1000, MEDIA_TYPE);
    server.world.advance(400);
    assertEquals("10\n", server.ask("incr a 1"));
    look(
        "a",
        entry -> {
          assertEquals(MEDIA_TYPE, entry.mediaType());
          assertEquals(4600, entry.lifespanMillis());
          assertEquals(1000, entry.maxIdleMillis());
        });
  }

  @Test
  void append_toAnotherProtocolsEntry_keepsItsTimesAndMediaType() {
    server.put("a", "9", 5000, 1000, MEDIA_TYPE);
    server.world.advance(400);
    assertEquals("STORED\n", server.ask("append a 0 0 1", "x"));
    look(
        "a",
        entry -> {
          assertEquals(MEDIA_TYPE, entry.mediaType());
          assertEquals(4600, entry.lifespanMillis());
          assertEquals(1000, entry.maxIdleMillis());
        });
  }

  @Test
  void touch_ofAnotherProtocolsEntry_keepsMaxIdleAndVersion() {
    server.put("a", "9", 5000, 1000, MEDIA_TYPE);
    String before = server.ask("gets a");
    assertEquals("TOUCHED\n", server.ask("touch a 100"));
    assertEquals(before, server.ask("gets a"));
    look(
        "a",
        entry -> {
          assertEquals(100_000, entry.lifespanMillis());
          assertEquals(1000, entry.maxIdleMillis());
          assertEquals(MEDIA_TYPE, entry.mediaType());
        });
  }

  @Test
  void set_inACacheWithDefaultTimes_ignoresThem() {
    server.node.removeCache(TestServer.CACHE);
    createCache(
        CacheConfig.builder()
            .storage(StorageType.HEAP_BINARY)
            .lifespan(10, TimeUnit.SECONDS)
            .maxIdle(1, TimeUnit.SECONDS)
            .build());
    server.ask(
        "set a 0 0 1", "x", "set b 0 0 1", "1", "incr b 1", "touch b 0", "append a 0 0 1", "y");
    server.world.advance(1_000_000);
    assertEquals("VALUE a 0 2\nxy\nVALUE b 0 1\n2\nEND\n", server.ask("get a b"));
  }

  private void createCache(CacheConfig config) {
    server.node.createForServer(TestServer.CACHE, config);
  }

  @Test
  void commands_withoutTheCache_failEachAndTheConnectionGoesOn() {
    server.node.removeCache(TestServer.CACHE);
    EmbeddedChannel channel = server.connect();
    String failed =
        "SERVER_ERROR cache not found: name=memcachedCache; create it to use memcached clients\n";
    assertEquals(failed, TestServer.ask(channel, "get a b c"));
    assertEquals(failed, TestServer.ask(channel, "set a 0 0 1", "x"));
    assertEquals(
        failed + "MN\n", TestServer.ask(channel, "set a 0 0 1048577", "x".repeat(1048577), "mn"));
    assertEquals(failed, TestServer.ask(channel, "gat 0 a b"));
    assertEquals(failed, TestServer.ask(channel, "incr a 1"));
    assertEquals(failed, TestServer.ask(channel, "delete a"));
    assertEquals(failed, TestServer.ask(channel, "touch a 1"));
    assertEquals(failed, TestServer.ask(channel, "flush_all"));
    assertEquals(failed, TestServer.ask(channel, "stats"));
    assertEquals("MN\n", TestServer.ask(channel, "set a 0 0 1 noreply", "x", "mn"));
    createCache(CacheConfig.builder().storage(StorageType.HEAP_BINARY).build());
    assertEquals(
        "STORED\nVALUE a 0 1\nx\nEND\n", TestServer.ask(channel, "set a 0 0 1", "x", "get a"));
    channel.finishAndReleaseAll();
  }

  /** A flush is executed aside, for which the value of its command would be copied. */
  @Test
  void valueOfAFailedCommand_isForgottenBeforeTheNextOne() {
    server.node.removeCache(TestServer.CACHE);
    EmbeddedChannel channel = server.connect();
    for (String packet : List.of("set key=a x=0000000000000000 v=x", "flush")) {
      byte[] request = BinaryPackets.encode(packet);
      channel.writeInbound(channel.alloc().buffer().writeBytes(request));
      String reply = BinaryPackets.decode(TestServer.received(channel));
      assertTrue(reply.contains("cache\\x20not\\x20found"), reply);
    }
    channel.finishAndReleaseAll();
  }

  @Test
  void commands_afterTheCacheWasReplaced_useTheNewOne() {
    EmbeddedChannel channel = server.connect();
    TestServer.ask(channel, "set a 0 0 1", "x");
    server.node.removeCache(TestServer.CACHE);
    createCache(CacheConfig.builder().storage(StorageType.HEAP_BINARY).build());
    assertEquals("END\nSTORED\n", TestServer.ask(channel, "get a", "set a 0 0 1", "y"));
    assertEquals(1, server.engine().size());
    channel.finishAndReleaseAll();
  }

  @Test
  void commands_onACacheOfObjects_tellWhatToDo() {
    server.node.removeCache(TestServer.CACHE);
    createCache(CacheConfig.builder().storage(StorageType.HEAP_OBJECT).build());
    assertTrue(server.ask("get a").startsWith("SERVER_ERROR cache keeps objects"));
  }
}
