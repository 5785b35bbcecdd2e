package dev.isogrid.engine;

import java.util.concurrent.atomic.LongAdder;

/**
 * The copies of segments that this node has sent to others, since it started. Written by the thread
 * that drives the node, read by any.
 */
final class CopyLedger {
  private final LongAdder bytes = new LongAdder();
  private final LongAdder copies = new LongAdder();

  /** A part of a copy was sent. */
  void sent(long partBytes) {
    bytes.add(partBytes);
  }

  /** All of a copy was stored by its receiver. */
  void completed() {
    copies.increment();
  }

  /** Bytes of keys and values that were sent. */
  long bytes() {
    return bytes.sum();
  }

  /** Copies that their receivers have. */
  long copies() {
    return copies.sum();
  }
}
