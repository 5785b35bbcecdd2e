package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Most servers of a cluster die at once, and restart with the same options. */
@Tag("deep")
class ServerLostMajorityTest {
  private static final int ENTRIES = 50;

  private static final String REPLICATED =
      """
      {"replicated-cache":{"mode":"SYNC","segments":16}}
      """;

  private final HttpClient http = HttpClient.newHttpClient();

  private HttpResponse<String> send(
      String method, ServerProcess server, String path, String type, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/rest/v2/%s".formatted(server.port(), path));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private boolean puts(ServerProcess server, String key) throws Exception {
    HttpResponse<String> answer =
        send("PUT", server, "caches/r/" + key, "text/plain", "value of " + key);
    return answer.statusCode() / 100 == 2;
  }

  @Test
  void majorityThatDies_andIsStartedAgain_goesOnWithWhatTheSurvivorHas() throws Exception {
    try (ServerCluster cluster = new ServerCluster("lost-majority", 3);
        http) {
      ServerProcess survivor = cluster.servers().getFirst();
      String type = "application/json";
      assertEquals(200, send("POST", survivor, "caches/r", type, REPLICATED).statusCode());
      for (int i = 0; i < ENTRIES; i++) {
        String key = "k" + i;
        Await.until("an entry: " + key, () -> puts(survivor, key));
      }
      cluster.restartAllButFirst();
      for (ServerProcess server : cluster.servers()) {
        Await.until("a server that serves again", () -> puts(server, "new"));
        for (int i = 0; i < ENTRIES; i++) {
          HttpResponse<String> entry = send("GET", server, "caches/r/k" + i, "text/plain", "");
          assertEquals("value of k" + i, entry.body());
        }
      }
    }
  }
}
