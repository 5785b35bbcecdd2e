package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingRequestTest {
  private static final String PLAIN = "/rest/v2/caches/plain";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void keys_ofEmptyCache_areAnEmptyArray() {
    TestResponse keys = client.get(PLAIN + "?action=keys");
    assertEquals("[]", keys.text());
    assertEquals("application/json", keys.header("content-type"));
    assertEquals("chunked", keys.header("transfer-encoding"));
    assertEquals("text/plain", keys.header("key-content-type"));
  }

  @Test
  void keys_areQuotedAndEscaped() {
    client.put(PLAIN + "/a%22%5C%0A%C3%A4", "1");
    assertEquals("[\"a\\\"\\\\\\u000aä\"]", client.get(PLAIN + "?action=keys").text());
  }

  @Test
  void keys_thatAreNoText_areHexDigits() {
    String hex = "Key-Content-Type: application/octet-stream; encoding=hex";
    client.put(PLAIN + "/0xFF00", "1", hex);
    assertEquals("[\"0xff00\"]", client.get(PLAIN + "?action=keys").text());
  }

  @Test
  void keysOfProtostream_areText_entriesJson() {
    client.put("/rest/v2/caches/proto/k", "v", "Content-Type: text/plain");
    assertEquals("[\"k\"]", client.get("/rest/v3/caches/proto/keys").text());
    TestResponse entries = client.get("/rest/v3/caches/proto/entries");
    String key = "{\"_type\":\"string\",\"_value\":\"k\"}";
    String value = "{\"_type\":\"string\",\"_value\":\"v\"}";
    assertEquals("[{\"key\":" + key + ",\"value\":" + value + "}]", entries.text());
    assertEquals("application/json", entries.header("key-content-type"));
    assertEquals("application/json", entries.header("value-content-type"));
  }

  @Test
  void entries_withMetadata_haveTimesAndVersion() {
    String tag = client.put(PLAIN + "/k", "v", "timeToLiveSeconds: 5").etag();
    String expected =
        """
        [{"key":"k","value":"v","timeToLiveSeconds":5,"maxIdleTimeSeconds":-1,\
        "created":%d,"lastUsed":-1,"expireTime":%d,"version":%s}]\
        """
            .formatted(
                TestServer.START_MILLIS, TestServer.START_MILLIS + 5000, tag.replace("\"", ""));
    assertEquals(expected, client.get(PLAIN + "?action=entries&metadata=true").text());
  }

  @Test
  void entriesInBase64_haveTheBytesThatAreKept_andTheirTypes() {
    String hex = "Key-Content-Type: application/octet-stream; encoding=hex";
    client.put(PLAIN + "/0xFF00", "1", hex, "Content-Type: text/plain");
    TestResponse entries = client.get(PLAIN + "?action=entries&encoding=base64");
    assertEquals("[{\"key\":\"/wA=\",\"value\":\"MQ==\",\"type\":\"text/plain\"}]", entries.text());
    assertEquals("application/unknown", entries.header("key-content-type"));
    assertEquals("[\"/wA=\"]", client.get(PLAIN + "?action=keys&encoding=base64").text());
  }

  @Test
  void entriesOfProtostreamInBase64_areWrappedMessages() {
    String proto = "/rest/v2/caches/proto";
    client.put(proto + "/k", "v", "Content-Type: text/plain");
    TestResponse entries = client.get(proto + "?action=entries&encoding=base64&metadata=true");
    assertTrue(
        entries.text().startsWith("[{\"key\":\"SgFr\",\"value\":\"SgF2\",\"type\":\"text/plain\","),
        entries::text);
    assertEquals("application/x-protostream", entries.header("value-content-type"));
  }

  @Test
  void entryThatIsLarge_isWrittenInSmallParts() {
    int size = 1 << 20;
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(server.node.engine("plain"));
    BinaryKey key = BinaryKey.of(new byte[] {'k'});
    engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[size])));
    Transcoder transcoder = server.catalog.schemas().transcoder();
    ListingWriter writer =
        new ListingWriter(new Listing(engine, transcoder, false, true, -1, false), false);
    ByteBuf out = Unpooled.buffer();
    boolean isDone = false;
    while (!isDone) {
      int before = out.writerIndex();
      isDone = writer.writePart(out);
      int written = out.writerIndex() - before;
      assertTrue(written < 64 << 10, () -> "bytes of a part: " + written);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    String start = "[{\"key\":\"k\",\"value\":\"" + "\\u0000".repeat(size) + "\",\"timeToLive";
    assertEquals(start, text.substring(0, start.length()));
    assertTrue(text.endsWith("}]"));
  }

  @Test
  void listing_inAnUnknownEncoding_isRefused() {
    assertEquals(400, client.get(PLAIN + "?action=keys&encoding=hex").status());
  }

  @Test
  void listing_ofManyEntries_hasEachOnce() {
    fill(5000);
    String text = client.get(PLAIN + "?action=keys").text();
    String[] keys = text.substring(1, text.length() - 1).split(",", -1);
    assertEquals(5000, keys.length);
    assertEquals(5000, new TreeSet<>(Arrays.asList(keys)).size());
  }

  @Test
  void listing_withLimit_endsThere() {
    fill(100);
    assertEquals(7, client.get(PLAIN + "?action=keys&limit=7").text().split(",", -1).length);
    assertEquals("[]", client.get(PLAIN + "?action=keys&limit=0").text());
    assertEquals(100, client.get(PLAIN + "?action=keys&limit=-1").text().split(",", -1).length);
  }

  @Test
  void listing_leavesExpiredEntriesOut() {
    client.put(PLAIN + "/a", "1", "timeToLiveSeconds: 1");
    client.put(PLAIN + "/b", "1");
    server.nowMillis += 1000;
    assertEquals("[\"b\"]", client.get(PLAIN + "?action=keys").text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=x", "batch=x", "metadata=x", "delivery-guarantee=exactly_once"})
  void listing_withMalformedParameter_is400(String parameter) {
    assertEquals(400, client.get(PLAIN + "?action=entries&" + parameter).status());
  }

  @Test
  void listing_toHttp10_endsWithTheConnection() {
    client.put(PLAIN + "/a", "1");
    client.send("GET " + PLAIN + "?action=keys HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    TestResponse keys = client.next(false);
    assertEquals("[\"a\"]", keys.text());
    assertEquals("close", keys.header("connection"));
    assertFalse(client.isOpen());
  }

  @Test
  void listing_toHead_hasNoBody() {
    assertEquals(200, client.request("HEAD", PLAIN + "?action=keys").status());
    assertEquals("[]", client.get(PLAIN + "?action=keys").text());
  }

  @Test
  void listing_whenClientTakesNothing_stopsAndGoesOn() {
    fill(20_000);
    var buffer = client.channel.unsafe().outboundBuffer();
    buffer.setUserDefinedWritability(1, false);
    client.send("GET " + PLAIN + "?action=keys HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    assertEquals(0, client.received().length);
    assertFalse(client.channel.config().isAutoRead());
    long pending = server.allocator.metric().usedDirectMemory();
    assertTrue(pending < 200_000, "pending bytes: " + pending);
    buffer.setUserDefinedWritability(1, true);
    client.collect();
    assertEquals(20_000, client.next(false).text().split(",", -1).length);
    assertEquals(200, client.next(false).status());
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void listing_ofCacheThatIsRemovedMeanwhile_breaksOff() {
    fill(20_000);
    var buffer = client.channel.unsafe().outboundBuffer();
    server.holding = true;
    client.send("GET " + PLAIN + "?action=keys HTTP/1.1\r\n\r\n");
    buffer.setUserDefinedWritability(1, false);
    server.held.remove().run();
    client.collect();
    server.holding = false;
    server.node.removeCache("plain");
    buffer.setUserDefinedWritability(1, true);
    client.collect();
    assertFalse(client.isOpen());
    String text = new String(client.received(), StandardCharsets.UTF_8);
    assertFalse(text.endsWith("0\r\n\r\n"));
  }

  @Test
  void listing_ofALocalCache_isWrittenAsideFromTheEventLoop() {
    client.put(PLAIN + "/k", "v");
    server.holding = true;
    client.send("GET " + PLAIN + "?action=entries HTTP/1.1\r\n\r\n");
    server.held.remove().run(); // begins the listing
    client.collect();
    assertEquals(1, server.held.size(), "writes its first part");
    server.held.remove().run();
    client.collect();
    assertEquals("[{\"key\":\"k\",\"value\":\"v\"}]", client.next(false).text());
    assertEquals(0, server.held.size());
  }

  @Test
  void listing_whenClientGoesAway_givesMemoryBack() {
    fill(20_000);
    client.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    client.send("GET " + PLAIN + "?action=keys HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    client.close();
  }

  private void fill(int count) {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < count; i++) {
      requests.append("PUT ").append(PLAIN).append("/key-").append(i).append(" HTTP/1.1\r\n\r\n");
    }
    client.send(requests.toString());
    assertEquals(count, server.engine("plain").size());
    client.forget();
  }
}
