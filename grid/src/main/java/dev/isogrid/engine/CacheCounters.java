package dev.isogrid.engine;

import dev.isogrid.api.CacheStats;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens to a cache. Thread-safe; counting never blocks. */
final class CacheCounters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder stores = new LongAdder();
  final LongAdder removeHits = new LongAdder();
  final LongAdder removeMisses = new LongAdder();
  final LongAdder expirations = new LongAdder();
  final LongAdder evictions = new LongAdder();

  /** Entries that were read from a store. */
  final LongAdder loads = new LongAdder();

  /** Reads that found nothing in memory, and nothing in a store. */
  final LongAdder loadMisses = new LongAdder();

  /** Written by {@link #reset}. */
  private volatile long startedMillis;

  CacheCounters(long startedMillis) {
    this.startedMillis = startedMillis;
  }

  void reset(long nowMillis) {
    startedMillis = nowMillis;
    hits.reset();
    misses.reset();
    stores.reset();
    removeHits.reset();
    removeMisses.reset();
    expirations.reset();
    evictions.reset();
    loads.reset();
    loadMisses.reset();
  }

  CacheStats stats() {
    return new CacheStats(
        startedMillis,
        hits.sum(),
        misses.sum(),
        stores.sum(),
        removeHits.sum(),
        removeMisses.sum(),
        expirations.sum(),
        evictions.sum(),
        loads.sum(),
        loadMisses.sum());
  }
}
