package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongKeyRequestTest {
  private static final String PLAIN = "/rest/v2/caches/plain?action=put";
  private static final String PROTO = "/rest/v2/caches/proto?action=put";
  private static final String TEXT = "Content-Type: text/plain";
  private static final String KEY = "k".repeat(10_000);

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private String entries(String cache) {
    return client
        .get("/rest/v2/caches/" + cache + "?action=entries&metadata=true&content-negotiation=true")
        .text();
  }

  @Test
  void put_ofALongKey_keepsKeyValueAndTimes() {
    String times = "&time-to-live-seconds=60&max-idle-time-seconds=30";
    assertEquals(
        204, client.post(PLAIN + "&key-length=10000" + times, KEY + "value", TEXT).status());
    String entries = entries("plain");
    assertTrue(entries.contains("\"" + KEY + "\""), entries);
    assertTrue(entries.contains("\"value\""), entries);
    assertTrue(entries.contains("\"timeToLiveSeconds\":60,\"maxIdleTimeSeconds\":30"), entries);
  }

  @Test
  void put_ofAShortKey_isTheEntryOfThePath() {
    assertEquals(204, client.post(PLAIN + "&key-length=1", "kv1").status());
    assertEquals("v1", client.get("/rest/v2/caches/plain/k").text());
    assertEquals(204, client.post("/rest/v3/caches/plain/_put?key-length=1", "kv2").status());
    assertEquals("v2", client.get("/rest/v2/caches/plain/k").text());
  }

  @Test
  void put_intoACacheOfProtoStream_convertsBoth() {
    String typed =
        "&key-length=1&key-content-type=application/x-java-object%3Btype%3Djava.lang.Long";
    assertEquals(204, client.post(PROTO + typed, "7seven", TEXT).status());
    TestResponse read =
        client.get(
            "/rest/v2/caches/proto/7",
            "Key-Content-Type: application/x-java-object;type=java.lang.Long",
            "Accept: text/plain");
    assertEquals("seven", read.text());
    assertEquals(204, client.post(PROTO + "&key-length=1", "ktext", TEXT).status());
    assertEquals("text", client.get("/rest/v2/caches/proto/k", "Accept: text/plain").text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&key-length=-1", "&key-length=6", "&key-length=x"})
  void put_withoutALengthWithinTheBody_is400(String length) {
    assertEquals(400, client.post(PLAIN + length, "12345").status());
    assertEquals("0", client.get("/rest/v2/caches/plain?action=size").text());
  }

  @Test
  void put_intoAnIgnoredOrMissingCache_isRefused() {
    server.catalog.begin();
    assertEquals(404, client.post("/rest/v2/caches/none?action=put&key-length=1", "kv").status());
    assertEquals(204, client.post("/rest/v2/server/ignored-caches/plain", "").status());
    assertEquals(503, client.post(PLAIN + "&key-length=1", "kv").status());
  }
}
