package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** A client that makes and removes a cache by one server, and uses another one next. */
class CachesOfAllServersTest {
  private static final int SERVERS = 3;
  private static final int ROUNDS = 20;
  private static final String DOCUMENT =
      "{\"distributed-cache\":{\"encoding\":{\"media-type\":\"application/json\"}}}";

  private final HttpClient http = HttpClient.newHttpClient();

  private int status(int port, String method, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rest/v2/caches/made"))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void cacheThatIsMadeOrRemoved_isThereOrGoneOnAllServers() throws Exception {
    try (ServerTrio servers = new ServerTrio()) {
      for (int round = 0; round < ROUNDS; round++) {
        assertEquals(200, status(servers.port(round % SERVERS), "POST", DOCUMENT));
        for (int server = 0; server < SERVERS; server++) {
          assertEquals(204, status(servers.port(server), "HEAD", ""), "made, round=" + round);
        }
        assertEquals(200, status(servers.port((round + 1) % SERVERS), "DELETE", ""));
        for (int server = 0; server < SERVERS; server++) {
          assertEquals(404, status(servers.port(server), "HEAD", ""), "removed, round=" + round);
        }
      }
    }
  }
}
