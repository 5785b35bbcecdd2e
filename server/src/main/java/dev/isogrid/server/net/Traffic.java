package dev.isogrid.server.net;

import java.util.concurrent.atomic.LongAdder;

/** Counts what goes over the connections of a server. Thread-safe. */
public final class Traffic {
  /**
   * Connections at the same time. An idle one costs 1 to 5 KiB of heap, so this many take 100 MB at
   * most. Where the system allows fewer open files, its limit comes first.
   */
  public static final int CONNECTIONS_MAX = 20_000;

  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final LongAdder connectionsOpened = new LongAdder();
  private final LongAdder connectionsClosed = new LongAdder();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder writesRefused = new LongAdder();

  /** Counts bytes that came in. */
  public void read(long bytes) {
    bytesRead.add(bytes);
  }

  /** Counts bytes that went out. */
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

  /** Counts a connection that was closed at once, since there were too many. */
  public void refused() {
    connectionsRefused.increment();
  }

  /** Counts a write that was refused, since memory or a bound is full. */
  public void writeRefused() {
    writesRefused.increment();
  }

  /** Writes that were refused, since memory or a bound is full. */
  public long writesRefused() {
    return writesRefused.sum();
  }

  /** Connections that were closed at once, since there were too many. */
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

  /** Connections that were ever accepted. */
  public long connectionsTotal() {
    return connectionsOpened.sum();
  }

  /** Connections that are open now. */
  public long connectionsOpen() {
    return Math.max(0, connectionsOpened.sum() - connectionsClosed.sum());
  }
}
