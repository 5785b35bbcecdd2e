package dev.isogrid.server.memcached;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.SlowLog;
import dev.isogrid.store.BinaryKey;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latencies of a connection's operations on entries, if their cache has statistics, or
 * if spans or a log of slow requests are wanted. An operation that waits for another thread is
 * measured from its beginning. For the thread that owns the conversation.
 */
final class OperationTimer {
  private static final long NOT_BEGUN = Long.MIN_VALUE;
  private static final RequestSpans.Scope NO_SCOPE = () -> {};

  private final NanoClock clock;

  /** Null if nobody wants spans. */
  private final @Nullable CommandSpans spans;

  /** Null if nobody wants it. */
  private final @Nullable SlowLog slowLog;

  private @Nullable CacheLatencies latencies;
  private String cache = "";
  private Command command = Command.UNKNOWN;
  private CacheLatencies.Kind kind = CacheLatencies.Kind.OTHER;
  private int valueSize;
  private long begunNanos = NOT_BEGUN;

  OperationTimer(NanoClock clock, @Nullable CommandSpans spans, SlowLog slowLog) {
    this.clock = clock;
    this.spans = spans;
    this.slowLog = slowLog.isOn() ? slowLog : null;
  }

  /** Sets the cache of the next operations. */
  void count(String cacheName, CacheLatencies ofCache) {
    latencies = ofCache;
    cache = cacheName;
    if (spans != null) {
      spans.on(cacheName);
    }
  }

  /** Sets the command of the next operations. */
  void by(Command next) {
    command = next;
    if (spans != null) {
      spans.by(next);
    }
  }

  /** Begins an operation, unless one is in progress: then that continues. */
  void begin(CacheLatencies.Kind ofOperation) {
    CacheLatencies known = latencies;
    boolean isWanted = spans != null || slowLog != null || (known != null && known.isOn());
    if (begunNanos == NOT_BEGUN && isWanted) {
      kind = ofOperation;
      valueSize = 0;
      begunNanos = clock.nanoTime();
      if (spans != null) {
        spans.begin(begunNanos);
      }
    }
  }

  /** Sets the bytes of the value that the operation in progress writes. */
  void writes(int bytes) {
    valueSize = bytes;
  }

  /**
   * Makes all that this thread asks of other nodes a part of the operation in progress, until it is
   * closed. Only threads that may block ask other nodes.
   */
  RequestSpans.Scope enter() {
    return spans == null ? NO_SCOPE : spans.enter();
  }

  /** Ends the operation in progress, which is on this key. Has no effect if there is none. */
  void end(BinaryKey key) {
    end(key, null);
  }

  /** Ends the operation in progress, if there is one, by a failure. */
  void fail(BinaryKey key, Throwable failure) {
    end(key, failure);
  }

  private void end(BinaryKey key, @Nullable Throwable failure) {
    if (begunNanos == NOT_BEGUN) {
      return;
    }
    long tookNanos = clock.nanoTime() - begunNanos;
    begunNanos = NOT_BEGUN;
    CacheLatencies known = latencies;
    if (failure == null && known != null && known.isOn()) {
      known.record(CacheLatencies.Protocol.MEMCACHED, kind, tookNanos);
    }
    if (slowLog != null && slowLog.isSlow(tookNanos)) {
      String operation = "memcached " + command.text();
      slowLog.report(
          new SlowLog.Operation(operation, cache, key.hash(), key.length() + valueSize),
          0,
          tookNanos);
    }
    if (spans != null) {
      spans.end(failure);
    }
  }

  /** Drops an operation that did not end. */
  void drop() {
    begunNanos = NOT_BEGUN;
  }
}
