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
 * @param templates configurations that clients may refer to by name
 * @param aliases further names, each with the name of its cache
 * @param defaultCache the cache that stands for an empty name; created if nothing else defines it
 * @param memcachedCache the cache of memcached clients; created if nothing else defines it
 */
public record CacheSetup(
    Map<String, CacheConfig> caches,
    Map<String, CacheConfig> templates,
    Map<String, String> aliases,
    String defaultCache,
    String memcachedCache) {
  /** What {@link #defaultCache} is called if nobody says otherwise. */
  public static final String DEFAULT_CACHE = "default";

  /** What {@link #memcachedCache} is called if nobody says otherwise. */
  public static final String MEMCACHED_CACHE = "memcachedCache";

  /** Nothing but the two caches that are always there. */
  public static final CacheSetup DEFAULT =
      new CacheSetup(Map.of(), Map.of(), Map.of(), DEFAULT_CACHE, MEMCACHED_CACHE);

  /** Copies the maps. */
  public CacheSetup {
    caches = Collections.unmodifiableMap(new LinkedHashMap<>(caches));
    templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
    aliases = Collections.unmodifiableMap(new LinkedHashMap<>(aliases));
  }

  /** The configuration of the default cache and the memcached cache, if nothing defines them. */
  static CacheConfig builtIn() {
    return CacheConfig.builder()
        .mode(CacheMode.DIST_SYNC)
        .storage(StorageType.OFF_HEAP)
        .segments(256)
        .statistics(true)
        .build();
  }
}
