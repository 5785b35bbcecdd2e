package dev.isogrid.client.pooled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.client.CloseableIterator;
import dev.isogrid.client.CounterConfiguration;
import dev.isogrid.client.EntryEvent;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.Flag;
import dev.isogrid.client.HotRodClientException;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.NearCacheConfig;
import dev.isogrid.client.ProtocolVersion;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.client.RemoteCounterManager;
import dev.isogrid.client.RemoteStrongCounter;
import dev.isogrid.testkit.Await;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations in old versions of the protocol, against a real server. */
class OldVersionsTest {
  private static OldServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new OldServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RemoteCacheManager manager(String version) {
    return new RemoteCacheManager(
        server.client().protocolVersion(ProtocolVersion.parse(version)).build());
  }

  private static RemoteCache<String, String> emptyCache(RemoteCacheManager manager) {
    RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
    cache.clear();
    return cache;
  }

  private static int number(String version) {
    return Integer.parseInt(version.replace(".", ""));
  }

  private static void assertRefused(String version, Runnable operation) {
    String message = assertThrows(HotRodClientException.class, operation::run).toString();
    assertTrue(message.contains("server too old"), message);
    assertTrue(message.contains("version=" + number(version)), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.5", "2.9", "3.0", "3.1"})
  void singleKeys_andConditions(String version) {
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCache<String, String> cache = emptyCache(manager);
      assertNull(manager.getCache("none"));
      assertNull(cache.get("k"));
      cache.put("k", "a");
      assertEquals("a", cache.get("k"));
      assertTrue(cache.containsKey("k"));
      assertEquals("a", cache.withFlags(Flag.FORCE_RETURN_VALUE).put("k", "b"));
      assertNull(cache.withFlags(Flag.FORCE_RETURN_VALUE).put("new", "b"));
      assertEquals("b", cache.withFlags(Flag.FORCE_RETURN_VALUE).putIfAbsent("k", "c"));
      MetadataValue<String> found = Objects.requireNonNull(cache.getWithMetadata("k"));
      assertFalse(cache.replaceWithVersion("k", "c", found.version() + 1));
      assertTrue(cache.replaceWithVersion("k", "c", found.version()));
      assertEquals(2, cache.size());
      assertEquals("c", cache.withFlags(Flag.FORCE_RETURN_VALUE).remove("k"));
      assertNull(cache.get("k"));
      assertEquals("1", cache.serverStatistics().get("currentNumberOfEntries"));
    }
    assertTrue(
        server.seen().stream().anyMatch(c -> c.versions().contains(number(version))),
        "spoken versions");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2", "2.9", "3.0"})
  void lifetimes_meanTheSame(String version) {
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCache<String, String> cache = emptyCache(manager);
      cache.put("default", "v");
      assertEquals(-1, lifespan(cache, "default"));
      cache.put("none", "v", -1, TimeUnit.SECONDS);
      assertEquals(-1, lifespan(cache, "none"));
      cache.put("k", "v", 10, TimeUnit.MINUTES, 90, TimeUnit.SECONDS);
      MetadataValue<String> found = Objects.requireNonNull(cache.getWithMetadata("k"));
      assertEquals(600, found.lifespanSeconds());
      assertEquals(90, found.maxIdleSeconds());
      cache.put("month", "v", 30, TimeUnit.DAYS);
      assertEquals(TimeUnit.DAYS.toSeconds(30), lifespan(cache, "month"));
      cache.put("long", "v", 31, TimeUnit.DAYS);
      int seconds = lifespan(cache, "long");
      int wanted = (int) TimeUnit.DAYS.toSeconds(31);
      assertTrue(seconds <= wanted && seconds > wanted - 30, "seconds=" + seconds);
      cache.put("part", "v", 1_500, TimeUnit.MILLISECONDS);
      assertTrue(lifespan(cache, "part") >= 1);
    }
  }

  private static int lifespan(RemoteCache<String, String> cache, String key) {
    return Objects.requireNonNull(cache.getWithMetadata(key)).lifespanSeconds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.5", "2.9", "3.1"})
  void manyKeys_orRefused(String version) {
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCache<String, String> cache = emptyCache(manager);
      Map<String, String> entries = Map.of("a", "1", "b", "2");
      if (number(version) < Versions.V21) {
        assertRefused(version, () -> cache.putAll(entries));
        assertRefused(version, () -> cache.getAll(Set.of("a")));
        assertRefused(version, manager::getCacheNames);
      } else {
        cache.putAll(entries);
        assertEquals(entries, cache.getAll(Set.of("a", "b", "c")));
        assertTrue(manager.getCacheNames().contains("default"));
      }
      putSilently(version, cache);
    }
  }

  /** The flag that came with 3.0. */
  private static void putSilently(String version, RemoteCache<String, String> cache) {
    RemoteCache<String, String> silent = cache.withFlags(Flag.SKIP_LISTENER_NOTIFICATION);
    if (number(version) < Versions.V30) {
      assertRefused(version, () -> silent.put("k", "v"));
    } else {
      silent.put("k", "v");
      assertEquals("v", cache.get("k"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.2", "2.3", "2.4", "2.5", "2.9", "3.1"})
  void iterations_returnAll_orAreRefused(String version) {
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCache<String, String> cache = emptyCache(manager);
      Map<String, String> wanted = new HashMap<>();
      for (int i = 0; i < 25; i++) {
        cache.put("k" + i, "v" + i);
        wanted.put("k" + i, "v" + i);
      }
      if (number(version) < Versions.V23) {
        assertRefused(version, () -> cache.retrieveEntries(10).next());
        return;
      }
      Map<String, String> found = new HashMap<>();
      try (CloseableIterator<Map.Entry<String, String>> all = cache.retrieveEntries(10)) {
        all.forEachRemaining(entry -> found.put(entry.getKey(), entry.getValue()));
      }
      assertEquals(wanted, found);
      assertEquals(wanted.keySet(), new HashSet<>(cache.keySet()));
      if (number(version) < Versions.V25) {
        assertRefused(version, () -> cache.retrieveEntriesWithMetadata(null, 10).next());
      } else {
        try (var all = cache.retrieveEntriesWithMetadata(null, 10)) {
          assertTrue(all.next().getValue().version() != 0);
        }
      }
    }
  }

  /** Keeps what it hears, as text. */
  private static final class Heard implements EntryListener<String, String> {
    final BlockingQueue<String> all = new LinkedBlockingQueue<>();

    private void add(EntryEvent<String, String> event) {
      all.add(event.kind() + " " + event.key() + (event.isState() ? " state" : ""));
    }

    @Override
    public void onCreated(EntryEvent<String, String> event) {
      add(event);
    }

    @Override
    public void onModified(EntryEvent<String, String> event) {
      add(event);
    }

    @Override
    public void onRemoved(EntryEvent<String, String> event) {
      add(event);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.5", "2.8", "3.1"})
  void listeners_hear_onConnectionsOfTheirOwnBefore28(String version) throws Exception {
    int known = server.seen().size();
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCache<String, String> cache = emptyCache(manager);
      cache.put("before", "v");
      Heard heard = new Heard();
      Heard removals = new Heard();
      cache.addClientListener(heard, ListenerOptions.DEFAULT.withState());
      cache.addClientListener(removals, ListenerOptions.DEFAULT.withKinds(EntryEvent.Kind.REMOVED));
      assertEquals("CREATED before state", heard.all.take());
      cache.put("k", "v");
      cache.put("k", "w");
      cache.remove("k");
      assertEquals("CREATED k", heard.all.take());
      assertEquals("MODIFIED k", heard.all.take());
      assertEquals("REMOVED k", heard.all.take());
      assertEquals("REMOVED k", removals.all.take());
      cache.removeClientListener(heard);
      cache.removeClientListener(removals);
    }
    List<Integer> withListener =
        server.seen().stream()
            .skip(known)
            .filter(c -> c.opcodes().contains(Opcodes.ADD_CLIENT_LISTENER))
            .findFirst()
            .orElseThrow()
            .opcodes();
    int added = withListener.indexOf(Opcodes.ADD_CLIENT_LISTENER);
    boolean isShared = withListener.subList(added, withListener.size()).contains(Opcodes.PUT);
    assertEquals(number(version) >= Versions.V28, isShared, "operations=" + withListener);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.6", "2.7", "3.0", "3.1"})
  void counters_andMultimaps_orRefused(String version) {
    try (RemoteCacheManager manager = manager(version)) {
      RemoteCounterManager counters = manager.counters();
      if (number(version) < Versions.V27) {
        assertRefused(version, () -> counters.isDefined("c"));
        return;
      }
      counters.defineCounter("c", CounterConfiguration.strong(0));
      RemoteStrongCounter counter = counters.getStrongCounter("c");
      counter.reset().join();
      assertEquals(3, counter.addAndGet(3).join());
      if (number(version) < Versions.V31) {
        String cause = assertThrows(Exception.class, () -> counter.getAndSet(1).join()).toString();
        assertTrue(cause.contains("server too old"), cause);
      } else {
        assertEquals(3, counter.getAndSet(1).join());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.5", "3.1"})
  void nearCaches_keepValues_andHearOfChanges(String version) throws Exception {
    NearCacheConfig near = NearCacheConfig.invalidated(100);
    try (RemoteCacheManager other = manager("3.1");
        RemoteCacheManager manager =
            new RemoteCacheManager(
                server
                    .client()
                    .protocolVersion(ProtocolVersion.parse(version))
                    .nearCache("default", near)
                    .build())) {
      RemoteCache<String, String> cache = emptyCache(manager);
      cache.put("k", "v");
      Await.until( // the event of the creation may come late
          "a value is kept",
          () -> "v".equals(cache.get("k")) && cache.clientStatistics().nearHits() > 0);
      emptyOf(other).put("k", "w");
      Await.until("the change is heard of", () -> "w".equals(cache.get("k")));
    }
  }

  private static RemoteCache<String, String> emptyOf(RemoteCacheManager other) {
    return Objects.requireNonNull(other.getCache("default"));
  }
}
