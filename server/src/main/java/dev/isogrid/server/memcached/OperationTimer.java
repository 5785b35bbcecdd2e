package dev.isogrid.server.memcached;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.RequestSpans;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latencies of a connection's operations on entries, if their cache has statistics or
 * if spans are wanted. An operation that waits for another thread is measured from its beginning.
 * For the thread that owns the conversation.
 */
final class OperationTimer {
  private static final long NOT_BEGUN = Long.MIN_VALUE;
  private static final RequestSpans.Scope NO_SCOPE = () -> {};

  private final NanoClock clock;

  /** Null if nobody wants spans. */
  private final @Nullable CommandSpans spans;

  private @Nullable CacheLatencies latencies;
  private CacheLatencies.Kind kind = CacheLatencies.Kind.OTHER;
  private long begunNanos = NOT_BEGUN;

  OperationTimer(NanoClock clock, @Nullable CommandSpans spans) {
    this.clock = clock;
    this.spans = spans;
  }

  /** Sets the cache of the next operations. */
  void count(String cache, CacheLatencies ofCache) {
    latencies = ofCache;
    if (spans != null) {
      spans.on(cache);
    }
  }

  /** Sets the command of the next operations. */
  void by(Command command) {
    if (spans != null) {
      spans.by(command);
    }
  }

  /** Begins an operation, unless one is in progress: then that continues. */
  void begin(CacheLatencies.Kind ofOperation) {
    CacheLatencies known = latencies;
    boolean isWanted = spans != null || (known != null && known.isOn());
    if (begunNanos == NOT_BEGUN && isWanted) {
      kind = ofOperation;
      begunNanos = clock.nanoTime();
      if (spans != null) {
        spans.begin(begunNanos);
      }
    }
  }

  /**
   * Makes all that this thread asks of other nodes a part of the operation in progress, until it is
   * closed. Only threads that may block ask other nodes.
   */
  RequestSpans.Scope enter() {
    return spans == null ? NO_SCOPE : spans.enter();
  }

  /** Ends the operation in progress. Has no effect if there is none. */
  void end() {
    CacheLatencies known = latencies;
    if (begunNanos == NOT_BEGUN) {
      return;
    }
    if (known != null && known.isOn()) {
      known.record(CacheLatencies.Protocol.MEMCACHED, kind, clock.nanoTime() - begunNanos);
    }
    begunNanos = NOT_BEGUN;
    if (spans != null) {
      spans.end(null);
    }
  }

  /** Ends the operation in progress, if there is one, by a failure. */
  void fail(Throwable failure) {
    if (begunNanos != NOT_BEGUN) {
      begunNanos = NOT_BEGUN;
      if (spans != null) {
        spans.end(failure);
      }
    }
  }

  /** Drops an operation that did not end. */
  void drop() {
    begunNanos = NOT_BEGUN;
  }
}
