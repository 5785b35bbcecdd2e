package dev.isogrid.server;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The caches that a server starts with.
 *
 * @param caches configurations by name, in the order in which to create them
 * @param templates configurations for clients, by name
 * @param aliases further names, each with the name of its cache
 * @param defaultCache the cache of requests without a name; created if nothing else defines it
 * @param memcachedCache the cache of memcached clients; created if nothing else defines it
 */
public record CacheSetup(
    Map<String, CacheConfig> caches,
    Map<String, CacheConfig> templates,
    Map<String, String> aliases,
    String defaultCache,
    String memcachedCache) {
  /** The default name of {@link #defaultCache}. */
  public static final String DEFAULT_CACHE = "default";

  /** The default name of {@link #memcachedCache}. */
  public static final String MEMCACHED_CACHE = "memcachedCache";

  /** Only the two caches that always exist. */
  public static final CacheSetup DEFAULT =
      new CacheSetup(Map.of(), Map.of(), Map.of(), DEFAULT_CACHE, MEMCACHED_CACHE);

  /** Copies the maps. */
  public CacheSetup {
    caches = Collections.unmodifiableMap(new LinkedHashMap<>(caches));
    templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
    aliases = Collections.unmodifiableMap(new LinkedHashMap<>(aliases));
  }

  /**
   * The configuration of the default cache and the memcached cache, unless another one is given.
   */
  static CacheConfig builtIn() {
    return CacheConfig.builder()
        .mode(CacheMode.DIST_SYNC)
        .storage(StorageType.OFF_HEAP)
        .segments(256)
        .statistics(true)
        .build();
  }
}
