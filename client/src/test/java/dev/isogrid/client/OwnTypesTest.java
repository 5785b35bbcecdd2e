package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records and other types of users, against a real server that has never seen them. */
class OwnTypesTest {
  enum Kind {
    BOOK,
    FOOD
  }

  record Item(String name, Kind kind, BigDecimal price) {}

  record Order(String customer, LocalDate day, List<Item> items) {}

  record Place(String city, int number) {}

  record OnlyHere(String text) {}

  private static final String PROTOSTREAM =
      """
      {"local-cache": {"encoding": {"media-type": "application/x-protostream"}}}
      """;

  private static final Order ORDER =
      new Order(
          "ann",
          LocalDate.of(2026, 11, 23),
          List.of(
              new Item("novel", Kind.BOOK, new BigDecimal("9.90")),
              new Item("bread", Kind.FOOD, new BigDecimal("3.5"))));

  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCacheManager other;
  private RemoteCache<Object, Object> writer;
  private RemoteCache<Object, Object> reader;

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    manager = new RemoteCacheManager(server.client().build());
    other = new RemoteCacheManager(server.client().build());
    writer = Objects.requireNonNull(manager.getCache("default"));
    reader = Objects.requireNonNull(other.getCache("default"));
    writer.clear();
  }

  @AfterEach
  void disconnect() {
    manager.close();
    other.close();
  }

  @Test
  void record_writtenByOneClient_isReadByAnother() {
    writer.put("o", ORDER);
    assertEquals(ORDER, reader.get("o"));
    assertEquals(ORDER, reader.get("o"));
  }

  @Test
  void record_asKey_isFound() {
    writer.put(new Place("Rome", 1), "v");
    assertEquals("v", reader.get(new Place("Rome", 1)));
    assertEquals(Set.of(new Place("Rome", 1)), Set.copyOf(reader.keySet()));
  }

  @Test
  void record_readFirstByEachOperation_isDecoded() throws Exception {
    writer.put("o", ORDER);
    for (int way = 0; way < 8; way++) {
      try (RemoteCacheManager fresh = new RemoteCacheManager(server.client().build())) {
        RemoteCache<Object, Object> cache = Objects.requireNonNull(fresh.getCache("default"));
        Object read =
            switch (way) {
              case 0 -> cache.getAsync("o").get();
              case 1 -> Objects.requireNonNull(cache.getWithMetadata("o")).value();
              case 2 -> cache.getAll(Set.of("o")).get("o");
              case 3 -> cache.withFlags(Flag.FORCE_RETURN_VALUE).put("o", ORDER.customer());
              case 4 -> cache.values().stream().toList().get(0);
              case 5 -> cache.putIfAbsentAsync("o", "x").get();
              case 6 -> new ArrayList<>(cache.entrySet()).get(0).getValue();
              default -> cache.remove("o");
            };
        assertEquals(ORDER, read, "way " + way);
        writer.put("o", ORDER);
      }
    }
  }

  @Test
  void record_inMultimap_isReadByAnother() throws Exception {
    new RemoteMultimapCacheManager<String, Object>(manager).get("default").put("m", ORDER).get();
    assertEquals(
        List.of(ORDER),
        List.copyOf(
            new RemoteMultimapCacheManager<String, Object>(other).get("default").get("m").get()));
  }

  @Test
  void record_inNearCache_isKept() {
    writer.put("o", ORDER);
    try (RemoteCacheManager near =
        new RemoteCacheManager(
            server.client().nearCache("default", NearCacheConfig.invalidated(10)).build())) {
      RemoteCache<Object, Object> cache = Objects.requireNonNull(near.getCache("default"));
      for (int i = 0; i < 3; i++) {
        assertEquals(ORDER, cache.get("o"));
      }
      assertTrue(cache.clientStatistics().nearHits() > 0);
    }
  }

  @Test
  void record_inEvent_isTold() throws Exception {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    reader.addListener(
        new EntryListener<>() {
          @Override
          public void onCreated(EntryEvent<Object, Object> event) {
            told.add(Objects.requireNonNull(event.value()));
          }
        },
        ListenerOptions.DEFAULT.withValues());
    writer.put("o", ORDER);
    assertEquals(ORDER, told.take());
  }

  @Test
  void record_overRest_isJson() throws Exception {
    RemoteCache<String, Order> orders =
        manager.administration().getOrCreateCache("orders", new StringConfiguration(PROTOSTREAM));
    orders.put("o", ORDER);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:%d/rest/v2/caches/orders/o".formatted(server.port())))
                    .header("Accept", "application/json")
                    .timeout(Duration.ofSeconds(20))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"customer\":\"ann\""), answer.body());
    assertTrue(answer.body().contains("\"name\":\"novel\""), answer.body());
  }

  @Test
  void commonTypes_needNothing() {
    List<Object> all =
        List.of(
            java.util.UUID.randomUUID(),
            LocalDate.of(2026, 1, 2),
            Kind.FOOD,
            List.of("a", 1),
            Map.of("k", new Place("Rome", 1)),
            Duration.ofMillis(5),
            new BigDecimal("1.50"));
    for (Object each : all) {
      writer.put("k", each);
      assertEquals(each, reader.get("k"));
    }
  }

  /** Runs something on a thread of an event loop. */
  private <T> CompletableFuture<T> onLoop(Supplier<T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            result.complete(body.get());
          } catch (RuntimeException failure) {
            result.completeExceptionally(failure);
          }
        };
    manager.router().transport().nextLoop().schedule(task, 0, TimeUnit.MILLISECONDS);
    return result;
  }

  @Test
  void newRecord_writtenWhereOneMustNotWait_isRefusedWithTheWayOut() throws Exception {
    ExecutionException failure =
        assertThrows(
            ExecutionException.class,
            () -> onLoop(() -> writer.putAsync("k", new OnlyHere("v"))).get());
    MarshallingException refused = assertInstanceOf(MarshallingException.class, failure.getCause());
    assertTrue(
        String.valueOf(refused.getMessage()).contains("must not wait"), refused.getMessage());
    writer.put("k", new OnlyHere("v"));
    onLoop(() -> writer.putAsync("k", new OnlyHere("w"))).get().get();
    assertEquals(new OnlyHere("w"), reader.get("k"));
  }

  @Test
  void otherClass_isRefusedWithTheWaysOut() {
    MarshallingException refused =
        assertThrows(MarshallingException.class, () -> writer.put("k", Thread.currentThread()));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("type=java.lang.Thread"),
        refused.getMessage());
  }
}
