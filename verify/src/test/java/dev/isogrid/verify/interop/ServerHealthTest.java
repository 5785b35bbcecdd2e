package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results of probes and alerts when most servers of a cluster die at once. */
@Tag("interop")
class ServerHealthTest {
  private static HttpResponse<String> get(HttpClient http, ServerProcess server, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/%s".formatted(server.port(), path));
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void majorityThatDies_makesTheRestDegradedAndNotReady() throws Exception {
    try (ServerCluster cluster = new ServerCluster("health", 3);
        HttpClient http = HttpClient.newHttpClient()) {
      ServerProcess left = cluster.servers().getFirst();
      assertEquals(200, get(http, left, "health/ready").statusCode());
      assertTrue(get(http, left, "metrics").body().contains("isogrid_majority{node="));
      cluster.servers().get(1).kill();
      cluster.servers().get(2).kill();
      Await.until("not ready", () -> get(http, left, "health/ready").statusCode() == 503);
      String why = get(http, left, "health/ready").body();
      assertTrue(why.contains("not ready: "), why);
      assertEquals("DEGRADED", get(http, left, "rest/v2/container/health/status").body());
      String caches = get(http, left, "rest/v2/container/health").body();
      assertTrue(caches.contains("{\"status\":\"DEGRADED\",\"cache_name\":\"default\"}"), caches);
      assertTrue(
          get(http, left, "metrics")
              .body()
              .lines()
              .anyMatch(line -> line.startsWith("isogrid_majority{") && line.endsWith(" 0.0")));
      assertEquals(200, get(http, left, "health/live").statusCode());
    }
  }
}
