package dev.isogrid.jcache;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A grid in this process: one that the user gave, or one that starts with the first cache. */
final class EmbeddedBackend implements Backend {
  private final boolean isOwner;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Grid grid; // guarded by: lock

  /**
   * Uses a grid.
   *
   * @param grid stays open when this is closed; null for one of its own
   */
  EmbeddedBackend(@Nullable Grid grid) {
    this.grid = grid;
    isOwner = grid == null;
  }

  private Grid grid() {
    lock.lock();
    try {
      if (grid == null) {
        grid = Grid.start();
      }
      return grid;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <K, V> EntryStore<K, V> open(
      String name, IsogridConfiguration<K, V> configuration, ClassLoader loader) {
    CacheConfig config = configuration.getCacheConfig();
    Cache<K, V> cache = config == null ? grid().cache(name) : grid().cache(name, config);
    boolean keepsReferences =
        cache.config().mode() == CacheMode.LOCAL
            && cache.config().storage() == StorageType.HEAP_OBJECT;
    if (!configuration.isStoreByValue() && !keepsReferences) {
      throw new UnsupportedOperationException(
          ("cannot store by reference: cache=%s, mode=%s, storage=%s;"
                  + " store by value, or use a LOCAL cache of HEAP_OBJECT")
              .formatted(name, cache.config().mode(), cache.config().storage()));
    }
    boolean copies = keepsReferences && configuration.isStoreByValue();
    Copier copier = copies ? new Copier(loader) : Copier.NONE;
    return new GridStore<>(cache, copier, InstantSource.system());
  }

  @Override
  public void remove(String name) {
    grid().removeCache(name);
  }

  @Override
  public <T> @Nullable T unwrap(Class<T> type) {
    return type.isAssignableFrom(Grid.class) ? type.cast(grid()) : null;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (isOwner && grid != null) {
        grid.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
