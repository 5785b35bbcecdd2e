package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** Over objects. */
public class ObjectCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public ObjectCacheOperations() {
    super(StorageType.HEAP_OBJECT);
  }
}
