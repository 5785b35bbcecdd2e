package dev.isogrid.bench.memory;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import java.util.concurrent.TimeUnit;

/**
 * A local cache of this product that keeps bytes. Keys and values are stored unchanged, so that an
 * entry has the same bytes as in every other row. The built-in marshaller would add a type mark to
 * each.
 */
final class IsogridLibrary implements Library {
  private static final String CACHE = "bench";

  private final Grid grid;
  private final Cache<byte[], byte[]> cache;

  private IsogridLibrary(CacheConfig config) {
    this.grid = Grid.start();
    this.cache = grid.createCache(CACHE, config);
  }

  /** A cache without a bound whose entries live for ever. */
  static IsogridLibrary plain(StorageType storage) {
    return new IsogridLibrary(bytes(storage).build());
  }

  /** An off-heap cache whose entries live for an hour, with a bound above the load. */
  static IsogridLibrary expiringAndBounded(int count) {
    return new IsogridLibrary(
        bytes(StorageType.OFF_HEAP).lifespan(1, TimeUnit.HOURS).maxCount(2L * count).build());
  }

  /** A local cache that keeps references. */
  static Library objects() {
    Grid grid = Grid.start();
    Cache<String, byte[]> cache =
        grid.createCache(CACHE, CacheConfig.builder().storage(StorageType.HEAP_OBJECT).build());
    ReferenceMap map = new ReferenceMap(cache);
    return new Library() {
      @Override
      public void put(byte[] key, byte[] value) {
        map.put(key, value);
      }

      @Override
      public long count() {
        return map.count();
      }

      @Override
      public OwnCount ownCount() {
        return memory(grid, cache);
      }
    };
  }

  private static CacheConfig.Builder bytes(StorageType storage) {
    return CacheConfig.builder()
        .storage(storage)
        .keyMarshaller(AsIs.INSTANCE)
        .valueMarshaller(AsIs.INSTANCE);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    cache.put(key, value);
  }

  @Override
  public long count() {
    return cache.size();
  }

  @Override
  public OwnCount ownCount() {
    return memory(grid, cache);
  }

  private static OwnCount memory(Grid grid, Cache<?, ?> cache) {
    return new OwnCount(cache.memoryUse().allocatedBytes(), grid.offHeapUse().reservedBytes());
  }

  /** A marshaller that returns its bytes unchanged. */
  private enum AsIs implements Marshaller<byte[]> {
    INSTANCE;

    @Override
    public byte[] toBytes(byte[] bytes) {
      return bytes.clone();
    }

    @Override
    public byte[] fromBytes(byte[] bytes) {
      return bytes.clone();
    }

    @Override
    public String mediaType() {
      return "application/octet-stream";
    }
  }
}
