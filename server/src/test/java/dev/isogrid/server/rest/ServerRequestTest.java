package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerRequestTest {
  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/rest/v2/server/config", "/rest/v3/server/config", "/rest/v2/container/config"})
  void config_isADocumentOfAllCaches(String target) {
    TestResponse config = client.get(target);
    assertEquals("application/json", config.header("content-type"));
    String text = config.text();
    assertTrue(
        text.startsWith(
            "{\"infinispan\":{\"cache-container\":{\"name\":\"default\",\"caches\":{\"plain\":{\""
                + "local-cache\":{"),
        text);
    assertTrue(text.contains(",\"proto\":{\"local-cache\":{"), text);
    assertTrue(text.endsWith("}}}}"), text);
  }

  @Test
  void threads_haveNamesAndStacks() {
    TestResponse threads = client.get("/rest/v2/server/threads");
    assertEquals("text/plain", threads.header("content-type"));
    String text = threads.text();
    assertTrue(text.contains('"' + Thread.currentThread().getName() + '"'), text);
    assertTrue(text.contains("dev.isogrid.server.rest.ServerRoutes."), text);
  }
}
