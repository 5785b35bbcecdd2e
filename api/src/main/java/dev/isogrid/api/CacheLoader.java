package dev.isogrid.api;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads values from their source, for a {@link LoadingCache}. Runs without a lock and may take its
 * time; it may use other keys of any cache. It must not write the key that it loads, and must be
 * thread-safe, since several keys are loaded at the same time.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface CacheLoader<K, V> {
  /**
   * Loads a value.
   *
   * @return the value, or null if there is none
   */
  @Nullable V load(K key) throws Exception;

  /**
   * Loads several values at once. If not overridden, loads one after the other.
   *
   * @param keys not in the cache; unmodifiable
   * @return the values that there are; others than those of these keys are ignored
   */
  default Map<K, V> loadAll(Set<? extends K> keys) throws Exception {
    Map<K, V> loaded = new HashMap<>();
    for (K key : keys) {
      V value = load(key);
      if (value != null) {
        loaded.put(key, value);
      }
    }
    return loaded;
  }

  /**
   * Loads the value that follows one that has become old. If not overridden, loads it as any other.
   *
   * @return the value, or null if there is none any more; the entry is removed then
   */
  default @Nullable V reload(K key, V oldValue) throws Exception {
    return load(key);
  }
}
