package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** Over bytes outside of the heap. */
public class OffHeapCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public OffHeapCacheOperations() {
    super(StorageType.OFF_HEAP);
  }
}
