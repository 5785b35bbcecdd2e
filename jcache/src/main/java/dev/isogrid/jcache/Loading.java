package dev.isogrid.jcache;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.jspecify.annotations.Nullable;

/** Calls the loader of a cache; its exceptions are wrapped in {@link CacheLoaderException}. */
record Loading<K, V>(CacheLoader<K, V> loader) {
  @Nullable V load(K key) {
    try {
      return loader.load(key);
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader failed: " + loader, e);
    }
  }

  /** The values of these keys from the loader, without nulls. */
  Map<K, V> loadAll(Set<? extends K> keys) {
    try {
      Map<K, V> found = new HashMap<>(loader.loadAll(keys));
      found.values().removeIf(Objects::isNull);
      return found;
    } catch (CacheLoaderException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheLoaderException("the loader failed: " + loader, e);
    }
  }
}
