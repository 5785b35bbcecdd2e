package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iterators, views and publishers of a cache, against a real server. */
class IterationTest {
  private static final int ENTRIES = 500;

  private static TestServer server;

  private RemoteCacheManager manager;
  private RemoteCache<Integer, String> cache;
  private final Map<Integer, String> expected = new HashMap<>();

  @BeforeAll
  static void startServer() {
    server = new TestServer();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void fill() {
    manager = new RemoteCacheManager(server.client().batchSize(64).build());
    cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
    for (int i = 0; i < ENTRIES; i++) {
      expected.put(i, "v" + i);
    }
    cache.putAll(expected);
  }

  @AfterEach
  void disconnect() {
    manager.close();
  }

  @Test
  void retrieveEntries_inBatches_findsEachOnce() {
    Map<Integer, String> found = new HashMap<>();
    try (CloseableIterator<Map.Entry<Integer, String>> entries = cache.retrieveEntries(7)) {
      while (entries.hasNext()) {
        Map.Entry<Integer, String> entry = entries.next();
        assertEquals(null, found.put(entry.getKey(), entry.getValue()));
      }
      assertThrows(NoSuchElementException.class, entries::next);
    }
    assertEquals(expected, found);
  }

  @Test
  void retrieveEntriesWithMetadata_tellsVersions() {
    cache.clear();
    cache.put(1, "v", 100, TimeUnit.SECONDS);
    long version = Objects.requireNonNull(cache.getWithMetadata(1)).version();
    try (CloseableIterator<Map.Entry<Integer, MetadataValue<String>>> entries =
        cache.retrieveEntriesWithMetadata(null, 10)) {
      Map.Entry<Integer, MetadataValue<String>> entry = entries.next();
      assertEquals("v", entry.getValue().value());
      assertEquals(version, entry.getValue().version());
      assertEquals(100, entry.getValue().lifespanSeconds());
      assertFalse(entries.hasNext());
    }
  }

  @Test
  void close_early_endsTheIteration() {
    CloseableIterator<Map.Entry<Integer, String>> entries = cache.retrieveEntries(10);
    entries.next();
    entries.close();
    entries.close();
    assertFalse(entries.hasNext());
    // Servers keep 256 per connection: these would be too many if closing did not end them.
    for (int i = 0; i < 300; i++) {
      try (CloseableIterator<Integer> keys = cache.keySet().iterator()) {
        keys.next();
      }
    }
  }

  @Test
  void parallelStream_closedEarly_endsTheIteration() {
    for (int i = 0; i < 300; i++) { // more than a server keeps for a connection
      try (Stream<Integer> keys = cache.keySet().parallelStream();
          Stream<String> values = cache.values().parallelStream()) {
        assertTrue(keys.iterator().hasNext());
        assertTrue(values.iterator().hasNext());
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // how null is taken is what is tested
  void entries_withoutKeyOrValue_areInNoCache() {
    assertFalse(cache.entrySet().contains(new SimpleEntry<>(-1, null)));
    assertFalse(cache.entrySet().contains(new SimpleEntry<>(null, "v7")));
    assertFalse(cache.entrySet().remove(new SimpleEntry<>(7, null)));
    assertFalse(cache.entrySet().remove(new SimpleEntry<>(null, "v7")));
    assertEquals(ENTRIES, cache.size());
  }

  @Test
  void views_showAndChangeTheCache() {
    assertEquals(expected.keySet(), new HashSet<>(cache.keySet()));
    assertEquals(expected.entrySet(), new HashSet<>(cache.entrySet()));
    assertEquals(new HashSet<>(expected.values()), new HashSet<>(cache.values()));
    assertEquals(ENTRIES, cache.keySet().size());
    assertTrue(cache.keySet().contains(7));
    assertFalse(cache.keySet().contains(-1));
    assertTrue(cache.entrySet().contains(Map.entry(7, "v7")));
    assertTrue(cache.values().contains("v7"));
    assertFalse(cache.values().contains("none"));
    assertTrue(cache.keySet().remove(7));
    assertFalse(cache.keySet().remove(7));
    assertFalse(cache.entrySet().remove(Map.entry(8, "other")));
    assertTrue(cache.entrySet().remove(Map.entry(8, "v8")));
    assertTrue(cache.keySet().removeIf(key -> key >= 10));
    try (Stream<Integer> keys = cache.keySet().stream()) {
      assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 9), keys.collect(Collectors.toSet()));
    }
    cache.values().clear();
    assertTrue(cache.isEmpty());
  }

  @Test
  void retrieveEntries_ofUnknownFactory_tells() {
    try (CloseableIterator<?> entries = cache.retrieveEntries("none", null, 10)) {
      HotRodClientException failure = assertThrows(ServerErrorException.class, entries::hasNext);
      assertTrue(String.valueOf(failure.getMessage()).contains("unknown filter"));
    }
    assertThrows(IllegalArgumentException.class, () -> cache.retrieveEntries(0));
  }

  /** Asks for some at a time. */
  private static final class Taking<E> implements Flow.Subscriber<E> {
    private final long step;
    private final long limit;
    private final List<E> taken = new ArrayList<>();
    private final CompletableFuture<List<E>> done = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long asked;

    Taking(long step, long limit) {
      this.step = step;
      this.limit = limit;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      ask();
    }

    private void ask() {
      asked += step;
      Objects.requireNonNull(subscription).request(step);
    }

    @Override
    public void onNext(E element) {
      taken.add(element);
      if (taken.size() == limit) {
        Objects.requireNonNull(subscription).cancel();
        done.complete(taken);
      } else if (taken.size() == asked) {
        ask();
      }
    }

    @Override
    public void onError(Throwable cause) {
      done.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      done.complete(taken);
    }
  }

  @Test
  void publishEntries_tellsAsMuchAsIsAskedFor() throws InterruptedException, ExecutionException {
    Flow.Publisher<Map.Entry<Integer, String>> entries = cache.publishEntries(null, null, null, 16);
    Taking<Map.Entry<Integer, String>> all = new Taking<>(3, Long.MAX_VALUE);
    entries.subscribe(all);
    assertEquals(ENTRIES, all.done.get().size());
    assertEquals(expected.entrySet(), new HashSet<>(all.done.get()));
    Taking<Map.Entry<Integer, String>> some = new Taking<>(Long.MAX_VALUE, 20);
    entries.subscribe(some);
    assertEquals(20, some.done.get().size());
    Taking<Map.Entry<Integer, MetadataValue<String>>> withMetadata = new Taking<>(100, 1_000);
    cache.publishEntriesWithMetadata(null, 100).subscribe(withMetadata);
    assertEquals(ENTRIES, withMetadata.done.get().size());
    assertTrue(withMetadata.done.get().get(0).getValue().version() > 0);
  }

  @Test
  void publishEntries_ofMisuseOrFailure_tells() {
    Taking<Map.Entry<Integer, String>> none = new Taking<>(0, 1);
    cache.publishEntries(null, null, null, 16).subscribe(none);
    ExecutionException misuse = assertThrows(ExecutionException.class, none.done::get);
    assertInstanceOf(IllegalArgumentException.class, misuse.getCause());
    Taking<Map.Entry<Integer, String>> failing = new Taking<>(10, 1_000);
    cache.publishEntries("none", null, null, 16).subscribe(failing);
    ExecutionException failure = assertThrows(ExecutionException.class, failing.done::get);
    assertInstanceOf(ServerErrorException.class, failure.getCause());
  }
}
