package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache of ProtoStream, which clients of other protocols use as well. */
class EncodingTest {
  private static final String PROTOSTREAM = "application/x-protostream";

  private final TestServer server = new TestServer();

  @BeforeEach
  void recreate() {
    recreate(PROTOSTREAM);
  }

  private void recreate(String mediaType) {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder().storage(StorageType.OFF_HEAP).encoding(mediaType, mediaType).build());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] wrapped(Object object) {
    return ScalarMarshaller.INSTANCE.toBytes(object);
  }

  private Object stored(String key) {
    CacheEngine<BinaryKey, Bytes> engine = server.engine();
    BinaryKey binaryKey = BinaryKey.of(wrapped(key));
    Object[] value = {"none"};
    engine.peek(
        binaryKey,
        binaryKey.hash(),
        engine.newView(),
        entry -> value[0] = ScalarMarshaller.INSTANCE.fromBytes(entry.value().toByteArray()));
    return value[0];
  }

  private void store(String key, byte[] value) {
    BinaryKey binaryKey = BinaryKey.of(wrapped(key));
    var write = new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(value)).expiry(-1, -1);
    server.engine().write(binaryKey, binaryKey.hash(), write);
  }

  @Test
  void set_keepsAWrappedKeyAndWrappedBytes() {
    assertEquals("STORED\n", server.ask("set k 5 0 5", "hello"));
    assertArrayEquals(TestServer.ascii("hello"), (byte[]) stored("k"));
    assertEquals("VALUE k 5 5\nhello\nEND\n", server.ask("get k"));
    assertEquals("DELETED\n", server.ask("delete k"));
    assertEquals("none", stored("k"));
  }

  @Test
  void get_unwrapsWhatOthersWrote() {
    store("s", wrapped("text"));
    store("i", wrapped(42));
    assertEquals("VALUE s 0 4\ntext\nVALUE i 0 2\n42\nEND\n", server.ask("get s i missing"));
  }

  @Test
  void get_ofAMessage_failsAndTheConnectionGoesOn() {
    store("m", message('x'));
    String answer = server.ask("get m", "get s");
    assertTrue(answer.startsWith("SERVER_ERROR "), answer);
    assertTrue(answer.endsWith("\nEND\n"), answer);
  }

  private static byte[] message(char type) {
    return new byte[] {(byte) 0x82, 1, 1, (byte) type, (byte) 0x8A, 1, 0};
  }

  private void storeMessageByMessage(char type) {
    BinaryKey key = BinaryKey.of(message(type));
    var write = new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(message(type))).expiry(-1, -1);
    server.engine().write(key, key.hash(), write);
  }

  @Test
  void lists_withKeysThatAreMessages_areComplete() {
    store("a", wrapped("1"));
    storeMessageByMessage('x');
    store("b", message('y'));
    List<String> keys =
        server
            .ask("lru_crawler metadump all")
            .lines()
            .map(line -> line.replaceAll(" exp=.* size", " size"))
            .sorted()
            .toList();
    assertEquals(
        List.of("END", "key=%82%01%01x%8A%01%00 size=73", "key=a size=61", "key=b size=67"), keys);
    List<String> items = server.ask("stats cachedump 1 0").lines().sorted().toList();
    assertEquals(List.of("END", "ITEM a [1 b; 0 s]", "ITEM b [7 b; 0 s]"), items);
  }

  @Test
  void watch_ofEvictionsOfMessages_showsTheirBytes() {
    server.node.removeCache(TestServer.CACHE);
    server.node.createForServer(
        TestServer.CACHE,
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .segments(1)
            .maxCount(1)
            .encoding(PROTOSTREAM, PROTOSTREAM)
            .build());
    EmbeddedChannel watcher = server.connect();
    assertEquals("OK\n", TestServer.ask(watcher, "watch evictions"));
    for (char type = 'a'; type <= 'z'; type++) {
      storeMessageByMessage(type);
    }
    watcher.runPendingTasks();
    String lines = TestServer.received(watcher);
    watcher.finishAndReleaseAll();
    assertTrue(lines.contains(" type=eviction key=%82%01%01"), lines);
  }

  @Test
  void arithmeticAndConcatenation_workOnTheContent() {
    store("n", wrapped("10"));
    assertEquals("13\n", server.ask("incr n 3"));
    assertEquals("9\n", server.ask("decr n 4"));
    assertEquals("VALUE n 0 2\n9 \nEND\n", server.ask("get n"));
    assertEquals("STORED\n", server.ask("append n 0 0 2", "ab"));
    assertEquals("STORED\n", server.ask("prepend n 0 0 1", "x"));
    assertEquals("VALUE n 0 5\nx9 ab\nEND\n", server.ask("get n"));
    store("i", wrapped(42));
    assertEquals("43\n", server.ask("incr i 1"));
  }

  @Test
  void conditions_holdForWrappedKeys() {
    store("a", wrapped("1"));
    assertEquals("NOT_STORED\n", server.ask("add a 0 0 1", "2"));
    assertEquals("STORED\n", server.ask("replace a 0 0 1", "3"));
    assertEquals("TOUCHED\n", server.ask("touch a 100"));
    String[] words = server.ask("gets a").lines().findFirst().orElseThrow().split(" ", -1);
    assertEquals("STORED\n", server.ask("cas a 0 0 1 " + words[4], "4"));
    assertEquals("VALUE a 0 1\n4\nEND\n", server.ask("get a"));
  }

  @Test
  void textCache_keepsTheBytes() {
    recreate("text/plain");
    assertEquals("STORED\n", server.ask("set k 0 0 2", "hi"));
    assertEquals("VALUE k 0 2\nhi\nEND\n", server.ask("get k"));
  }

  @Test
  void cacheOfAnotherType_isRefusedByName() {
    recreate("image/png");
    String answer = server.ask("set k 0 0 2", "hi");
    assertTrue(answer.contains("image/png"), answer);
  }
}
