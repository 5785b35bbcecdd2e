package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.function.Executable;

/** All operations of a cache, against a real server. */
class RemoteCacheTest {
  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<String, String> cache;

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
    cache = cache(manager);
    cache.clear();
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  private static <K, V> RemoteCache<K, V> cache(RemoteCacheManager of) {
    return Objects.requireNonNull(of.<K, V>getCache("default"));
  }

  @Test
  void getCache_ofNoName_isNull() {
    assertNull(manager.getCache("none"));
    assertSame(cache, manager.getCache("default"));
    assertEquals("default", cache.getName());
  }

  @Test
  void puts_andGets_find() {
    assertNull(cache.get("k"));
    assertNull(cache.put("k", "v"));
    assertEquals("v", cache.get("k"));
    assertEquals("v", cache.getOrDefault("k", "w"));
    assertEquals("w", cache.getOrDefault("none", "w"));
    assertTrue(cache.containsKey("k"));
    assertFalse(cache.containsKey("none"));
    assertEquals(1, cache.size());
    assertFalse(cache.isEmpty());
    assertEquals("v", cache.remove("k"));
    assertNull(cache.remove("k"));
    assertNull(cache.get("k"));
  }

  @Test
  void conditionalWrites_returnThePresentValue_withoutAFlag() {
    assertNull(cache.putIfAbsent("k", "a"));
    assertEquals("a", cache.putIfAbsent("k", "b"));
    assertEquals("a", cache.replace("k", "b"));
    assertNull(cache.replace("none", "b"));
    assertNull(cache.put("k", "c"));
    assertEquals("c", cache.putIfAbsentAsync("k", "d").join());
    assertEquals("c", cache.removeAsync("k").join());
  }

  @Test
  void forceReturnValue_givesThePreviousOne() {
    RemoteCache<String, String> returning = cache.withFlags(Flag.FORCE_RETURN_VALUE);
    assertNull(returning.put("k", "a"));
    assertEquals("a", returning.put("k", "b"));
    assertEquals("b", returning.putIfAbsent("k", "c"));
    assertEquals("b", returning.replace("k", "d"));
    assertNull(returning.replace("none", "d"));
    assertEquals("d", returning.remove("k"));
    assertNull(returning.remove("k"));
    assertNull(returning.putIfAbsent("k", "e"));
    assertEquals("e", cache.get("k"));
  }

  @Test
  void flags_ofTheSameSet_giveTheSameInstance() {
    RemoteCache<String, String> flagged = cache.withFlags(Flag.FORCE_RETURN_VALUE);
    assertSame(flagged, cache.withFlags(Flag.FORCE_RETURN_VALUE));
    assertSame(cache, flagged.noFlags());
    assertSame(
        cache.withFlags(Flag.SKIP_INDEXING, Flag.FORCE_RETURN_VALUE),
        flagged.withFlags(Flag.SKIP_INDEXING));
    assertEquals(Set.of(Flag.FORCE_RETURN_VALUE), flagged.flags());
    assertEquals(Set.of(), cache.flags());
  }

  @Test
  void conditions_areDecidedByTheServer() {
    cache.putIfAbsent("k", "a");
    cache.putIfAbsent("k", "b");
    assertEquals("a", cache.get("k"));
    assertFalse(cache.replace("k", "x", "b"));
    assertTrue(cache.replace("k", "a", "b"));
    assertFalse(cache.remove("k", "a"));
    MetadataValue<String> found = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals("b", found.value());
    assertEquals(-1, found.lifespanSeconds());
    assertFalse(cache.replaceWithVersion("k", "c", found.version() + 1));
    assertTrue(cache.replaceWithVersion("k", "c", found.version()));
    assertFalse(cache.removeWithVersion("k", found.version()));
    assertTrue(cache.remove("k", "c"));
    assertFalse(cache.removeWithVersion("k", 1));
    assertNull(cache.getWithMetadata("k"));
  }

  @Test
  void conditions_onArrays_compareElements() {
    RemoteCache<String, Object> objects = Objects.requireNonNull(manager.getCache("default"));
    objects.put("k", new int[] {1, 2});
    assertFalse(objects.replace("k", new int[] {1}, "x"));
    assertTrue(objects.replace("k", new int[] {1, 2}, new Document("a", new byte[] {1})));
    assertFalse(objects.remove("k", new Document("a", new byte[] {2})));
    assertTrue(objects.replace("k", Objects.requireNonNull(objects.get("k")), "x"));
    assertEquals("x", objects.get("k"));
  }

  @SuppressWarnings("ArrayRecordComponent") // its equals is what is tested
  private record Document(String title, byte[] text) {}

  @Test
  @SuppressWarnings("NullAway") // how null is taken is what is tested
  void remove_ofNull_removesNothing() {
    cache.put("k", "v");
    assertFalse(cache.remove("k", null));
    assertNamed("key", () -> cache.remove(null, "v"));
    assertEquals("v", cache.get("k"));
  }

  private static void assertNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without the checker do
  void nullArguments_areNamed() {
    assertNamed("name", () -> manager.getCache(null));
    assertNamed("keys", () -> cache.getAll(null));
    assertNamed("expiry", () -> cache.put("k", "v", (Expiry) null));
    assertNamed("lifespan", () -> cache.replaceWithVersion("k", "v", 1, (Duration) null));
  }

  @Test
  void lifetimes_reachTheServer() {
    cache.put("k", "v", 10, TimeUnit.MINUTES, 90, TimeUnit.SECONDS);
    MetadataValue<String> found = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals(600, found.lifespanSeconds());
    assertEquals(90, found.maxIdleSeconds());
    assertTrue(found.createdMillis() > 0);
    cache.put("k", "v", new Expiry(0, Expiry.UNLIMITED));
    assertNull(cache.get("k"));
    cache.put("k", "v", Duration.ofSeconds(90), Duration.ofMinutes(-1));
    MetadataValue<String> other = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals(90, other.lifespanSeconds());
    assertEquals(-1, other.maxIdleSeconds());
    cache.put("k", "v", -1, TimeUnit.DAYS);
    MetadataValue<String> last = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals(-1, last.lifespanSeconds());
    Duration minute = Duration.ofMinutes(1);
    assertTrue(cache.replaceWithVersion("k", "v", last.version(), minute, Duration.ofSeconds(2)));
    MetadataValue<String> idle = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals(60, idle.lifespanSeconds());
    assertEquals(2, idle.maxIdleSeconds());
    assertTrue(cache.replaceWithVersion("k", "v", idle.version(), Duration.ofMinutes(2)));
    assertEquals(120, Objects.requireNonNull(cache.getWithMetadata("k")).lifespanSeconds());
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // whole seconds
  void times_areExactToTheMillisecond() {
    cache.put("k", "v", 90_250, TimeUnit.MILLISECONDS, 30_750, TimeUnit.MILLISECONDS);
    MetadataValue<String> found = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals(90_250, found.lifespanMillis());
    assertEquals(90, found.lifespanSeconds());
    assertEquals(30_750, found.maxIdleMillis());
    assertEquals(30, found.maxIdleSeconds());
  }

  @Test
  @DisabledIfSystemProperty(named = TestServer.EXTERNAL, matches = ".*") // whole seconds
  void replaceWithVersion_untilAMoment_endsThen() {
    cache.put("k", "v", Duration.ofMillis(3_600_999));
    MetadataValue<String> first = Objects.requireNonNull(cache.getWithMetadata("k"));
    Instant end = Instant.ofEpochMilli(first.createdMillis() + first.lifespanMillis());
    assertFalse(cache.replaceWithVersion("k", "w", first.version() + 1, end));
    assertTrue(cache.replaceWithVersion("k", "w", first.version(), end));
    MetadataValue<String> second = Objects.requireNonNull(cache.getWithMetadata("k"));
    assertEquals("w", second.value());
    assertEquals(-1, second.maxIdleMillis());
    // the server computes the rest of the life when it reads the request, and writes a bit later
    long late = second.createdMillis() + second.lifespanMillis() - end.toEpochMilli();
    assertTrue(late >= 0 && late < 60_000, () -> late + " ms");
    assertTrue(cache.replaceWithVersion("k", "x", second.version(), Instant.MIN));
    assertNull(cache.get("k"));
  }

  @Test
  void values_ofManyTypes_comeBackAsTheyWere() {
    RemoteCache<Object, Object> objects = cache(manager);
    List<Object> values = List.of("", "\u00e4\u20ac", 7, 7L, 1.5, true, 'c', (byte) 3);
    for (Object value : values) {
      objects.put(value, value);
      assertEquals(value, objects.get(value));
    }
    objects.put("bytes", new byte[] {1, 2});
    assertArrayEquals(new byte[] {1, 2}, (byte[]) objects.get("bytes"));
    objects.put("empty", new byte[0]);
    assertArrayEquals(new byte[0], (byte[]) objects.get("empty"));
    String long1 = "k".repeat(200);
    objects.put(long1, long1);
    assertEquals(long1, objects.get(long1));
    assertThrows(MarshallingException.class, () -> objects.put("k", new Object()));
  }

  @Test
  void largeValues_arrive() {
    RemoteCache<String, byte[]> bytes = cache(manager);
    byte[] value = new byte[5_000_000];
    value[4_999_999] = 1;
    bytes.put("large", value);
    assertArrayEquals(value, bytes.get("large"));
  }

  @Test
  void bulk_ofMoreThanOneRequest_isWhole() {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < 2_500; i++) {
      entries.put("k" + i, "v" + i);
    }
    cache.putAll(entries);
    assertEquals(2_500, cache.size());
    assertEquals(entries, cache.getAll(entries.keySet()));
    assertEquals(Map.of("k1", "v1"), cache.getAll(Set.of("k1", "none")));
    assertEquals(Map.of(), cache.getAll(Set.of()));
  }

  @Test
  void manyAsync_onOneConnection_allArrive() {
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      puts.add(cache.putAsync("k" + i, "v" + i));
    }
    CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
    List<CompletableFuture<String>> gets = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      gets.add(cache.getAsync("k" + i));
    }
    for (int i = 0; i < 20_000; i++) {
      assertEquals("v" + i, gets.get(i).join());
    }
    assertEquals("2", Objects.requireNonNull(cache.sizeAsync().join()) == 20_000 ? "2" : "1");
  }

  @Test
  void async_arrayChangedAfterwards_isStoredAsItWas() {
    RemoteCache<String, byte[]> bytes = cache(manager);
    byte[] value = {1, 1, 1};
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      puts.add(bytes.putAsync("k" + i, value));
      value[0]++;
    }
    CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
    assertEquals(43, Objects.requireNonNull(bytes.get("k42"))[0]);
  }

  @Test
  void continuation_thatWaits_failsInsteadOfHanging() {
    AtomicReference<Thread> waiter = new AtomicReference<>(Thread.currentThread());
    CompletableFuture<String> waiting = new CompletableFuture<>();
    while (Thread.currentThread().equals(waiter.get())) { // until the answer is not there too early
      waiting =
          cache
              .putAsync("k", "v")
              .thenApply(previous -> {
                waiter.set(Thread.currentThread());
                return String.valueOf(cache.get("k"));
              });
      CompletableFuture.allOf(waiting).exceptionally(failed -> null).join();
    }
    CompletionException failure = assertThrows(CompletionException.class, waiting::join);
    assertInstanceOf(IllegalStateException.class, failure.getCause());
    assertEquals("v", cache.getAsync("k").thenCompose(v -> cache.getAsync("k")).join());
  }

  @Test
  void formats_ofBytesAndText_areStoredAsTheyAre() {
    try (RemoteCacheManager text =
            new RemoteCacheManager(server.client().marshaller(new StringMarshaller()).build());
        RemoteCacheManager raw =
            new RemoteCacheManager(server.client().marshaller(new BytesMarshaller()).build())) {
      RemoteCache<String, String> texts = cache(text);
      texts.put("text", "\u00e4");
      assertEquals("\u00e4", texts.get("text"));
      RemoteCache<byte[], byte[]> bytes = cache(raw);
      bytes.put(new byte[] {9}, new byte[] {1});
      assertArrayEquals(new byte[] {1}, bytes.get(new byte[] {9}));
    }
  }

  @Test
  void statistics_areThoseOfTheServer() {
    cache.put("k", "v");
    assertNotNull(cache.serverStatistics().get("stores"));
  }

  @Test
  void closed_fails() {
    manager.close();
    manager.close();
    assertThrows(HotRodClientException.class, () -> cache.get("k"));
  }

  @Test
  void pool_withoutItsArtifact_isRefused() {
    ClientConfig config = ClientConfig.of("hotrod://127.0.0.1:1?protocol_version=2.5");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new RemoteCacheManager(config));
    assertTrue(String.valueOf(refused.getMessage()).contains("isogrid-client-pooled"));
  }

  @Test
  void fixedVersion_isSpoken() {
    ClientConfig config =
        server.client().protocolVersion(ProtocolVersion.PROTOCOL_VERSION_40).build();
    try (RemoteCacheManager old = new RemoteCacheManager(config)) {
      RemoteCache<String, String> same = cache(old);
      same.put("k", "v");
      assertEquals("v", same.get("k"));
      assertThrows(HotRodClientException.class, () -> same.streaming().get("k"));
    }
  }

  @Test
  void asynchronousValues_mayBeChanged_asSoonAsTheCallReturns() {
    RemoteCache<Integer, byte[]> bytes = cache(manager);
    byte[] value = new byte[500];
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Arrays.fill(value, (byte) i);
      puts.add(bytes.putAsync(i, value));
    }
    puts.forEach(CompletableFuture::join);
    for (int i = 0; i < 2_000; i++) {
      Arrays.fill(value, (byte) i);
      assertArrayEquals(value, bytes.get(i), "key=" + i);
    }
  }
}
