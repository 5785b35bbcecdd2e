package dev.isogrid.server.memcached;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.CacheLatencies;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latencies of a connection's operations on entries, if their cache has statistics. An
 * operation that waits for another thread is measured from its beginning. For the thread that owns
 * the conversation.
 */
final class OperationTimer {
  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private final NanoClock clock;
  private @Nullable CacheLatencies latencies;
  private CacheLatencies.Kind kind = CacheLatencies.Kind.OTHER;
  private long begunNanos = NOT_BEGUN;

  OperationTimer(NanoClock clock) {
    this.clock = clock;
  }

  /** Sets the cache of the next operations. */
  void count(CacheLatencies ofCache) {
    latencies = ofCache;
  }

  /** Begins an operation, unless one is in progress: then that continues. */
  void begin(CacheLatencies.Kind ofOperation) {
    CacheLatencies known = latencies;
    if (begunNanos == NOT_BEGUN && known != null && known.isOn()) {
      kind = ofOperation;
      begunNanos = clock.nanoTime();
    }
  }

  /** Ends the operation in progress. Has no effect if there is none. */
  void end() {
    CacheLatencies known = latencies;
    if (begunNanos != NOT_BEGUN && known != null) {
      known.record(CacheLatencies.Protocol.MEMCACHED, kind, clock.nanoTime() - begunNanos);
      begunNanos = NOT_BEGUN;
    }
  }

  /** Drops an operation that failed. */
  void drop() {
    begunNanos = NOT_BEGUN;
  }
}
