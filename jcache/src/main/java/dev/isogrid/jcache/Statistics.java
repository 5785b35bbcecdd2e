package dev.isogrid.jcache;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import javax.cache.management.CacheStatisticsMXBean;

/** The counts of a cache since they were last cleared. Thread-safe. */
final class Statistics implements CacheStatisticsMXBean {
  private static final float NANOS_PER_MICRO = 1000;

  private final LongSupplier evicted;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();
  private volatile long evictedBefore; // written by: clear
  private volatile boolean enabled; // written by: enable

  /**
   * Starts from zero.
   *
   * @param evicted how many entries the store has evicted so far
   */
  Statistics(LongSupplier evicted) {
    this.evicted = evicted;
  }

  /** Counts from now on, or not. */
  void enable(boolean enabled) {
    this.enabled = enabled;
  }

  void read(boolean found) {
    if (enabled) {
      (found ? hits : misses).increment();
    }
  }

  void put(long count) {
    if (enabled) {
      puts.add(count);
    }
  }

  void removed(long count) {
    if (enabled) {
      removals.add(count);
    }
  }

  /** The time now in nanoseconds, or 0 if nothing is counted. */
  long start() {
    return enabled ? System.nanoTime() : 0; // tidy: a measurement alone; no behaviour depends on it
  }

  void getTook(long start) {
    took(getNanos, start);
  }

  void putTook(long start) {
    took(putNanos, start);
  }

  void removeTook(long start) {
    took(removeNanos, start);
  }

  private void took(LongAdder sum, long start) {
    if (enabled && start != 0) {
      sum.add(start() - start);
    }
  }

  @Override
  public void clear() {
    for (LongAdder each :
        new LongAdder[] {hits, misses, puts, removals, getNanos, putNanos, removeNanos}) {
      each.reset();
    }
    evictedBefore = evicted.getAsLong();
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(hits.sum());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(misses.sum());
  }

  @Override
  public long getCacheGets() {
    return hits.sum() + misses.sum();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  @Override
  public long getCacheEvictions() {
    return Math.max(0, evicted.getAsLong() - evictedBefore);
  }

  @Override
  public float getAverageGetTime() {
    return average(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return average(putNanos, puts.sum());
  }

  @Override
  public float getAverageRemoveTime() {
    return average(removeNanos, removals.sum());
  }

  private float percentage(long count) {
    long gets = getCacheGets();
    return gets == 0 ? 0 : (float) count / gets * 100;
  }

  private static float average(LongAdder nanos, long count) {
    return count == 0 ? 0 : nanos.sum() / NANOS_PER_MICRO / count;
  }
}
