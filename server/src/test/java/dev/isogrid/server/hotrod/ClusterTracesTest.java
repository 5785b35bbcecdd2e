package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.ServerTrio;
import dev.isogrid.testkit.Await;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces of clients' requests through a cluster of three servers. */
@Timeout(180)
class ClusterTracesTest {
  private static final int PUT = 0x01;
  private static final int PUT_ALL = 0x2D;
  private static final int BULK_GET_KEYS = 0x1D;
  private static final int KEYS = 24;
  private static final int MANY_KEYS = 200;
  private static final int SOCKET_TIMEOUT_MILLIS = 30_000;

  /** Those of {@link RequestBytes}. */
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static final String PARENT = "b7ad6b7169203331";

  private static final AttributeKey<String> NODE = AttributeKey.stringKey("isogrid.node.name");

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk = registered();
  private final ServerTrio servers = new ServerTrio();
  private final HttpClient http = HttpClient.newHttpClient();

  private OpenTelemetrySdk registered() {
    OpenTelemetrySdk made =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(made);
    return made;
  }

  @AfterEach
  void close() {
    http.close();
    servers.close();
    sdk.close();
    GlobalOpenTelemetry.resetForTest();
  }

  private void send(String method, String path, String body, @Nullable String parent)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + servers.port(0) + "/rest/v2/caches/" + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    if (parent != null) {
      request.header("traceparent", parent);
    }
    int status = http.send(request.build(), BodyHandlers.ofString()).statusCode();
    assertTrue(status < 300, path + ": " + status);
  }

  private void createCache() throws Exception {
    String config = "<distributed-cache name=\"c\" owners=\"1\"/>";
    URI uri = URI.create("http://127.0.0.1:" + servers.port(0) + "/rest/v2/caches/c");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/xml")
            .POST(BodyPublishers.ofString(config))
            .build();
    assertEquals(200, http.send(request, BodyHandlers.ofString()).statusCode());
    servers.awaitWhole();
    exporter.reset();
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), servers.port(0));
    socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
    return socket;
  }

  /** The spans of an operation that were begun for clients. */
  private List<SpanData> requests(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name) && span.getAttributes().get(NODE) == null)
        .toList();
  }

  private List<SpanData> parts(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name) && span.getAttributes().get(NODE) != null)
        .toList();
  }

  private void awaitRequests(String name, int count) {
    Await.until(count + " spans of " + name, () -> requests(name).size() == count);
  }

  /** Waits until a span of each request has ended; checks that parts are at the other nodes. */
  private void assertHasParts(String request, String part) {
    Await.until(
        "parts of both other nodes: " + part,
        () ->
            parts(part).stream().map(span -> span.getAttributes().get(NODE)).distinct().count()
                == 2);
    Map<String, SpanData> byId =
        requests(request).stream()
            .collect(Collectors.toMap(SpanData::getSpanId, Function.identity()));
    for (SpanData each : parts(part)) {
      SpanData parent = byId.get(each.getParentSpanId());
      assertTrue(parent != null, each::toString);
      assertEquals(parent.getTraceId(), each.getTraceId());
      assertEquals(SpanKind.SERVER, each.getKind());
      assertTrue(Set.of("n1", "n2").contains(each.getAttributes().get(NODE)), each::toString);
    }
    assertTrue(parts(part).size() < requests(request).size(), "none of the keys is at the server");
  }

  @Test
  void requests_ofHotRod_haveTheirPartsInTheTraceOfTheClient() throws Exception {
    createCache();
    try (Socket socket = connect()) {
      for (int i = 0; i < KEYS; i++) {
        socket
            .getOutputStream()
            .write(new RequestBytes(41, PUT).string("k" + i).defaultExpiry().string("v").bytes());
        byte[] reply = socket.getInputStream().readNBytes(5);
        assertEquals(0, reply[3], "status");
      }
    }
    awaitRequests("put c", KEYS);
    for (SpanData each : requests("put c")) {
      assertEquals(TRACE, each.getTraceId());
      assertEquals(PARENT, each.getParentSpanId());
    }
    assertHasParts("put c", "put c");
    for (SpanData each : parts("put c")) {
      assertEquals("put", each.getAttributes().get(AttributeKey.stringKey("db.operation.name")));
      assertEquals("c", each.getAttributes().get(AttributeKey.stringKey("db.collection.name")));
    }
  }

  @Test
  void request_ofManyKeys_hasAPartPerOperationOfOtherNodes() throws Exception {
    createCache();
    RequestBytes all = new RequestBytes(41, PUT_ALL).defaultExpiry().vInt(KEYS);
    for (int i = 0; i < KEYS; i++) {
      all.string("k" + i).string("v");
    }
    try (Socket socket = connect()) {
      socket.getOutputStream().write(all.bytes());
      assertEquals(0, socket.getInputStream().readNBytes(5)[3], "status");
    }
    awaitRequests("putAll c", 1);
    String id = requests("putAll c").getFirst().getSpanId();
    Await.until("a part", () -> exporter.getFinishedSpanItems().size() > 1);
    for (SpanData each : exporter.getFinishedSpanItems()) {
      boolean isRequest = each.getSpanId().equals(id);
      assertEquals(isRequest ? PARENT : id, each.getParentSpanId());
    }
  }

  @Test
  void requests_ofRest_haveParts_unlessTheClientDoesNotSampleThem() throws Exception {
    createCache();
    for (int i = 0; i < KEYS; i++) {
      send("PUT", "c/k" + i, "v", "00-" + TRACE + "-" + PARENT + "-00");
    }
    for (int i = 0; i < KEYS; i++) {
      send("PUT", "c/k" + i, "v", "00-" + TRACE + "-" + PARENT + "-01");
    }
    awaitRequests("PUT c", KEYS);
    assertHasParts("PUT c", "put c");
    assertFalse(
        exporter.getFinishedSpanItems().stream()
            .anyMatch(span -> !span.getTraceId().equals(TRACE)));
  }

  @Test
  void commands_ofMemcached_beginTraces() throws Exception {
    createCache();
    try (Socket socket = connect()) {
      for (int i = 0; i < KEYS; i++) {
        String set = "set k" + i + " 0 0 1\r\nv\r\n";
        socket.getOutputStream().write(set.getBytes(StandardCharsets.US_ASCII));
        byte[] reply = socket.getInputStream().readNBytes("STORED\r\n".length());
        assertEquals("STORED\r\n", new String(reply, StandardCharsets.US_ASCII));
      }
    }
    awaitRequests("set memcachedCache", KEYS);
    for (SpanData each : requests("set memcachedCache")) {
      assertEquals(SpanId.getInvalid(), each.getParentSpanId());
    }
    assertHasParts("set memcachedCache", "put memcachedCache");
  }

  /** After some keys, the rest of a command goes on aside, where no key of it is in progress. */
  @Test
  void command_ofManyKeys_hasAPartPerKeyOfOtherNodes() throws Exception {
    createCache();
    StringBuilder get = new StringBuilder("get");
    for (int i = 0; i < MANY_KEYS; i++) {
      get.append(" k").append(i);
    }
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write(get.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readNBytes("END\r\n".length());
      assertEquals("END\r\n", new String(reply, StandardCharsets.US_ASCII));
    }
    awaitRequests("get memcachedCache", MANY_KEYS);
    assertHasParts("get memcachedCache", "get memcachedCache");
  }

  @Test
  void walkThroughACache_hasPartsAtTheOtherNodes() throws Exception {
    createCache();
    try (Socket socket = connect()) {
      socket.getOutputStream().write(new RequestBytes(41, BULK_GET_KEYS).vInt(0).bytes());
      assertEquals(0, socket.getInputStream().readNBytes(5)[3], "status");
    }
    awaitRequests("bulkGetKeys c", 1);
    String id = requests("bulkGetKeys c").getFirst().getSpanId();
    awaitParts("stream c", Set.of("n1", "n2"));
    for (SpanData each : parts("stream c")) {
      assertEquals(id, each.getParentSpanId());
      assertEquals(TRACE, each.getTraceId());
    }
  }

  @Test
  void mapReduceOfATask_hasAPartAtEachNode() throws Exception {
    createCache();
    for (int i = 0; i < KEYS; i++) {
      send("PUT", "c/k" + i, "a b", null);
    }
    exporter.reset();
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/rest/v2/tasks/wordcount?action=exec&cache=c"
                .formatted(servers.port(0)));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
            .POST(BodyPublishers.noBody())
            .build();
    assertEquals(200, http.send(request, BodyHandlers.ofString()).statusCode());
    String name = "POST /rest/v2/tasks/*?action=exec";
    awaitRequests(name, 1);
    SpanData task = requests(name).getFirst();
    assertEquals(PARENT, task.getParentSpanId());
    awaitParts("mapReduce c", Set.of("n0", "n1", "n2"));
    for (SpanData each : parts("mapReduce c")) {
      assertEquals(task.getSpanId(), each.getParentSpanId());
    }
  }

  private void awaitParts(String name, Set<String> nodes) {
    Await.until(
        name + " at " + nodes,
        () ->
            parts(name).stream()
                .map(span -> span.getAttributes().get(NODE))
                .collect(Collectors.toSet())
                .equals(nodes));
  }
}
