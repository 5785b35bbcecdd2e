package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The answers of REST to writes at a bound. */
class FullCacheTest {
  private static final String CONFIG =
      "<local-cache><memory max-count='1' when-full='EXCEPTION'/></local-cache>";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void put_intoFullCache_is507AndTheConnectionGoesOn() {
    assertEquals(200, client.post("/rest/v2/caches/x", CONFIG).status());
    assertEquals(204, client.put("/rest/v2/caches/x/a", "1").status());

    TestResponse refused = client.put("/rest/v2/caches/x/b", "2");
    assertEquals(507, refused.status());
    assertEquals("text/plain", refused.header("content-type"));
    assertTrue(refused.text().contains("cache=x"), refused.text());

    assertEquals("1", client.get("/rest/v2/caches/x/a").text());
    assertEquals(404, client.get("/rest/v2/caches/x/b").status());
    assertEquals(204, client.put("/rest/v2/caches/x/a", "3").status());
    assertEquals(204, client.request("DELETE", "/rest/v2/caches/x/a").status());
    assertEquals(204, client.put("/rest/v2/caches/x/b", "4").status());
  }

  @Test
  void put_intoFullCache_isCounted() {
    client.post("/rest/v2/caches/x", CONFIG);
    client.put("/rest/v2/caches/x/a", "1");
    assertEquals(0, server.refusedWrites());
    client.put("/rest/v2/caches/x/b", "2");
    client.put("/rest/v2/caches/x/c", "2");
    assertEquals(2, server.refusedWrites());
    String metrics = client.get("/metrics").text();
    assertTrue(metrics.contains("isogrid_writes_refused_total{node=\"node-a\"} 2.0\n"), metrics);
  }
}
