package dev.isogrid.verify.lincheck;

import dev.isogrid.api.StorageType;

/** The operations on a cache of objects. */
public class ObjectCacheOperations extends CacheOperations {
  /** For Lincheck. */
  public ObjectCacheOperations() {
    super(StorageType.HEAP_OBJECT);
  }
}
