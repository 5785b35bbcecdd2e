package dev.isogrid.mapreduce;

import dev.isogrid.api.Combiner;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.mapreduce.Control.Step;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The partitions that a node reduces in a task, of one or more rounds. Thread-safe. */
final class NodePartitions implements AutoCloseable {
  private static final long ROUND_FACTOR = 1 << 16;

  private final @Nullable Combiner<Object> combiner;
  private final @Nullable PairCache pairCache;
  private final long memoryMaxBytes;
  private final NodeCounters counters;
  private final NanoClock clock;
  private final ObjectReader objects;
  private final AtomicLong memory = new AtomicLong();
  private final Map<Long, PartitionStore> stores = new ConcurrentHashMap<>();

  /** Written by {@link #close}. */
  private volatile boolean isClosed;

  /**
   * Begins empty.
   *
   * @param pairCache the cache with the received pairs, or null if messages have the pairs
   * @param memoryMaxBytes the memory above which pairs go to disk
   */
  NodePartitions(
      @Nullable Combiner<Object> combiner,
      @Nullable PairCache pairCache,
      long memoryMaxBytes,
      NodeCounters counters,
      NanoClock clock,
      ObjectReader objects) {
    this.combiner = combiner;
    this.pairCache = pairCache;
    this.memoryMaxBytes = memoryMaxBytes;
    this.counters = counters;
    this.clock = clock;
    this.objects = objects;
  }

  /** A partition, which is closed if this is closed. */
  PartitionStore of(int round, int partition) {
    PartitionStore store =
        stores.computeIfAbsent(
            round * ROUND_FACTOR + partition,
            _ -> new PartitionStore(combiner, memory, memoryMaxBytes, counters, clock, objects));
    if (isClosed) {
      store.close();
    }
    return store;
  }

  Collection<PartitionStore> all() {
    return stores.values();
  }

  /**
   * Takes a message with pairs, or with references to them. Blocks while pairs are written to disk.
   */
  void add(DataHead head, byte[] message) {
    PartitionStore store = of(head.round(), head.partition());
    store.add(
        head.attempt(),
        pairCache == null
            ? new Run.InMemory(message, DataHead.BYTES)
            : new Run.InCache(pairCache, PairEntry.read(message, DataHead.BYTES)));
    while (memory.get() > memoryMaxBytes) {
      PartitionStore largest = store;
      for (PartitionStore each : stores.values()) {
        largest = each.memoryBytes() > largest.memoryBytes() ? each : largest;
      }
      if (largest.memoryBytes() == 0) {
        return; // others are at it
      }
      largest.spill();
    }
  }

  /** Applies the decisions on attempts of a round. */
  void decide(Step step) {
    stores.forEach((at, store) -> {
      if (at / ROUND_FACTOR == step.round().number()) {
        store.count(step.counting());
        store.drop(step.dropped());
      }
    });
  }

  /** Frees everything. Calling it twice is harmless. */
  @Override
  public void close() {
    isClosed = true;
    stores.values().forEach(PartitionStore::close);
  }
}
