package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values and maps that are larger than what a server takes in one request. */
class LargeRequestsTest {
  private static final int MEBIBYTE = 1 << 20;
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<String, Object> cache;

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
    // A request that is under way fails if the connection is closed.
    manager = new RemoteCacheManager(server.client().retriesMax(0).build());
    cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  private static void assertRefused(Throwable failure) {
    RequestTooLargeException refused = (RequestTooLargeException) failure;
    String text = String.valueOf(refused.getMessage());
    assertTrue(text.contains("cache=default"), text);
    assertTrue(text.contains("limit=10485760"), text);
    assertTrue(text.contains("streaming()"), text);
    assertTrue(text.contains("requestBytesMax"), text);
  }

  @Test
  void largeValue_isRefused_andTheConnectionStays() {
    for (int round = 0; round < 20; round++) {
      List<CompletableFuture<?>> others = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        others.add(cache.putAsync("k" + i, "v"));
      }
      assertRefused(
          assertThrows(
              HotRodClientException.class, () -> cache.put("large", new byte[11 * MEBIBYTE])));
      others.forEach(CompletableFuture::join);
    }
    assertEquals(50, cache.size());
  }

  @Test
  void textThatIsLargeOnlyAsBytes_isRefused_andTheConnectionStays() {
    String text = "\u20ac".repeat(4 * MEBIBYTE); // 12 MiB
    CompletableFuture<?> other = cache.putAsync("k", "v");
    CompletableFuture<?> refused = cache.putAsync("large", text);
    assertRefused(
        Objects.requireNonNull(assertThrows(CompletionException.class, refused::join).getCause()));
    other.join();
    cache.put("half", text.substring(0, 2 * MEBIBYTE));
    assertEquals("v", cache.get("k"));
  }

  @Test
  void largeValue_isTaken_ifTheLimitIsHigher() {
    byte[] value = new byte[9 * MEBIBYTE];
    cache.put("large", value);
    try (RemoteCacheManager strict =
        new RemoteCacheManager(server.client().requestBytesMax(MEBIBYTE).build())) {
      RemoteCache<String, Object> strictCache = Objects.requireNonNull(strict.getCache("default"));
      assertThrows(RequestTooLargeException.class, () -> strictCache.put("large", value));
      assertEquals(
          value.length, ((byte[]) Objects.requireNonNull(strictCache.get("large"))).length);
    }
  }

  @Test
  void putAll_ofLargeAndSmallValues_isSplitByBytes() {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < 4; i++) {
      entries.put("some" + i, new byte[900_000]);
      entries.put("large" + i, new byte[10 * MEBIBYTE - 100_000]);
    }
    cache.putAll(entries);
    assertEquals(entries.size(), cache.size());
    Map<String, Object> found = cache.getAll(entries.keySet());
    assertEquals(entries.keySet(), found.keySet());
  }

  @Test
  void putAll_ofManySmallEntries_storesAll() {
    Map<String, Object> entries = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      entries.put("key" + i, "value" + i);
    }
    cache.putAll(entries);
    assertEquals(entries.size(), cache.size());
    assertEquals(entries, cache.getAll(entries.keySet()));
  }

  @Test
  void putAll_withOneTooLargeValue_fails() {
    Map<String, Object> entries = new HashMap<>();
    entries.put("large", new byte[11 * MEBIBYTE]);
    entries.put("small", "v");
    assertRefused(assertThrows(HotRodClientException.class, () -> cache.putAll(entries)));
  }
}
