package dev.isogrid.mapreduce;

import dev.isogrid.api.MapReduceNodeStats;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a node counts while it takes part in a task. Thread-safe. */
final class NodeCounters {
  final LongAdder entries = new LongAdder();
  final LongAdder inputBytes = new LongAdder();
  final LongAdder pairsEmitted = new LongAdder();
  final LongAdder pairsSent = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder bytesSpilled = new LongAdder();
  final LongAdder distinctKeys = new LongAdder();
  final LongAdder mapNanos = new LongAdder();
  final LongAdder sendWaitNanos = new LongAdder();
  final LongAdder mergeNanos = new LongAdder();
  final AtomicLong collectorKeysMax = new AtomicLong();

  /** Written by the workers. */
  volatile String tuning = "no collector reached its limit yet";

  MapReduceNodeStats stats(String node, int workers) {
    return new MapReduceNodeStats(
        node,
        entries.sum(),
        inputBytes.sum(),
        pairsEmitted.sum(),
        pairsSent.sum(),
        bytesSent.sum(),
        bytesSpilled.sum(),
        distinctKeys.sum(),
        mapNanos.sum(),
        sendWaitNanos.sum(),
        mergeNanos.sum(),
        workers,
        (int) Math.min(collectorKeysMax.get(), Integer.MAX_VALUE),
        tuning);
  }
}
