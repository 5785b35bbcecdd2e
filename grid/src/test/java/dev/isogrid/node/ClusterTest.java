package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.base.Await;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Embedded nodes that share caches over TCP. */
@Timeout(120)
class ClusterTest {
  private static final int KEYS = 300;

  private final List<Grid> grids = new ArrayList<>();

  @AfterEach
  void close() {
    grids.forEach(Grid::close);
  }

  private List<Grid> start(int count) throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(count);
    List<String> seeds = addresses.stream().map(SeedAddress::toString).toList();
    List<Thread> threads = new ArrayList<>();
    Grid[] started = new Grid[count];
    for (int i = 0; i < count; i++) {
      int index = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> started[index] = start("n" + index, addresses.get(index), seeds)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    List<Grid> all = List.of(started);
    grids.addAll(all);
    return all;
  }

  private static Grid start(String name, SeedAddress at, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds)
            .joinTimeout(30, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName(name).cluster(cluster).build());
  }

  private static CacheConfig distributed() {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(32).build();
  }

  @Test
  void operations_onAnyNode_seeTheSameCache() throws Exception {
    List<Grid> nodes = start(3);
    List<Cache<String, String>> caches = new ArrayList<>();
    for (Grid node : nodes) {
      caches.add(node.cache("c", distributed()));
    }
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      assertNull(caches.get(i % 3).put(key, "a" + i));
      assertEquals("a" + i, caches.get((i + 1) % 3).put(key, "b" + i));
      assertEquals("b" + i, caches.get((i + 2) % 3).get(key));
      expected.put(key, "b" + i);
    }
    Cache<String, String> first = caches.getFirst();
    Cache<String, String> last = caches.getLast();
    assertEquals(KEYS, last.size());
    assertEquals(expected, new HashMap<>(last));
    assertEquals("b7", first.putIfAbsent("key7", "x"));
    assertFalse(first.remove("key7", "y"));
    assertTrue(last.remove("key7", "b7"));
    assertNull(first.get("key7"));
    assertEquals("c", last.compute("key7", (_, old) -> old == null ? "c" : "d"));
    assertEquals("d", first.compute("key7", (_, old) -> old == null ? "c" : "d"));
    CacheEntry<String, String> entry = last.getEntry("key8");
    assertNotNull(entry);
    assertTrue(first.replaceIfVersion("key8", "v", entry.version()));
    assertFalse(last.replaceIfVersion("key8", "w", entry.version()));
    first.clear();
    assertEquals(0, last.size());
    assertTrue(nodes.getFirst().removeCache("c"));
    Await.until("removal", Duration.ofSeconds(5), () -> nodes.getLast().findCache("c") == null);
  }

  @Test
  void write_ofNodeThatIsAlone_needsNoOther() throws Exception {
    Node node = (Node) start(1).getFirst();
    Cache<String, String> cache = node.cache("c", distributed());
    cache.put("key", "value");
    CacheEngine<?, ?> engine = requireNonNull(node.engine("c"));
    Await.until("its own", Duration.ofSeconds(5), () -> !engine.mayWait(0, false));
    long version = requireNonNull(cache.getEntry("key")).version();
    cache.put("key", "other");
    assertTrue(requireNonNull(cache.getEntry("key")).version() > version);
  }

  @Test
  void internalCache_isOnAllNodes_andInNoList() throws Exception {
    List<Grid> nodes = start(3);
    List<CacheEngine<BinaryKey, Bytes>> engines = new ArrayList<>();
    for (Grid node : nodes) {
      engines.add(((Node) node).internalCache("___x"));
      assertEquals(Set.of(), node.cacheNames());
    }
    BinaryKey key = BinaryKey.of(new byte[] {1});
    byte[] value = {2, 3};
    engines.get(1).write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(value)));
    for (CacheEngine<BinaryKey, Bytes> engine : engines) {
      assertEquals(CacheMode.REPL_SYNC, engine.config().mode());
      assertArrayEquals(value, engine.readBytes(key, key.hash()));
    }
  }

  @Test
  void nodes_comeAndGo_andNothingIsLost() throws Exception {
    List<Grid> nodes = start(3);
    Cache<String, String> cache = nodes.getFirst().cache("c", distributed());
    for (int i = 0; i < KEYS; i++) {
      cache.put("key" + i, "value" + i);
    }
    nodes.get(2).close();
    for (int i = 0; i < KEYS; i++) {
      assertEquals("value" + i, cache.get("key" + i));
    }
    nodes.get(1).close();
    for (int i = 0; i < KEYS; i++) {
      assertEquals("value" + i, cache.get("key" + i));
    }
  }
}
