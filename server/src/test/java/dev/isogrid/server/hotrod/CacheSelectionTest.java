package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cache of a request, the answer to ping, and requests for a missing cache. */
class CacheSelectionTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;

  private final TestServer server = new TestServer().with("c");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private void put(String cache, String key, String value) {
    Response response =
        connection.call(new RequestBytes(41, PUT).cache(cache).string(key).u8(0x88).string(value));
    assertEquals(0, response.status(), response::toString);
  }

  private Response get(String cache, String key) {
    return connection.call(new RequestBytes(41, GET).cache(cache).string(key));
  }

  @Test
  void ignoredCache_isRefused_untilServersTakeItBack() {
    server.withSchemas();
    put("c", "k", "v");
    server.context.catalog().ignored().add("c");
    for (int i = 0; i < 2; i++) {
      Response refused = get("c", "k");
      assertEquals(0x85, refused.status());
      assertTrue(
          refused.field("message").contains("Cache with name 'c' is temporarily unavailable"),
          refused::toString);
    }
    assertEquals(0x85, connection.call(new RequestBytes(41, PING).cache("c")).status());
    server.context.catalog().ignored().remove("c");
    assertEquals("v", get("c", "k").text("value"));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 28, 40})
  void anyOperation_onAMissingCache_failsAndTheConnectionGoesOn(int version) {
    List<RequestBytes> requests =
        List.of(
            new RequestBytes(version, GET).string("k"),
            new RequestBytes(version, PUT).string("k").defaultExpiry().string("v"),
            new RequestBytes(version, PING),
            new RequestBytes(version, 0x29),
            new RequestBytes(version, 0x2F).vInt(2).string("a").string("b"),
            new RequestBytes(version, 0x2D).defaultExpiry().vInt(1).string("a").string("b"));
    for (RequestBytes request : requests) {
      Response response = connection.call(request.cache("nope").topology(3, -1));
      assertEquals(0x50, response.operation());
      assertEquals(0x84, response.status());
      assertEquals(7, response.id());
      assertEquals(
          "org.infinispan.server.hotrod.CacheNotFoundException: Cache with name 'nope' not found"
              + " amongst the configured caches",
          response.field("message"));
    }
    put("c", "k", "v");
    assertEquals("v", get("c", "k").text("value"));
  }

  /** Clients write scripts by plain puts, so the answer is all that their users see. */
  @Test
  void cacheOfScripts_isNotFoundWithTheReason() {
    RequestBytes script = new RequestBytes(30, PUT).string("a.js").defaultExpiry().string("1");
    String message =
        connection.call(script.cache("___script_cache").topology(3, -1)).field("message");
    assertTrue(message.contains("not found amongst the configured caches"), message);
    assertTrue(message.contains("no scripts, use a task in Java"), message);
  }

  @Test
  void cacheName_longerThanAny_isNotFound() {
    Response response = get("n".repeat(10_000), "k");
    assertEquals(0x84, response.status());
    assertTrue(response.field("message").length() < 500);
  }

  @Test
  void emptyName_withoutDefaultCache_failsExceptForPing() {
    Response response = get("", "k");
    assertEquals(0x84, response.status());
    assertEquals(
        "org.infinispan.server.hotrod.CacheNotFoundException: Default cache requested but not"
            + " configured",
        response.field("message"));
    Response ping = connection.call(new RequestBytes(41, PING).cache("").topology(3, -1));
    assertEquals(0, ping.status());
    assertEquals("none", ping.field("key type"));
  }

  @Test
  void emptyName_withDefaultCache_isThatCache() {
    server.with("default");
    put("", "k", "v");
    assertEquals("v", get("default", "k").text("value"));
    assertEquals("v", get("", "k").text("value"));
  }

  @Test
  void manyCachesInTurns_areNotMixedUp() {
    for (int i = 0; i < 30; i++) {
      server.with("cache-" + i);
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 30; i++) {
        put("cache-" + i, "k" + round, "v" + i);
      }
    }
    for (int i = 0; i < 30; i++) {
      assertEquals("v" + i, get("cache-" + i, "k1").text("value"));
    }
  }

  @Test
  void removedCache_isNotFoundAndAfterCreationEmpty() {
    put("c", "k", "v");
    server.node.removeCache("c");
    assertEquals(0x84, get("c", "k").status());
    server.with("c");
    assertEquals(2, get("c", "k").status());
    put("c", "k", "w");
    assertEquals("w", get("c", "k").text("value"));
  }

  @Test
  void cacheOfObjects_isRefused() {
    server.with("objects", CacheConfig.builder());
    Response response = get("objects", "k");
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").startsWith("cache keeps objects"));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21, 22, 23, 24, 25, 26, 27, 28})
  void ping_before29_hasNoBody(int version) {
    assertEquals(List.of(), connection.call(new RequestBytes(version, PING)).fields());
  }

  @Test
  void ping_in29_tellsMediaTypesOnly() {
    server.withEncoding("ps", "application/x-protostream");
    Response response = connection.call(new RequestBytes(29, PING).cache("ps"));
    assertEquals("id 12", response.field("key type"));
    assertEquals("id 12", response.field("value type"));
    assertEquals(2, response.fields().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 31, 40, 41})
  void ping_from30On_tellsTheOperationsThatAreCarriedOut(int version) {
    Response response = connection.call(new RequestBytes(version, PING));
    assertEquals("none", response.field("key type"));
    assertEquals("41", response.field("newest"));
    List<String> told = response.all("operation");
    List<String> expected = new ArrayList<>();
    Arrays.stream(RequestLayout.supportedOperations())
        .forEach(operation -> expected.add(String.valueOf(operation)));
    assertEquals(expected, told);
    assertEquals(57, told.size());
  }

  @Test
  void ping_ofATypeWithParametersOrWithoutNumber_staysReadableForAllClients() {
    server.withEncoding("charset", "text/plain; charset=UTF-8").withEncoding("own", "a/b");
    assertEquals(
        "id 13", connection.call(new RequestBytes(41, PING).cache("charset")).field("key type"));
    assertEquals(
        "none", connection.call(new RequestBytes(41, PING).cache("own")).field("key type"));
  }
}
