package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Caches that clients define with values that a document of the cluster can't just hold. */
class SharedDefinitionTest {
  private final Server server = start();
  private final HttpClient http = HttpClient.newHttpClient();

  private static Server start() {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(FreePorts.one())
            .joinTimeout(60, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    GridConfig grid = GridConfig.builder().nodeName("a").cluster(cluster).build();
    return Server.start(ServerSettings.local(0, grid, Protection.NONE));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    URI uri =
        URI.create("http://127.0.0.1:" + server.address().getPort() + "/rest/v2/caches/" + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private static String withRole(String role) {
    return "{\"distributed-cache\":{\"encoding\":{\"media-type\":\"application/json\"},"
        + "\"security\":{\"authorization\":{\"roles\":\""
        + role
        + "\"}}}}";
  }

  private void assertServing() throws Exception {
    assertEquals(200, send("POST", "other", withRole("admin")).statusCode());
    assertEquals(204, send("PUT", "other/k", "1").statusCode());
    assertEquals("1", send("GET", "other/k", "").body());
  }

  @Test
  void roleThatLooksLikeAProperty_isKept_andTheNodeServes() throws Exception {
    assertEquals(200, send("POST", "c", withRole("${x:$}{ada}")).statusCode());

    String shown = send("GET", "c?action=config", "").body();
    assertTrue(shown.contains("\"roles\":\"${isogrid.dollar:$}{ada}\""), shown);
    assertEquals(200, send("POST", "d", shown).statusCode());
    assertServing();
  }

  @ParameterizedTest
  @CsvSource({"a\\u0001, character=U+0001", "a\\uffff, character=U+FFFF"})
  void roleThatTheClusterCantHave_isRefused_andTheNodeServes(String role, String reason)
      throws Exception {
    HttpResponse<String> refusal = send("POST", "c", withRole(role));

    assertEquals(400, refusal.statusCode(), refusal.body());
    assertTrue(refusal.body().contains(reason), refusal.body());
    assertServing();
  }

  @Test
  void definitionThatIsTooLong_isRefused_andTheNodeServes() throws Exception {
    HttpResponse<String> refusal =
        send("POST", "c", withRole("a ".repeat(100) + "b".repeat(20_000)));

    assertEquals(400, refusal.statusCode(), refusal.body());
    assertTrue(refusal.body().contains("too long for a cluster: cache=c"), refusal.body());
    assertServing();
  }
}
