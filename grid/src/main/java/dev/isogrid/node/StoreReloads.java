package dev.isogrid.node;

import dev.isogrid.api.CacheLoader;
import dev.isogrid.engine.BackingStore;
import org.jspecify.annotations.Nullable;

/**
 * Loads from the store of a cache what is old in memory.
 *
 * @param store of the cache
 */
record StoreReloads<K, V>(BackingStore<?, ?> store) implements CacheLoader<K, V> {
  @Override
  @SuppressWarnings("unchecked") // the store's types are its user's promise
  public @Nullable V load(K key) {
    return (V) store.reload(key, null);
  }

  @Override
  @SuppressWarnings("unchecked") // the store's types are its user's promise
  public @Nullable V reload(K key, V oldValue) {
    return (V) store.reload(key, oldValue);
  }
}
