package dev.isogrid.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts what was sent. Thread-safe. */
final class SentCount {
  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void add(int sizeBytes) {
    messages.increment();
    bytes.add(sizeBytes);
  }

  SentMessages sum() {
    return new SentMessages(messages.sum(), bytes.sum());
  }
}
