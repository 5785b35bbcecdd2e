package dev.isogrid.server.net;

import dev.isogrid.base.NanoClock;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes, connections and latencies of a server. Thread-safe. */
public final class Traffic {
  /**
   * The most connections at the same time. An idle one costs 1 to 5 KiB of heap, so this many take
   * 100 MB at most. If the system allows fewer open files, its limit applies.
   */
  public static final int CONNECTIONS_MAX = 20_000;

  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final LongAdder connectionsOpened = new LongAdder();
  private final LongAdder connectionsClosed = new LongAdder();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder writesRefused = new LongAdder();
  private final Latencies latencies = new Latencies();
  private final SlowLog slowLog;

  /** Begins at zero. */
  public Traffic(NanoClock clock) {
    this.slowLog = new SlowLog(clock);
  }

  /** Begins at zero, with a clock that stands still for the slow log. */
  public Traffic() {
    this(() -> 0);
  }

  /** The latencies of requests. */
  public Latencies latencies() {
    return latencies;
  }

  /** The log of slow requests. */
  public SlowLog slowLog() {
    return slowLog;
  }

  /** Counts received bytes. */
  public void read(long bytes) {
    bytesRead.add(bytes);
  }

  /** Counts sent bytes. */
  public void written(long bytes) {
    bytesWritten.add(bytes);
  }

  /** Counts a connection. */
  public void opened() {
    connectionsOpened.increment();
  }

  /** Counts the end of a connection. */
  public void closed() {
    connectionsClosed.increment();
  }

  /** Counts a connection that was refused at the limit. */
  public void refused() {
    connectionsRefused.increment();
  }

  /** Counts a write that was refused because memory or a bound is full. */
  public void writeRefused() {
    writesRefused.increment();
  }

  /** Writes that were refused because memory or a bound is full. */
  public long writesRefused() {
    return writesRefused.sum();
  }

  /** Connections that were refused at the limit. */
  public long connectionsRefused() {
    return connectionsRefused.sum();
  }

  /** Bytes received so far. */
  public long bytesRead() {
    return bytesRead.sum();
  }

  /** Bytes sent so far. */
  public long bytesWritten() {
    return bytesWritten.sum();
  }

  /** Accepted connections so far. */
  public long connectionsTotal() {
    return connectionsOpened.sum();
  }

  /** Open connections. */
  public long connectionsOpen() {
    return Math.max(0, connectionsOpened.sum() - connectionsClosed.sum());
  }
}
