package dev.isogrid.server.memcached;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of memcached clients' operations, under the names of {@code stats}. {@code cmd_get} is
 * the sum of get hits and misses and {@code cmd_touch} that of touch hits and misses. Thread-safe;
 * counting never blocks.
 */
final class Counters {
  final LongAdder cmdSet = new LongAdder();
  final LongAdder cmdFlush = new LongAdder();
  final LongAdder cmdMeta = new LongAdder();
  final LongAdder getHits = new LongAdder();
  final LongAdder getMisses = new LongAdder();
  final LongAdder deleteHits = new LongAdder();
  final LongAdder deleteMisses = new LongAdder();
  final LongAdder incrHits = new LongAdder();
  final LongAdder incrMisses = new LongAdder();
  final LongAdder decrHits = new LongAdder();
  final LongAdder decrMisses = new LongAdder();
  final LongAdder casHits = new LongAdder();
  final LongAdder casMisses = new LongAdder();
  final LongAdder casBadval = new LongAdder();
  final LongAdder touchHits = new LongAdder();
  final LongAdder touchMisses = new LongAdder();
  final LongAdder storeTooLarge = new LongAdder();
  final LongAdder storeNoMemory = new LongAdder();
  final LongAdder totalItems = new LongAdder();
  final LongAdder authCommands = new LongAdder();
  final LongAdder authErrors = new LongAdder();

  private final LongAdder[] all = {
    cmdSet,
    cmdFlush,
    cmdMeta,
    getHits,
    getMisses,
    deleteHits,
    deleteMisses,
    incrHits,
    incrMisses,
    decrHits,
    decrMisses,
    casHits,
    casMisses,
    casBadval,
    touchHits,
    touchMisses,
    storeTooLarge,
    storeNoMemory,
    totalItems,
    authCommands,
    authErrors
  };

  /** Resets all counts to zero. */
  void reset() {
    for (LongAdder counter : all) {
      counter.reset();
    }
  }
}
