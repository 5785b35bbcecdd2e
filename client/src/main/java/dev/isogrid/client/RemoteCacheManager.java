package dev.isogrid.client;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A client of one cluster: its connections, one per server, and its caches. Thread-safe; one is
 * enough for a process. Closing ends the connections.
 *
 * <pre>{@code
 * try (var manager = new RemoteCacheManager(ClientConfig.of("hotrod://127.0.0.1:11222"))) {
 *   RemoteCache<String, String> cache = manager.getCache("default");
 *   cache.put("k", "v");
 * }
 * }</pre>
 */
public final class RemoteCacheManager implements AutoCloseable { // tidy: the name that users know
  /** The name of the cluster that {@link ClientConfig#servers} belong to. */
  public static final String DEFAULT_CLUSTER = "___DEFAULT-CLUSTER___";

  private final ClientConfig config;
  private final Router router;
  private final ObjectFormat format;
  private final Map<String, HotRodCache<?, ?>> caches = new ConcurrentHashMap<>();

  /** Creates a client. It connects when it has something to send. */
  public RemoteCacheManager(ClientConfig config) {
    this.config = config;
    ObjectFormat unused = new ObjectFormat(config.marshaller());
    RequestFormat plain =
        new RequestFormat(new CacheRef("", config), 0, config.intelligence(), unused, unused);
    this.router = new Router(config, plain.withoutTypes());
    this.format = router.formats().of(config.marshaller());
  }

  private RequestFormat requestFormat(CacheRef cache, int flags) {
    return new RequestFormat(cache, flags, config.intelligence(), format, format);
  }

  /** The configuration. */
  public ClientConfig config() {
    return config;
  }

  /** The servers' default cache, or null if they have none. One round trip. */
  public <K, V> @Nullable RemoteCache<K, V> getCache() {
    return getCache("");
  }

  /**
   * A cache. One round trip the first time; the same object each time.
   *
   * @return null if the servers have no cache of that name
   * @throws HotRodClientException if no server could be asked
   */
  public <K, V> @Nullable RemoteCache<K, V> getCache(String name) {
    return cache(name);
  }

  /** As {@link #getCache(String)}. */
  @SuppressWarnings("unchecked") // the user says what the cache holds
  <K, V> @Nullable HotRodCache<K, V> cache(String name) {
    HotRodCache<?, ?> known = caches.get(Objects.requireNonNull(name, "name"));
    if (known == null) {
      CacheRef cache = router.cache(name);
      int flags = config.forceReturnValues() ? Flag.FORCE_RETURN_VALUE.bit() : 0;
      RequestFormat requests = requestFormat(cache, flags);
      try {
        router.call(new PingOperation(requests));
      } catch (ServerErrorException error) {
        if (error.isCacheNotFound()) {
          return null;
        }
        throw error;
      }
      NearCacheConfig near = config.nearCache(name);
      if (near.mode() != NearCacheMode.DISABLED) {
        NearCache.begin(router, requests.withFlags(0), near);
      }
      HotRodCache<?, ?> created = new HotRodCache<>(router, requests);
      known = caches.putIfAbsent(name, created);
      if (known == null) {
        known = created;
      }
    }
    return (HotRodCache<K, V>) known;
  }

  /** The administration of the servers' caches. */
  public RemoteCacheManagerAdmin administration() {
    RequestFormat requests = requestFormat(router.cache(""), 0);
    return new RemoteCacheManagerAdmin(this, router, requests, Set.of());
  }

  /** The names of the servers' caches, sorted. One round trip. */
  public Set<String> getCacheNames() {
    return administration().getCacheNames();
  }

  /** The caches that were opened by {@link #getCache(String)}, by name. Asks no server. */
  public Map<String, RemoteCache<?, ?>> openCaches() {
    return Map.copyOf(caches);
  }

  /**
   * Lets the next {@link #getCache(String)} ask the servers again, and keeps nothing that was read
   * of a cache: no event tells that the name stands for another one.
   *
   * @return completed when the server sends no more events for what was kept; failed if that is not
   *     known
   */
  CompletableFuture<?> forget(String name) {
    caches.remove(name);
    NearCache near = router.cache(name).near();
    return near == null ? CompletableFuture.completedFuture(null) : near.end();
  }

  /** The counters of the servers. */
  public RemoteCounterManager counters() {
    RequestFormat requests = requestFormat(router.cache(CounterRequest.CACHE), 0);
    return new RemoteCounterManager(router, requests.withoutTypes());
  }

  /**
   * Uses another cluster from now on. Operations that were sent end at the old one; listeners are
   * registered again, and near caches begin empty. The client does this by itself when it can't
   * reach any server of the cluster in use; then it stays with the other one.
   *
   * @return false if it is in use already
   * @throws IllegalArgumentException if there is no such cluster
   */
  public boolean switchToCluster(String name) {
    return router.switchTo(Objects.requireNonNull(name, "name"));
  }

  /** Uses the cluster that was configured first; see {@link #switchToCluster}. */
  public boolean switchToDefaultCluster() {
    return router.switchTo(DEFAULT_CLUSTER);
  }

  /** The name of the cluster in use. */
  public String currentClusterName() {
    return router.siteName();
  }

  Router router() {
    return router;
  }

  /** The servers that the client has connections to, or would have if they could be reached. */
  public List<ServerAddress> servers() {
    return router.servers();
  }

  /** Closes the connections; operations that are under way fail. At most some seconds. */
  @Override
  public void close() {
    router.close();
  }
}
