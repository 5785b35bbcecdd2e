package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** The operations on a cache of bytes outside of the heap. */
public class OffHeapCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public OffHeapCacheOperations() {
    super(StorageType.OFF_HEAP);
  }
}
