package dev.isogrid.bench.embedded;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Compression;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** A map that is measured. */
enum Store {
  /** The JDK's map. */
  JDK,

  /** A cache that keeps references. */
  OBJECT,

  /** A cache of arrays of bytes. */
  BINARY,

  /** A cache outside of the heap. */
  OFF_HEAP,

  /** The same with a lifespan. */
  OFF_HEAP_MORTAL,

  /** A cache outside of the heap with compressed values. */
  OFF_HEAP_COMPRESSED;

  /** The name in options and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** An empty map. */
  ConcurrentMap<Object, Object> open(Grid grid, Kind kind) {
    String name = kind.label() + "-" + label();
    return switch (this) {
      case JDK -> new ConcurrentHashMap<>();
      case OBJECT -> grid.createCache(name, config(StorageType.HEAP_OBJECT).build());
      case BINARY -> grid.createCache(name, config(StorageType.HEAP_BINARY).build());
      case OFF_HEAP -> grid.createCache(name, config(StorageType.OFF_HEAP).build());
      case OFF_HEAP_MORTAL ->
          grid.createCache(name, config(StorageType.OFF_HEAP).lifespan(1, TimeUnit.DAYS).build());
      case OFF_HEAP_COMPRESSED ->
          grid.createCache(
              name, config(StorageType.OFF_HEAP).compression(Compression.DICTIONARY).build());
    };
  }

  private static CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().storage(storage);
  }
}
