package dev.isogrid.client;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a client does with a cache. Thread-safe; nanoseconds are from sending to answer. */
final class CacheCounts {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder readNanos = new LongAdder();
  final LongAdder stores = new LongAdder();
  final LongAdder storeNanos = new LongAdder();
  final LongAdder removes = new LongAdder();
  final LongAdder removeNanos = new LongAdder();

  /** A read was answered. */
  void read(boolean isHit, long nanos) {
    (isHit ? hits : misses).increment();
    readNanos.add(nanos);
  }

  /** A write was answered, whether its condition held or not. */
  void written(boolean isRemove, long nanos) {
    (isRemove ? removes : stores).increment();
    (isRemove ? removeNanos : storeNanos).add(nanos);
  }
}
