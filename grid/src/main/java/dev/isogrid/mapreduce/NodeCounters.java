package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import java.util.Collection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** The counts of a node in a task. Thread-safe. */
final class NodeCounters {
  final LongAdder entries = new LongAdder();
  final LongAdder inputBytes = new LongAdder();
  final LongAdder pairsEmitted = new LongAdder();
  final LongAdder pairsSent = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder bytesSpilled = new LongAdder();
  final LongAdder distinctKeys = new LongAdder();
  final LongAdder sendWaitNanos = new LongAdder();
  final LongAdder mergeNanos = new LongAdder();
  final AtomicLong collectorKeysMax = new AtomicLong();

  private final AtomicLongArray mapNanos;

  /** Written by the workers. */
  volatile String tuning = "no collector reached its limit yet";

  /** Begins at 0 for some workers. */
  NodeCounters(int workers) {
    this.mapNanos = new AtomicLongArray(workers);
  }

  /** Adds a worker's time of mapping. */
  void mapped(int worker, long nanos) {
    mapNanos.addAndGet(worker, nanos);
  }

  MapReduceNodeStats stats(String node, Collection<PartitionStore> partitions) {
    LongSummaryStatistics received =
        partitions.stream().mapToLong(PartitionStore::receivedBytes).summaryStatistics();
    List<Long> byWorker = IntStream.range(0, mapNanos.length()).mapToObj(mapNanos::get).toList();
    return new MapReduceNodeStats(
        node,
        entries.sum(),
        inputBytes.sum(),
        pairsEmitted.sum(),
        pairsSent.sum(),
        bytesSent.sum(),
        bytesSpilled.sum(),
        distinctKeys.sum(),
        byWorker.stream().mapToLong(Long::longValue).sum(),
        sendWaitNanos.sum(),
        mergeNanos.sum(),
        byWorker.size(),
        (int) Math.min(collectorKeysMax.get(), Integer.MAX_VALUE),
        tuning,
        byWorker,
        (int) received.getCount(),
        received.getSum(),
        Math.max(0, received.getMax()));
  }
}
