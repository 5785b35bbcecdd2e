package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IgnoredCacheRequestTest {
  private static final String IGNORED = "/rest/v2/server/ignored-caches";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @BeforeEach
  void begin() {
    server.catalog.begin();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {IGNORED, IGNORED + "/default", "/rest/v3/server/ignored-caches"})
  void ignoredCache_isListed_untilItIsTakenBack(String path) {
    assertEquals("[]", client.get(IGNORED).text());
    assertEquals(204, client.post(path + "/plain", "").status());
    assertEquals(204, client.post(path + "/plain", "").status());
    assertEquals(204, client.post(path + "/proto", "").status());
    assertEquals("[\"plain\",\"proto\"]", client.get(path).text());
    assertEquals(204, client.request("DELETE", path + "/plain").status());
    assertEquals(204, client.request("DELETE", path + "/plain").status());
    assertEquals("[\"proto\"]", client.get(path).text());
  }

  @Test
  void unknownCache_isNotFound() {
    assertEquals(404, client.post(IGNORED + "/none", "").status());
    assertEquals(404, client.request("DELETE", IGNORED + "/default/none").status());
    assertEquals("[]", client.get(IGNORED).text());
  }

  @Test
  void entriesOfAnIgnoredCache_areNotReached_butStay() {
    assertEquals(204, client.put("/rest/v2/caches/plain/k", "v").status());
    client.post(IGNORED + "/plain", "");
    for (String path : new String[] {"/k", "?action=size", "?action=keys", "?action=entries"}) {
      TestResponse refused = client.get("/rest/v2/caches/plain" + path);
      assertEquals(503, refused.status(), path);
      assertTrue(
          refused.text().contains("Cache with name 'plain' is temporarily unavailable"),
          refused::text);
    }
    assertEquals(503, client.put("/rest/v2/caches/plain/k", "w").status());
    assertEquals(503, client.post("/rest/v2/caches/plain?action=clear", "").status());
    assertEquals(503, client.get("/rest/v2/caches/plain?action=listen").status());
    assertEquals(503, client.get("/rest/v2/caches/plain?action=changes").status());
    assertEquals(404, client.get("/rest/v2/caches/proto/k").status());
    client.request("DELETE", IGNORED + "/plain");
    assertEquals("v", client.get("/rest/v2/caches/plain/k").text());
  }

  @Test
  void statusOfAnIgnoredCache_isShown() {
    client.post(IGNORED + "/plain", "");
    String details = client.get("/rest/v2/caches/plain").text();
    assertTrue(details.startsWith("{\"status\":\"IGNORED\",\"name\":\"plain\""), details);
    String listed = client.get("/rest/v2/caches?action=detailed").text();
    assertTrue(listed.contains("{\"status\":\"IGNORED\",\"name\":\"plain\""), listed);
    assertTrue(listed.contains("{\"status\":\"RUNNING\",\"name\":\"proto\""), listed);
  }

  @Test
  void removedCache_isIgnoredNoMore() {
    client.post(IGNORED + "/plain", "");
    assertEquals(200, client.request("DELETE", "/rest/v2/caches/plain").status());
    assertEquals("[]", client.get(IGNORED).text());
  }
}
