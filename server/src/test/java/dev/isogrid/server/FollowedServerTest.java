package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that follow the changes of a cache across ends of connections and servers. */
class FollowedServerTest {
  private static final String CACHE =
      "{\"local-cache\":{\"encoding\":{\"media-type\":\"text/plain\"},"
          + "\"persistence\":{\"file-store\":{\"fsync\":\"EACH\",\"retention\":\"1h\"}}}}";

  @TempDir private Path folder;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Server start() {
    return start(GridConfig.builder().nodeName("node-a").dataFolder(folder).build(), folder);
  }

  /** Starts a server of a cluster. */
  private Server start(String name, int port, int seedPort) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(60, TimeUnit.SECONDS)
            .leaveTimeout(60, TimeUnit.SECONDS)
            .build();
    Path data = folder.resolve(name);
    return start(
        GridConfig.builder().nodeName(name).cluster(cluster).dataFolder(data).build(), data);
  }

  private static Server start(GridConfig grid, Path data) {
    ServerSettings defaults = ServerSettings.defaults();
    return Server.start(
        new ServerSettings(
            defaults.bindAddress(),
            0,
            ServerSettings.OFF,
            ServerSettings.External.NONE,
            grid,
            data,
            null,
            defaults.caches(),
            defaults.protocols(),
            Protection.NONE,
            defaults.warnings()));
  }

  private HttpRequest.Builder to(Server server, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.address().getPort() + "/rest/" + path));
  }

  private int send(Server server, String method, String path, String body, String type)
      throws IOException, InterruptedException {
    HttpRequest request =
        to(server, path)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private void put(Server server, String key, String value)
      throws IOException, InterruptedException {
    assertEquals(204, send(server, "PUT", "v2/caches/c/" + key, value, "text/plain"));
  }

  /** A received event, without the parts that differ between runs. */
  private record Event(String name, String id, String data) {}

  /** The first events of a stream, which then ends. */
  private List<Event> follow(Server server, String path, int count)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        http.send(to(server, path).build(), BodyHandlers.ofInputStream());
    assertEquals(200, answer.statusCode());
    List<Event> events = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      while (events.size() < count) {
        String name = value(lines.readLine(), "event: ");
        String id = value(lines.readLine(), "id: ");
        String data = value(lines.readLine(), "data: ").replaceAll("\"segment\":\\d+", "S");
        events.add(new Event(name, id, data.replaceAll(",\"version\":\\d+", "")));
        assertEquals("", lines.readLine());
      }
    }
    return events;
  }

  private static String value(String line, String start) {
    assertTrue(line.startsWith(start), line);
    return line.substring(start.length());
  }

  private static List<String> texts(List<Event> events) {
    return events.stream().map(event -> event.name() + " " + event.data()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2/caches/c?action=changes&", "v3/caches/c/_changes?"})
  void changes_goOnBehindTheirToken_afterTheLossOfClientAndServer(String path)
      throws IOException, InterruptedException {
    String token;
    try (Server server = start()) {
      assertEquals(200, send(server, "POST", "v2/caches/c", CACHE, "application/json"));
      put(server, "a", "1");
      put(server, "b", "2");
      assertEquals(204, send(server, "DELETE", "v2/caches/c/a", "", "text/plain"));
      List<Event> first = follow(server, path + "from=earliest", 3);
      assertEquals(
          List.of(
              "cache-changes-begin {}",
              "cache-entry-written {S,\"key\":\"a\",\"value\":\"1\"}",
              "cache-entry-written {S,\"key\":\"b\",\"value\":\"2\"}"),
          texts(first));
      token = first.get(2).id();
    }
    try (Server server = start()) {
      put(server, "c", "3");
      assertEquals(
          List.of(
              "cache-changes-begin {}",
              "cache-entry-removed {S,\"key\":\"a\"}",
              "cache-entry-written {S,\"key\":\"c\",\"value\":\"3\"}"),
          texts(follow(server, path + "from=" + token, 3)));
      assertEquals(
          "cache-entry-written {S,\"key\":\"YQ==\",\"value\":\"MQ==\"}",
          texts(follow(server, path + "encoding=base64&from=earliest", 2)).getLast());
    }
  }

  @Test
  void changes_ofClusteredCache_goOnAtAnotherServer() throws IOException, InterruptedException {
    String path = "v2/caches/c?action=changes&from=";
    int port = FreePorts.one();
    try (Server second = start("node-b", port, port)) {
      String token;
      try (Server first = start("node-a", FreePorts.one(), port)) {
        String cache = CACHE.replace("local-cache", "replicated-cache");
        assertEquals(200, send(first, "POST", "v2/caches/c", cache, "application/json"));
        put(first, "a", "1");
        put(second, "a", "2");
        assertEquals(204, send(second, "DELETE", "v2/caches/c/a", "", "text/plain"));
        List<Event> events = follow(first, path + "earliest", 3);
        assertEquals(
            List.of(
                "cache-changes-begin {}",
                "cache-entry-written {S,\"key\":\"a\",\"value\":\"1\"}",
                "cache-entry-written {S,\"key\":\"a\",\"value\":\"2\"}"),
            texts(events));
        token = events.get(2).id();
      }
      put(second, "a", "3");
      assertEquals(
          List.of(
              "cache-changes-begin {}",
              "cache-entry-removed {S,\"key\":\"a\"}",
              "cache-entry-written {S,\"key\":\"a\",\"value\":\"3\"}"),
          texts(follow(second, path + token, 3)));
      HttpResponse<String> refused =
          http.send(to(second, path + "nonsense").build(), BodyHandlers.ofString());
      assertEquals(400, refused.statusCode(), refused.body());
    }
  }

  @Test
  void changes_behindASlowClient_comeFromTheFiles() throws IOException, InterruptedException {
    try (Server server = start()) {
      assertEquals(200, send(server, "POST", "v2/caches/c", CACHE, "application/json"));
      String large = "x".repeat(100_000);
      int count = 60; // more than all buffers between server and client have
      for (int i = 0; i < count; i++) {
        put(server, "k" + i, large);
      }
      List<Event> events = follow(server, "v2/caches/c?action=changes&from=earliest", count + 1);
      for (int i = 0; i < count; i++) {
        assertTrue(events.get(i + 1).data().startsWith("{S,\"key\":\"k" + i + "\""));
      }
    }
  }

  @Test
  void changes_thatAreNotThere_areRefused() throws IOException, InterruptedException {
    try (Server server = start()) {
      assertEquals(200, send(server, "POST", "v2/caches/c", CACHE, "application/json"));
      String path = "v2/caches/c?action=changes&from=";
      String token = follow(server, path + "latest", 1).getFirst().id();
      assertEquals(200, send(server, "DELETE", "v2/caches/c", "", "text/plain"));
      assertEquals(200, send(server, "POST", "v2/caches/c", CACHE, "application/json"));
      HttpResponse<String> gone =
          http.send(to(server, path + token).build(), BodyHandlers.ofString());
      assertEquals(410, gone.statusCode());
      assertTrue(gone.body().startsWith("token is of another store: cache=c"), gone.body());
      assertEquals(400, send(server, "GET", path + "nonsense", "", "text/plain"));
      String memoryOnly = "v2/caches/default?action=changes";
      HttpResponse<String> refused =
          http.send(to(server, memoryOnly).build(), BodyHandlers.ofString());
      assertEquals(400, refused.statusCode());
      assertTrue(refused.body().contains("store=none"), refused.body());
    }
  }
}
