package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** The operations on a cache of bytes. */
public class BinaryCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public BinaryCacheOperations() {
    super(StorageType.HEAP_BINARY);
  }
}
