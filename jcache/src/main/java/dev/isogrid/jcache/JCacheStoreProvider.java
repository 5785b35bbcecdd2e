package dev.isogrid.jcache;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.CacheStoreProvider;

/** Makes stores of JCache's loaders and writers for configurations that name them. */
public final class JCacheStoreProvider implements CacheStoreProvider {
  /** For the service loader. */
  public JCacheStoreProvider() {}

  @Override
  public String name() {
    return JCacheStore.NAME;
  }

  @Override
  public CacheStore<?, ?> newStore() {
    return new JCacheStore<>(null, null);
  }
}
