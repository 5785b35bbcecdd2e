package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import java.util.Objects;

/** A cache of a node in a world that stands still. */
final class CacheFixture implements AutoCloseable {
  final FakeEnv env = new FakeEnv();
  final Node node = Node.start(GridConfig.builder().nodeName("n").build(), env.env());
  final Cache<String, String> cache;

  CacheFixture(StorageType storage) {
    this(CacheConfig.builder().storage(storage).segments(8).statistics(true));
  }

  CacheFixture(CacheConfig.Builder config) {
    cache = node.createCache("c", config.build());
  }

  /** The entry of a key that has one. */
  CacheEntry<String, String> entry(String key) {
    return Objects.requireNonNull(cache.getEntry(key), "no entry");
  }

  @Override
  public void close() {
    node.close();
  }
}
