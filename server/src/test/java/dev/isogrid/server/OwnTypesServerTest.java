package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.FreePorts;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records of an embedded node, and JSON of a server in its cluster. */
class OwnTypesServerTest {
  /** Far longer than an answer takes on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final CacheConfig DISTRIBUTED =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .storage(StorageType.OFF_HEAP)
          .segments(16)
          .build();

  private enum Status {
    OPEN,
    PAID
  }

  private record Line(String article, int count) {}

  private record Order(
      UUID id, LocalDate day, Status status, List<Line> lines, BigDecimal total, double weight) {}

  private static final Order ORDER =
      new Order(
          new UUID(1, 2),
          LocalDate.of(2026, 11, 23),
          Status.PAID,
          List.of(new Line("pen", 2), new Line("ink", 3)),
          new BigDecimal("12.50"),
          0.5);

  private final HttpClient client = HttpClient.newHttpClient();
  private Server server;
  private Grid grid;

  @BeforeEach
  void start() throws Exception {
    int first = FreePorts.one();
    int second = FreePorts.one();
    server = Server.start(ServerSettings.local(0, config("server", first, first), Protection.NONE));
    grid = Grid.start(config("embedded", second, first));
  }

  private static GridConfig config(String name, int port, int seedPort) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return GridConfig.builder().nodeName(name).cluster(cluster).build();
  }

  @AfterEach
  void close() {
    grid.close();
    server.close();
    client.close();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder entry(String path) {
    return HttpRequest.newBuilder(
        URI.create(
            "http://%s:%d/rest/v2/caches/%s"
                .formatted(
                    server.address().getAddress().getHostAddress(),
                    server.address().getPort(),
                    path)));
  }

  private String json(String path) throws Exception {
    HttpResponse<String> answer = send(entry(path).header("Accept", "application/json"));
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body();
  }

  private void putJson(String path, String json) throws Exception {
    HttpResponse<String> answer =
        send(
            entry(path)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json)));
    assertEquals(204, answer.statusCode(), answer.body());
  }

  @Test
  void record_writtenByAnEmbeddedNode_isJsonAtTheServer_andBack() throws Exception {
    Cache<String, Order> orders = grid.cache("orders", DISTRIBUTED);
    orders.put("one", ORDER);

    String json = json("orders/one");
    assertTrue(json.contains("\"article\""), json);
    assertTrue(json.contains("PAID"), json);
    putJson("orders/two", json.replace("pen", "paper").replace("PAID", "OPEN"));

    Order two = orders.get("two");
    assertEquals(
        new Order(
            ORDER.id(),
            ORDER.day(),
            Status.OPEN,
            List.of(new Line("paper", 2), new Line("ink", 3)),
            ORDER.total(),
            ORDER.weight()),
        two);
    assertEquals(ORDER, orders.get("one"));
  }

  @Test
  void record_inACacheOfTheServer_isJson_andReadByAnEmbeddedNode() throws Exception {
    HttpResponse<String> created =
        send(
            entry("lines")
                .header("Content-Type", "application/xml")
                .POST(
                    BodyPublishers.ofString(
                        "<distributed-cache><encoding media-type=\"application/x-protostream\"/>"
                            + "</distributed-cache>")));
    assertEquals(200, created.statusCode(), created.body());
    Cache<String, Object> lines = grid.cache("lines");
    lines.put("record", new Line("pen", 1));
    lines.put("text", "plain");
    lines.put("day", ORDER.day());

    putJson("lines/other", json("lines/record").replace("pen", "ink"));

    assertEquals(new Line("ink", 1), lines.get("other"));
    assertTrue(json("lines/text").contains("plain"));
    assertEquals(ORDER.day(), lines.get("day"));
  }
}
