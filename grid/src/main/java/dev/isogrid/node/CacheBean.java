package dev.isogrid.node;

import dev.isogrid.api.CacheStats;
import dev.isogrid.engine.CacheEngine;
import java.util.function.ToLongFunction;

/** A cache for JMX. Thread-safe. */
final class CacheBean implements CacheMXBean {
  private static final long UNKNOWN = -1;

  private final CacheEngine<?, ?> engine;

  CacheBean(CacheEngine<?, ?> engine) {
    this.engine = engine;
  }

  /** The cache that this shows. */
  CacheEngine<?, ?> engine() {
    return engine;
  }

  @Override
  public String getName() {
    return engine.name();
  }

  @Override
  public String getMode() {
    return engine.config().mode().name();
  }

  @Override
  public String getStorage() {
    return engine.config().storage().name();
  }

  @Override
  public long getMaxCount() {
    return engine.config().maxCount();
  }

  @Override
  public long getMaxSizeBytes() {
    return engine.config().maxSizeBytes();
  }

  @Override
  public String getWhenFull() {
    return engine.config().whenFull().name();
  }

  @Override
  public long getEntries() {
    return engine.approximateSize();
  }

  @Override
  public long getHits() {
    return count(CacheStats::hits);
  }

  @Override
  public long getMisses() {
    return count(CacheStats::misses);
  }

  @Override
  public long getStores() {
    return count(CacheStats::stores);
  }

  @Override
  public long getRemoveHits() {
    return count(CacheStats::removeHits);
  }

  @Override
  public long getRemoveMisses() {
    return count(CacheStats::removeMisses);
  }

  @Override
  public long getExpirations() {
    return count(CacheStats::expirations);
  }

  @Override
  public long getEvictions() {
    return count(CacheStats::evictions);
  }

  @Override
  public long getStoreLoads() {
    return count(CacheStats::storeLoads);
  }

  @Override
  public long getStoreMisses() {
    return count(CacheStats::storeMisses);
  }

  private long count(ToLongFunction<CacheStats> count) {
    CacheStats stats = engine.stats();
    return stats == null ? UNKNOWN : count.applyAsLong(stats);
  }

  @Override
  public long getAllocatedBytes() {
    return engine.memoryUse().allocatedBytes();
  }

  @Override
  public long getLiveBytes() {
    return engine.memoryUse().liveBytes();
  }

  @Override
  public long getDeadBytes() {
    return engine.memoryUse().deadBytes();
  }

  @Override
  public long getIndexBytes() {
    return engine.memoryUse().indexBytes();
  }

  @Override
  public long getDictionaryBytes() {
    return engine.memoryUse().dictionaryBytes();
  }

  @Override
  public long getPages() {
    return engine.memoryUse().pages();
  }

  @Override
  public void resetStatistics() {
    engine.resetStats();
  }
}
