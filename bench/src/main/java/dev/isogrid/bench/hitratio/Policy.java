package dev.isogrid.bench.hitratio;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;

/** A bounded cache whose hits are counted. */
enum Policy {
  /** A local cache of this product that keeps references, with the default configuration. */
  ISOGRID_OBJECT("Isogrid HEAP_OBJECT"),

  /** A local cache of this product that keeps bytes. */
  ISOGRID_BINARY("Isogrid HEAP_BINARY"),

  /** A local cache of this product that keeps bytes outside of the heap. */
  ISOGRID_OFF_HEAP("Isogrid OFF_HEAP"),

  /** Caffeine with the default configuration. */
  CAFFEINE("Caffeine"),

  /** A model of least recently used. */
  LRU("LRU"),

  /** A model of SIEVE. */
  SIEVE("SIEVE"),

  /** A model of S3-FIFO. */
  S3_FIFO("S3-FIFO");

  private final String label;

  Policy(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** A cache under test, which stores each requested key that it lacks. */
  interface Requests extends AutoCloseable {
    /** Requests a key, puts it if it is missing, and returns whether it was there. */
    boolean ask(int key);

    @Override
    default void close() {}
  }

  /** An empty cache. */
  Requests open(int capacity) {
    return switch (this) {
      case ISOGRID_OBJECT -> isogrid(StorageType.HEAP_OBJECT, capacity);
      case ISOGRID_BINARY -> isogrid(StorageType.HEAP_BINARY, capacity);
      case ISOGRID_OFF_HEAP -> isogrid(StorageType.OFF_HEAP, capacity);
      case CAFFEINE -> caffeine(capacity);
      case LRU -> new LruModel(capacity);
      case SIEVE -> new SieveModel(capacity);
      case S3_FIFO -> new S3FifoModel(capacity);
    };
  }

  private static Requests caffeine(int capacity) {
    com.github.benmanes.caffeine.cache.Cache<Integer, Integer> cache =
        Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
    return key -> {
      if (cache.getIfPresent(key) != null) {
        return true;
      }
      cache.put(key, key);
      return false;
    };
  }

  private static Requests isogrid(StorageType storage, int capacity) {
    Grid grid = Grid.start();
    Cache<Integer, Integer> cache =
        grid.createCache(
            "bench", CacheConfig.builder().storage(storage).maxCount(capacity).build());
    return new Requests() {
      @Override
      public boolean ask(int key) {
        if (cache.get(key) != null) {
          return true;
        }
        cache.put(key, key);
        return false;
      }

      @Override
      public void close() {
        if (cache.size() > capacity) {
          throw new IllegalStateException(
              "over its bound: entries=%d, max=%d".formatted(cache.size(), capacity));
        }
        grid.close();
      }
    };
  }
}
