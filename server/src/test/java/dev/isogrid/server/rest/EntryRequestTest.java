package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryRequestTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void put_ofNewKey_isReadBack() {
    TestResponse put = client.put(ENTRY, "value");
    assertEquals(204, put.status());
    TestResponse get = client.get(ENTRY);
    assertEquals(200, get.status());
    assertEquals("value", get.text());
    assertEquals(put.etag(), get.etag());
    assertTrue(get.etag().matches("\"\\d+\""), get.etag());
    assertEquals("no-cache", get.header("cache-control"));
    assertEquals("application/octet-stream", get.header("content-type"));
    assertEquals("Fri, 15 Jan 2027 08:00:00 GMT", get.header("date"));
  }

  @Test
  void put_again_changesValueAndTag() {
    String first = client.put(ENTRY, "1").etag();
    String second = client.put(ENTRY, "1").etag();
    assertTrue(!first.equals(second));
    assertEquals(second, client.get(ENTRY).etag());
  }

  @Test
  void get_ofAbsentKey_is404() {
    TestResponse get = client.get(ENTRY);
    assertEquals(404, get.status());
    assertEquals("0", get.header("content-length"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "POST", "DELETE", "HEAD"})
  void entry_ofUnknownCache_is404WithCode(String verb) {
    TestResponse response = client.request(verb, "/rest/v2/caches/none/k");
    assertEquals(404, response.status());
    assertEquals(!verb.equals("HEAD"), response.text().startsWith("ISPN012010: "));
  }

  @Test
  void head_ofEntry_hasLengthOfValueAndNoBody() {
    client.put(ENTRY, "value", "Content-Type: text/plain");
    client.send("HEAD " + ENTRY + " HTTP/1.1\r\n\r\n");
    TestResponse head = client.next(true);
    assertEquals(200, head.status());
    assertEquals("5", head.header("content-length"));
    assertEquals("text/plain", head.header("content-type"));
    assertEquals(0, client.received().length);
  }

  @Test
  void post_ofNewKey_stores() {
    TestResponse post = client.post(ENTRY, "1");
    assertEquals(204, post.status());
    assertEquals(client.get(ENTRY).etag(), post.etag());
  }

  @Test
  void post_ofPresentKey_is409AndLeavesIt() {
    client.put(ENTRY, "1");
    TestResponse post = client.post(ENTRY, "2");
    assertEquals(409, post.status());
    assertEquals("An entry already exists", post.text());
    assertEquals("1", client.get(ENTRY).text());
  }

  @Test
  void delete_removesOnce() {
    client.put(ENTRY, "1");
    assertEquals(204, client.request("DELETE", ENTRY).status());
    assertEquals(404, client.request("DELETE", ENTRY).status());
    assertEquals(404, client.get(ENTRY).status());
  }

  @Test
  void put_withoutBody_storesEmptyValue() {
    assertEquals(204, client.request("PUT", ENTRY).status());
    TestResponse get = client.get(ENTRY);
    assertEquals(200, get.status());
    assertEquals("0", get.header("content-length"));
    assertEquals(204, client.request("PUT", ENTRY, "Content-Length: 0").status());
  }

  @Test
  void put_ofBinaryValue_isKeptToTheByte() {
    byte[] value = new byte[40_000];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i * 31);
    }
    assertEquals(204, client.request("PUT", ENTRY, value).status());
    assertArrayEquals(value, client.get(ENTRY).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rest/v2/caches/plain/a%2Fb",
        "/rest/v2/caches/plain/a%2fb/",
        "//rest//v2/caches///plain/a%2Fb",
        "/rest/v2/caches/plain/a%2Fb?",
        "/rest/v2/caches/plain/a%2Fb?extended",
        "/rest/v2/caches/plain/a%2Fb#part",
        "/%72est/v%32/caches/pl%61in/%61%2F%62",
        "http://here:11222/rest/v2/caches/plain/a%2Fb",
        "/rest/v3/caches/plain/entries/a%2Fb"
      })
  void get_ofSamePathWrittenInOtherWays_findsEntry(String target) {
    client.put("/rest/v2/caches/plain/a%2Fb", "value");
    assertEquals("value", client.get(target).text());
    assertEquals("a/b", new String(onlyKey("plain"), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%C3%A4%E2%82%AC%F0%9F%98%80", "ä€😀"})
  void put_ofUnicodeKey_keepsUtf8(String key) {
    byte[] request =
        ("PUT /rest/v2/caches/plain/" + key + " HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")
            .getBytes(StandardCharsets.UTF_8);
    client.send(request);
    assertEquals(204, client.next(false).status());
    assertEquals("ä€😀", new String(onlyKey("plain"), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%", "a%2", "a%zz", "%-1"})
  void get_ofMalformedEscape_is400(String key) {
    assertEquals(400, client.get("/rest/v2/caches/plain/" + key).status());
    assertEquals(404, client.get(ENTRY).status());
  }

  /** As in Infinispan, whose own client for REST sends blanks so. */
  @Test
  void put_ofPlusInKey_isABlank() {
    client.put("/rest/v2/caches/plain/a+b%2B", "1");
    assertEquals("a b+", new String(onlyKey("plain"), StandardCharsets.UTF_8));
    assertEquals(200, client.get("/rest/v2/caches/plain/a%20b%2B").status());
    assertEquals(404, client.get("/rest/v2/caches+/plain/a+b%2B").status());
  }

  @Test
  void put_ofPlusInBase64_isADigit() {
    String base64 = "Key-Content-Type: application/octet-stream";
    assertEquals(204, client.put("/rest/v2/caches/plain/++-_", "1", base64).status());
    assertArrayEquals(new byte[] {-5, -17, -65}, onlyKey("plain"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "text/", "/plain"})
  void put_ofMalformedMediaType_is400(String type) {
    assertEquals(400, client.put(ENTRY, "1", "Content-Type: " + type).status());
    assertEquals(400, client.put(ENTRY, "1", "Key-Content-Type: " + type).status());
    assertEquals(404, client.get(ENTRY).status());
  }

  @Test
  void put_ofBinaryKeys_decodesThem() {
    String base64 = "Key-Content-Type: application/octet-stream";
    assertEquals(204, client.put("/rest/v2/caches/plain/yv66vg==", "1", base64).status());
    assertArrayEquals(new byte[] {-54, -2, -70, -66}, onlyKey("plain"));
    String hex = "Key-Content-Type: application/octet-stream; encoding=hex";
    assertEquals("1", client.get("/rest/v2/caches/plain/0xCAFEbabe", hex).text());
    assertEquals(400, client.get("/rest/v2/caches/plain/0xCAF", hex).status());
    assertEquals(400, client.get("/rest/v2/caches/plain/*", base64).status());
  }

  @Test
  void put_withTimes_reportsThem() {
    client.put(ENTRY, "1", "timeToLiveSeconds: 100", "maxIdleTimeSeconds: 30");
    server.nowMillis += 10_000;
    TestResponse get = client.get(ENTRY);
    assertEquals("100", get.header("timetoliveseconds"));
    assertEquals("30", get.header("maxidletimeseconds"));
    assertEquals("" + TestServer.START_MILLIS, get.header("created"));
    assertEquals("" + server.nowMillis, get.header("lastused"));
    assertEquals("Fri, 15 Jan 2027 08:00:00 GMT", get.header("last-modified"));
    assertEquals("Fri, 15 Jan 2027 08:00:40 GMT", get.header("expires"));
    server.nowMillis += 30_000;
    assertEquals(404, client.get(ENTRY).status());
  }

  @Test
  void get_ofImmortalEntry_hasNoTimes() {
    client.put(ENTRY, "1");
    TestResponse get = client.get(ENTRY);
    for (String name : new String[] {"timetoliveseconds", "created", "lastused", "expires"}) {
      assertNull(get.header(name), name);
    }
    assertNull(get.header("last-modified"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "soon", "", "99999999999999999999", "9223372036854775807"})
  void put_withOddLifespan_doesNotEndSoon(String seconds) {
    assertEquals(204, client.put(ENTRY, "1", "timeToLiveSeconds: " + seconds).status());
    server.nowMillis += 1_000_000_000_000L;
    assertEquals(200, client.get(ENTRY).status());
  }

  @Test
  void get_withMinFresh_hidesWhatEndsSooner() {
    client.put(ENTRY, "1", "timeToLiveSeconds: 100");
    assertEquals(200, client.get(ENTRY, "Cache-Control: no-store, min-fresh=100").status());
    assertEquals(404, client.get(ENTRY, "Cache-Control: min-fresh=101").status());
    assertEquals(400, client.get(ENTRY, "Cache-Control: min-fresh=x").status());
    client.put(ENTRY, "1");
    assertEquals(200, client.get(ENTRY, "Cache-Control: min-fresh=9999999999999").status());
  }

  @Test
  void flags_ofEmbeddedApi_areAcceptedAndOthersRefused() {
    String known = "flags: SKIP_CACHE_LOAD,IGNORE_RETURN_VALUES";
    assertEquals(204, client.put(ENTRY, "1", known).status());
    TestResponse refused = client.put(ENTRY, "2", "flags: FASTER");
    assertEquals(400, refused.status());
    assertEquals("1", client.get(ENTRY).text());
    client.get(ENTRY, "flags: SKIP_STATISTICS");
    String stats = client.get("/rest/v2/caches/plain?action=stats").text();
    assertTrue(stats.contains("\"hits\":1,"), stats);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?extended", "?extended=true"})
  void get_extended_namesTheNodes(String query) {
    client.put(ENTRY, "1");
    TestResponse get = client.get(ENTRY + query);
    String name = server.node.nodeName();
    assertEquals(name, get.header("cluster-primary-owner"));
    assertEquals("", get.header("cluster-backup-owners"));
    assertEquals(name, get.header("cluster-node-name"));
    assertEquals("[]", get.header("cluster-server-address"));
    assertNull(client.get(ENTRY).header("cluster-node-name"));
  }

  @Test
  void address_ofAServerWithoutCluster_isItsOwn() {
    client.put(ENTRY, "1");
    server.context().ownEndpoint().announced("10.0.0.1:11222");
    TestResponse get = client.get(ENTRY + "?extended");
    assertEquals("[10.0.0.1:11222]", get.header("cluster-server-address"));
    String owners = client.get(ENTRY + "?action=distribution").text();
    assertTrue(owners.contains("\"node_addresses\":[\"10.0.0.1:11222\"]"), owners);
    String container = client.get("/rest/v2/container").text();
    assertTrue(container.contains("\"physical_addresses\":[\"10.0.0.1:11222\"]"), container);
    String members = client.get("/rest/v2/cluster/members").text();
    assertTrue(members.contains("\"physical_addresses\":[\"10.0.0.1:11222\"]"), members);
  }

  @Test
  void distribution_ofKey_namesTheNode() {
    client.put(ENTRY, "1");
    String expected =
        """
        {"contains_key":true,"owners":[{"node_name":"node-a","primary":true,"node_addresses":[]}]}\
        """;
    assertEquals(expected, client.get(ENTRY + "?action=distribution").text());
    String absent = client.get("/rest/v3/caches/plain/_distribution/x").text();
    assertEquals("{\"contains_key\":false,\"owners\":[]}", absent);
    assertEquals(400, client.get(ENTRY + "?action=dance").status());
    assertEquals(400, client.get(ENTRY + "?action=").status());
  }

  @Test
  void entry_whenCacheIsRemovedAndCreatedAgain_followsIt() {
    client.put(ENTRY, "1");
    server.node.removeCache("plain");
    assertEquals(404, client.get(ENTRY).status());
    server.create("plain", "application/unknown");
    assertEquals(404, client.get(ENTRY).status());
    assertEquals(204, client.put(ENTRY, "2").status());
    assertEquals("2", client.get(ENTRY).text());
  }

  @Test
  void get_ofEntryWithHostileMediaType_keepsHeadersApart() {
    BinaryKey key = BinaryKey.of(new byte[] {'k'});
    var write = new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(new byte[] {'v'}));
    server.engine("plain").write(key, key.hash(), write.attributes(0, "a/b\r\nX: y"));
    TestResponse get = client.get(ENTRY);
    assertNull(get.header("x"));
    assertEquals("application/octet-stream", get.header("content-type"));
  }

  private byte[] onlyKey(String cache) {
    var engine = server.engine(cache);
    assertEquals(1, engine.size());
    var view = engine.newView();
    for (int segment = 0; segment < engine.segmentCount(); segment++) {
      if (engine.snapshot(segment).next(view)) {
        return view.key().toByteArray();
      }
    }
    throw new AssertionError("no key");
  }
}
