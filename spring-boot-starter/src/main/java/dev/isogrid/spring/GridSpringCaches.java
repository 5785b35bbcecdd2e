package dev.isogrid.spring;

import dev.isogrid.api.BasicCache;
import dev.isogrid.api.Expiry;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/** The caches of a grid or of its client, for Spring; each is made when it is first asked for. */
final class GridSpringCaches implements CacheManager {
  private final Function<String, BasicCache<Object, Object>> opener;
  private final Expiry expiry;
  private final Map<String, Cache> caches = new ConcurrentHashMap<>();

  /**
   * No cache yet.
   *
   * @param opener finds or makes the cache of a name
   * @param expiry of all that is stored
   */
  GridSpringCaches(Function<String, BasicCache<Object, Object>> opener, Expiry expiry) {
    this.opener = opener;
    this.expiry = expiry;
  }

  @Override
  public Cache getCache(String name) {
    Cache known = caches.get(name);
    if (known != null) {
      return known;
    }
    Cache opened = new GridSpringCache(name, opener.apply(name), expiry);
    Cache other = caches.putIfAbsent(name, opened);
    return other == null ? opened : other;
  }

  @Override
  public Collection<String> getCacheNames() {
    return new TreeSet<>(caches.keySet());
  }
}
