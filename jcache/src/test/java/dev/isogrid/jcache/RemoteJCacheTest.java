package dev.isogrid.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.testkit.Await;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.configuration.OptionalFeature;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JCaches of two managers over the client of one server. */
class RemoteJCacheTest {
  private static final int INCREMENTS = 100;

  private static final IsogridCachingProvider provider = new IsogridCachingProvider();
  private static Server server;
  private static RemoteCacheManager client;
  private static CacheManager byUri;
  private static CacheManager byClient;

  @BeforeAll
  static void start() {
    server = Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
    URI uri = URI.create("hotrod://127.0.0.1:" + server.address().getPort());
    Properties patient = new Properties(); // other processes may have the processors
    patient.put("infinispan.client.hotrod.socket_timeout", "20000");
    byUri = provider.getCacheManager(uri, null, patient);
    client = new RemoteCacheManager(ClientConfig.of(uri.toString()));
    Properties properties = new Properties();
    properties.put(IsogridCachingProvider.CLIENT, client);
    byClient = provider.getCacheManager(URI.create("isogrid:servers"), null, properties);
  }

  @AfterAll
  static void stop() {
    provider.close();
    client.close();
    server.close();
  }

  private static MutableConfiguration<String, Integer> numbers() {
    return new MutableConfiguration<String, Integer>()
        .setTypes(String.class, Integer.class)
        .setStatisticsEnabled(true);
  }

  @Test
  void operations_areThoseOfTheServersCache() {
    Cache<String, Integer> cache = byUri.createCache("operations", numbers());
    assertNull(cache.getAndPut("a", 1));
    assertEquals(1, cache.getAndPut("a", 2));
    assertFalse(cache.putIfAbsent("a", 3));
    assertTrue(cache.putIfAbsent("b", 3));
    assertFalse(cache.replace("a", 1, 9));
    assertTrue(cache.replace("a", 2, 4));
    assertEquals(4, cache.getAndReplace("a", 5));
    cache.putAll(Map.of("c", 7, "d", 8));
    assertEquals(Map.of("a", 5, "c", 7), cache.getAll(Set.of("a", "c", "none")));
    assertFalse(cache.remove("a", 4));
    assertTrue(cache.remove("a", 5));
    assertEquals(3, cache.getAndRemove("b"));
    assertFalse(cache.containsKey("b"));
    Map<String, Integer> rest = new HashMap<>();
    cache.forEach(entry -> rest.put(entry.getKey(), entry.getValue()));
    assertEquals(Map.of("c", 7, "d", 8), rest);
    RemoteCache<String, Integer> same = client.getCache("operations");
    assertNotNull(same);
    assertEquals(7, same.get("c"));
    cache.clear();
    assertEquals(0, same.size());
  }

  @Test
  void invoke_ofTwoManagersAtOnce_losesNoUpdate() throws Exception {
    List<Cache<String, Integer>> caches = new ArrayList<>();
    for (CacheManager manager : List.of(byUri, byClient)) {
      caches.add(manager.createCache("counts", numbers()));
    }
    caches.getFirst().put("n", 0);
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (Cache<String, Integer> cache : caches) {
        all.add(executor.submit(() -> increment(cache)));
      }
      for (Future<?> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
    }
    assertEquals(2 * INCREMENTS, caches.getFirst().get("n"));
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

  /** Keeps the keys of entries whose time is over. */
  public static final class Expired implements CacheEntryExpiredListener<String, Integer> {
    static final List<String> KEYS = new CopyOnWriteArrayList<>();

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> KEYS.add(event.getKey() + " " + event.isOldValueAvailable()));
    }
  }

  @Test
  void expiry_isThatOfThePolicy_andListenersHearOfIt() {
    CompleteConfiguration<String, Integer> mortal =
        numbers()
            .setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 300)));
    Cache<String, Integer> cache = byUri.createCache("mortal", mortal);
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            FactoryBuilder.factoryOf(Expired.class), null, false, false));
    cache.put("a", 1);
    Await.until("the end of the entry", () -> !cache.containsKey("a"));
    Await.until("the event", () -> Expired.KEYS.equals(List.of("a false")));
  }

  @Test
  void update_underAPolicyThatKeepsTheTime_keepsTheEndExactly() {
    Duration notWholeSeconds = new Duration(TimeUnit.MILLISECONDS, 3_600_999);
    CompleteConfiguration<String, Integer> mortal =
        numbers().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(notWholeSeconds));
    Cache<String, Integer> cache = byUri.createCache("kept", mortal);
    RemoteCache<String, Integer> same = Objects.requireNonNull(client.getCache("kept"));
    cache.put("a", 1);
    MetadataValue<Integer> first = Objects.requireNonNull(same.getWithMetadata("a"));
    assertEquals(3_600_999, first.lifespanMillis());
    cache.put("a", 2);
    MetadataValue<Integer> second = Objects.requireNonNull(same.getWithMetadata("a"));
    assertEquals(2, second.value());
    long firstEnd = first.createdMillis() + first.lifespanMillis();
    long late = second.createdMillis() + second.lifespanMillis() - firstEnd;
    assertTrue(late >= 0 && late < 60_000, () -> late + " ms"); // the server may stand still
  }

  @Test
  void update_ofAnEntryWithoutEnd_leavesItWithoutEnd() {
    Cache<String, Integer> cache =
        byUri.createCache(
            "eternal",
            numbers().setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ETERNAL)));
    cache.put("a", 1);
    cache.put("a", 2);
    RemoteCache<String, Integer> same = Objects.requireNonNull(client.getCache("eternal"));
    assertEquals(-1, Objects.requireNonNull(same.getWithMetadata("a")).lifespanMillis());
  }

  /** Keeps removed keys with their values. */
  public static final class Removed implements CacheEntryRemovedListener<String, Integer> {
    static final Map<String, Integer> OLD = new ConcurrentHashMap<>();

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      events.forEach(event -> OLD.put(event.getKey(), event.getOldValue()));
    }
  }

  @Test
  void removeAll_ofMoreThanAreUnderWayAtOnce_countsAndTellsOfThoseThatWere() throws Exception {
    Cache<String, Integer> cache = byUri.createCache("emptied", numbers());
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            FactoryBuilder.factoryOf(Removed.class), null, true, true));
    int there = 2 * BulkWrites.REMOVALS_MAX + 1;
    Map<String, Integer> entries = new HashMap<>();
    for (int i = 0; i < there; i++) {
      entries.put("k" + i, i);
    }
    cache.putAll(entries);
    Set<String> some = new HashSet<>(Set.of("none"));
    for (int i = 0; i <= BulkWrites.REMOVALS_MAX; i++) {
      some.add("k" + i);
    }
    cache.removeAll(some);
    assertEquals(BulkWrites.REMOVALS_MAX + 1, Removed.OLD.size());
    assertFalse(cache.containsKey("k0"));
    assertTrue(cache.containsKey("k" + (there - 1)));
    cache.removeAll();
    assertEquals(entries, Removed.OLD);
    assertFalse(cache.iterator().hasNext());
    ObjectName statistics =
        ManagementFactory.getPlatformMBeanServer()
            .queryNames(new ObjectName("javax.cache:type=CacheStatistics,Cache=emptied,*"), null)
            .iterator()
            .next();
    assertEquals(
        (long) there,
        ManagementFactory.getPlatformMBeanServer().getAttribute(statistics, "CacheRemovals"));
  }

  @Test
  void cacheWhoseListenerCannotBeMade_leavesItsNameFree() {
    CompleteConfiguration<String, Integer> broken =
        numbers()
            .addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(
                    () -> {
                      throw new IllegalStateException("as a test");
                    },
                    null,
                    false,
                    false));
    assertThrows(IllegalStateException.class, () -> byUri.createCache("half", broken));
    assertNull(byUri.getCache("half"));
    assertNotNull(byUri.createCache("half", numbers()));
  }

  @Test
  void loaderThatFailsWithAnError_isToldToWhoWaits() {
    CacheLoader<String, Integer> loader =
        new CacheLoader<>() {
          @Override
          public Integer load(String key) {
            throw new UnsupportedOperationException();
          }

          @Override
          public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
            throw new NoClassDefFoundError("as a test");
          }
        };
    Cache<String, Integer> cache =
        byUri.createCache(
            "unloadable", numbers().setReadThrough(true).setCacheLoaderFactory(() -> loader));
    CompletionListenerFuture loaded = new CompletionListenerFuture();
    cache.loadAll(Set.of("a"), true, loaded);
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> loaded.get(1, TimeUnit.MINUTES));
    assertInstanceOf(CacheLoaderException.class, failed.getCause());
  }

  @Test
  void propertiesThatNameServers_needNoUriOfThem() {
    String place = "127.0.0.1:" + server.address().getPort();
    Map<String, String> ways =
        Map.of(
            "isogrid.client.server_list", place,
            "infinispan.client.hotrod.server_list", place,
            "isogrid.client.uri", "hotrod://" + place);
    ways.forEach((name, value) -> {
      Properties properties = new Properties();
      properties.put(name, value);
      URI uri = URI.create("isogrid:" + name);
      try (CacheManager manager = provider.getCacheManager(uri, null, properties)) {
        manager.createCache(name, numbers()).put("a", 1);
        assertEquals(1, Objects.requireNonNull(client.getCache(name)).get("a"));
      }
    });
  }

  @Test
  void destroyedCache_isGoneOnTheServer() {
    byUri.createCache("short-lived", numbers()).put("a", 1);
    assertTrue(client.getCacheNames().contains("short-lived"));
    byUri.destroyCache("short-lived");
    assertFalse(client.getCacheNames().contains("short-lived"));
  }

  @Test
  void serverConfiguration_isThatOfANewCache() {
    byUri.createCache(
        "replicated",
        new IsogridConfiguration<String, Integer>()
            .setServerConfiguration("{\"replicated-cache\":{\"statistics\":true}}"));
    assertTrue(client.getCacheNames().contains("replicated"));
    assertThrows(
        CacheException.class,
        () ->
            byUri.createCache(
                "other",
                new IsogridConfiguration<String, Integer>()
                    .setCacheConfig(CacheConfig.builder().build())));
    assertThrows(
        UnsupportedOperationException.class,
        () -> byUri.createCache("other", numbers().setStoreByValue(false)));
  }

  @Test
  void mxBeans_ofAUriWithQueryAndLogin_areShownWithoutSecrets() throws Exception {
    String place = "127.0.0.1:" + server.address().getPort();
    URI secret = URI.create("hotrod://ada:pw1@" + place + "?auth_password=pw1&sni_host_name=*");
    Properties properties = new Properties();
    properties.put(IsogridCachingProvider.CLIENT, client);
    try (CacheManager manager = provider.getCacheManager(secret, null, properties)) {
      manager.createCache("shown \"*\"", numbers());
      Set<ObjectName> names =
          ManagementFactory.getPlatformMBeanServer()
              .queryNames(new ObjectName("javax.cache:type=CacheStatistics,*"), null);
      String shown =
          names.stream()
              .map(name -> name.getKeyProperty("CacheManager"))
              .filter(name -> name.contains("auth_password"))
              .collect(Collectors.joining());
      String dotted = place.replace(':', '.');
      assertEquals("hotrod.//" + dotted + ".auth_password....&sni_host_name..", shown);
      assertFalse(manager.toString().contains("pw1"), manager::toString);
    }
  }

  @Test
  void newCache_hasTheMediaTypeOfTheClient() {
    URI uri = URI.create("hotrod://127.0.0.1:" + server.address().getPort());
    Properties properties = new Properties();
    properties.put("infinispan.client.hotrod.java_serial_allowlist", Basket.class.getName());
    ClassLoader other = ClassLoader.getSystemClassLoader().getParent();
    try (CacheManager manager = provider.getCacheManager(uri, other, properties)) {
      Cache<String, Basket> cache =
          manager.createCache("baskets", new MutableConfiguration<String, Basket>());
      cache.put("ada", new Basket("apples"));
      assertEquals("apples", cache.get("ada").content);
    }
  }

  /** A class that only Java's serialization takes. */
  private static final class Basket implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    private final String content;

    Basket(String content) {
      this.content = content;
    }
  }

  @Test
  void defaultUri_andItsProperties_areThoseOfSystemProperties(@TempDir Path directory)
      throws IOException {
    String uri = "hotrod://127.0.0.1:" + server.address().getPort();
    Path file = Files.writeString(directory.resolve("client.properties"), "a=1\nb=2\n");
    assertEquals(URI.create("isogrid:default"), provider.getDefaultURI());
    assertTrue(provider.isSupported(OptionalFeature.STORE_BY_REFERENCE));
    System.setProperty(IsogridCachingProvider.DEFAULT_URI, uri + "?max_retries=1");
    System.setProperty(IsogridCachingProvider.DEFAULT_PROPERTIES, file.toString());
    try {
      assertEquals(URI.create(uri + "?max_retries=1"), provider.getDefaultURI());
      assertFalse(provider.isSupported(OptionalFeature.STORE_BY_REFERENCE));
      Properties own = new Properties();
      own.put("b", "3");
      try (CacheManager manager = provider.getCacheManager(null, null, own)) {
        assertEquals(Map.of("a", "1", "b", "3"), manager.getProperties());
        manager.createCache("by-default", numbers());
        assertTrue(client.getCacheNames().contains("by-default"));
      }
      try (CacheManager manager = provider.getCacheManager(URI.create("isogrid:b"), null, null)) {
        assertEquals(Map.of(), manager.getProperties());
      }
      System.setProperty(IsogridCachingProvider.DEFAULT_PROPERTIES, file + "-none");
      CacheException refused = assertThrows(CacheException.class, provider::getCacheManager);
      assertTrue(String.valueOf(refused.getMessage()).contains("client.properties-none"));
    } finally {
      System.clearProperty(IsogridCachingProvider.DEFAULT_URI);
      System.clearProperty(IsogridCachingProvider.DEFAULT_PROPERTIES);
    }
  }

  /** A loader whose loads the test lets end. */
  private static final class SlowLoader implements CacheLoader<String, Integer>, Closeable {
    private final CountDownLatch isLoading = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Override
    public Integer load(String key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      isLoading.countDown();
      Await.until("the permission to end", () -> mayEnd.getCount() == 0);
      order.add("loaded");
      return Map.of("a", 1);
    }

    @Override
    public void close() {
      order.add("closed");
    }
  }

  @Test
  void close_whileALoadRuns_closesTheLoaderAfterIt() throws Exception {
    SlowLoader loader = new SlowLoader();
    Cache<String, Integer> cache =
        byUri.createCache(
            "loaded", numbers().setReadThrough(true).setCacheLoaderFactory(() -> loader));
    cache.loadAll(Set.of("a"), false, null);
    Await.until("the load", () -> loader.isLoading.getCount() == 0);
    Thread close = Thread.ofVirtual().start(cache::close);
    Set<Thread.State> settled = Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
    Await.until("the wait", () -> settled.contains(close.getState()));
    loader.mayEnd.countDown();
    close.join();
    assertEquals(List.of("loaded", "closed"), loader.order);
    RemoteCache<String, Integer> same = client.getCache("loaded");
    assertEquals(1, Objects.requireNonNull(same).get("a"));
  }

  @Test
  void unwrap_givesClientAndCache() {
    assertSame(client, byClient.unwrap(RemoteCacheManager.class));
    Cache<String, Integer> cache = byClient.createCache("inside", numbers());
    assertEquals("inside", cache.unwrap(RemoteCache.class).name());
    assertNotNull(byUri.unwrap(RemoteCacheManager.class));
  }
}
