package dev.isogrid.jdbc;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.CacheStoreProvider;

/** Makes the stores that configurations call {@code jdbc}. */
public final class JdbcStoreProvider implements CacheStoreProvider {
  /** For the service loader. */
  public JdbcStoreProvider() {}

  @Override
  public String name() {
    return JdbcStore.NAME;
  }

  @Override
  public CacheStore<?, ?> newStore() {
    return new JdbcStore();
  }
}
