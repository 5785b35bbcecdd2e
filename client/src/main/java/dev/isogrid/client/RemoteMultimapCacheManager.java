package dev.isogrid.client;

import java.util.Objects;

/**
 * The multimaps of the servers: caches in which a key has any number of values. Thread-safe.
 *
 * <pre>{@code
 * RemoteMultimapCacheManager<String, String> multimaps =
 *     new RemoteMultimapCacheManager<>(manager);
 * RemoteMultimapCache<String, String> people = multimaps.get("people");
 * people.put("smith", "anna").join();
 * }</pre>
 */
public final class RemoteMultimapCacheManager<K, V> { // tidy: the name that users know
  private final RemoteCacheManager manager;

  /** Creates one over a client. */
  public RemoteMultimapCacheManager(RemoteCacheManager manager) {
    this.manager = Objects.requireNonNull(manager, "manager");
  }

  /** A multimap whose keys have each value once. */
  public RemoteMultimapCache<K, V> get(String name) {
    return get(name, false);
  }

  /**
   * A multimap.
   *
   * @param name of a cache, which should be used for this only
   * @param supportsDuplicates whether a key may have equal values; the same for all who use the
   *     cache. Servers know that from version 4.0 of the protocol on
   * @throws HotRodClientException if there is no such cache
   */
  public RemoteMultimapCache<K, V> get(String name, boolean supportsDuplicates) {
    HotRodCache<K, V> cache = manager.cache(name);
    if (cache == null) {
      throw new HotRodClientException("no such cache: name=%s; create it first".formatted(name));
    }
    return cache.multimap(supportsDuplicates);
  }
}
