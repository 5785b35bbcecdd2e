package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** JCaches on two nodes over one distributed cache. */
class ClusteredJCacheTest {
  private static final int INCREMENTS = 200;

  private static final IsogridCachingProvider provider = new IsogridCachingProvider();
  private static final List<Grid> grids = new ArrayList<>();
  private static final List<CacheManager> managers = new ArrayList<>();

  @BeforeAll
  static void startTwoNodes() {
    int port = FreePorts.one();
    grids.add(node(port, List.of()));
    grids.add(node(FreePorts.one(), List.of("127.0.0.1:" + port)));
    Await.until("both nodes", () -> grids.get(0).executor().nodes().size() == 2);
    for (int i = 0; i < grids.size(); i++) {
      Properties properties = new Properties();
      properties.put(IsogridCachingProvider.GRID, grids.get(i));
      managers.add(provider.getCacheManager(URI.create("isogrid:node" + i), null, properties));
    }
  }

  private static Grid node(int port, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder().bindAddress("127.0.0.1").bindPort(port).seeds(seeds).build();
    return Grid.start(GridConfig.builder().clusterName("jcache").cluster(cluster).build());
  }

  @AfterAll
  static void stop() {
    provider.close();
    grids.forEach(Grid::close);
  }

  private static IsogridConfiguration<String, Integer> distributed() {
    return new IsogridConfiguration<String, Integer>()
        .setCacheConfig(CacheConfig.builder().mode(CacheMode.DIST_SYNC).build());
  }

  private static List<Cache<String, Integer>> caches(
      String name, IsogridConfiguration<String, Integer> configuration) {
    return managers.stream().map(each -> each.createCache(name, configuration)).toList();
  }

  @Test
  void invoke_onBothNodesAtOnce_losesNoUpdate() throws Exception {
    List<Cache<String, Integer>> caches = caches("counts", distributed());
    caches.get(0).put("n", 0);
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (Cache<String, Integer> cache : caches) {
        all.add(executor.submit(() -> increment(cache)));
      }
      for (Future<?> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
    }

    assertEquals(2 * INCREMENTS, caches.get(1).get("n"));
  }

  private static void increment(Cache<String, Integer> cache) {
    for (int i = 0; i < INCREMENTS; i++) {
      cache.invoke(
          "n",
          (entry, arguments) -> {
            entry.setValue(entry.getValue() + 1);
            return null;
          });
    }
  }

  @Test
  void operations_onOneNode_areSeenOnTheOther() {
    List<Cache<String, Integer>> caches = caches("shared", distributed());
    Cache<String, Integer> here = caches.get(0);
    Cache<String, Integer> there = caches.get(1);

    assertTrue(here.putIfAbsent("a", 1));
    assertEquals(1, there.getAndPut("a", 2));
    assertTrue(here.replace("a", 2, 3));
    assertTrue(there.remove("a", 3));
    assertNull(here.get("a"));
    here.put("b", 1);
    there.removeAll();
    assertNull(here.get("b"));
  }

  @Test
  void conditions_onArrays_compareElements() {
    Cache<String, byte[]> cache =
        managers
            .get(0)
            .createCache(
                "arrays",
                new IsogridConfiguration<String, byte[]>()
                    .setCacheConfig(CacheConfig.builder().mode(CacheMode.DIST_SYNC).build()));
    cache.put("a", new byte[] {1});

    assertFalse(cache.replace("a", new byte[] {2}, new byte[] {3}));
    assertTrue(cache.replace("a", new byte[] {1}, new byte[] {2}));
    assertFalse(cache.remove("a", new byte[] {1}));
    assertTrue(cache.remove("a", new byte[] {2}));
  }

  @Test
  void close_ofAManagerOfAGivenGrid_leavesTheGridOpen() {
    Properties properties = new Properties();
    properties.put(IsogridCachingProvider.GRID, grids.get(0));
    CacheManager manager = provider.getCacheManager(URI.create("isogrid:short"), null, properties);
    manager.createCache("kept", distributed()).put("a", 1);

    manager.close();

    assertEquals(1, grids.get(0).cache("kept").get("a"));
  }

  @Test
  void createCache_byReferenceWhereBytesAreKept_isRefused() {
    IsogridConfiguration<String, Integer> configuration = distributed();
    configuration.setStoreByValue(false);

    UnsupportedOperationException e =
        assertThrows(
            UnsupportedOperationException.class,
            () -> managers.get(0).createCache("references", configuration));

    assertTrue(String.valueOf(e.getMessage()).contains("mode=DIST_SYNC"), e::getMessage);
    assertNull(managers.get(0).getCache("references"));
  }

  @Test
  void expiry_ofAnEntry_isHeardOnEachNode() {
    Heard.count.set(0);
    IsogridConfiguration<String, Integer> configuration = distributed();
    configuration
        .setExpiryPolicyFactory(FactoryBuilder.factoryOf(Brief.class))
        .addCacheEntryListenerConfiguration(
            new MutableCacheEntryListenerConfiguration<>(
                FactoryBuilder.factoryOf(Heard.class), null, true, true));
    List<Cache<String, Integer>> caches = caches("expiring", configuration);

    caches.get(0).put("a", 7);

    Await.until("the entry is over", () -> !caches.get(1).containsKey("a"));
    Await.until("an event on both nodes", () -> Heard.count.get() == 14);
  }

  /** Adds up the values of expired entries. */
  public static final class Heard implements CacheEntryExpiredListener<String, Integer> {
    static final AtomicInteger count = new AtomicInteger();

    /** For the factory. */
    public Heard() {}

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> count.addAndGet(event.getValue()));
    }
  }

  /** Entries that live for a moment. */
  public static final class Brief implements ExpiryPolicy {
    /** For the factory. */
    public Brief() {}

    @Override
    public Duration getExpiryForCreation() {
      return new Duration(TimeUnit.MILLISECONDS, 50);
    }

    @Override
    public @Nullable Duration getExpiryForAccess() {
      return null;
    }

    @Override
    public @Nullable Duration getExpiryForUpdate() {
      return null;
    }
  }
}
