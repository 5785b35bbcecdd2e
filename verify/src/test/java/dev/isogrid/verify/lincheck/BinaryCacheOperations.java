package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** Over bytes. */
public class BinaryCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public BinaryCacheOperations() {
    super(StorageType.HEAP_BINARY);
  }
}
