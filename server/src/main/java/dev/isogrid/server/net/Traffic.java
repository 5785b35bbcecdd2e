package dev.isogrid.server.net;

import dev.isogrid.base.NanoClock;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the bytes, connections and latencies of a server. Thread-safe. */
public final class Traffic {
  /**
   * The most connections at the same time. An idle one costs 1 to 5 KiB of heap, so this many take
   * 100 MB at most. If the system allows fewer open files, its limit applies.
   */
  public static final int CONNECTIONS_MAX = 20_000;

  /** How long health mentions a refused write. */
  private static final int REFUSED_SECONDS = 60;

  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final LongAdder connectionsOpened = new LongAdder();
  private final LongAdder connectionsClosed = new LongAdder();
  private final LongAdder connectionsRefused = new LongAdder();
  private final LongAdder writesRefused = new LongAdder();
  private final Latencies latencies = new Latencies();
  private final SlowLog slowLog;
  private final NanoClock clock;

  // written by: the configuration of the server, before it has clients
  private volatile @Nullable RequestSpans spans;

  /** The limits of requests that are executed aside, by protocol. */
  private final Map<String, AsidePlaces> aside = new ConcurrentSkipListMap<>();

  /** Written by: the server's start. */
  private volatile @Nullable LoopLag loopLag;

  /** The time of the last refused write; of no meaning if there is none. */
  private volatile long writeRefusedNanos;

  /** Begins at zero. */
  public Traffic(NanoClock clock) {
    this(clock, new SlowLog(clock));
  }

  /** Begins at zero, with another log of slow requests. */
  public Traffic(NanoClock clock, SlowLog slowLog) {
    this.clock = clock;
    this.slowLog = slowLog;
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

  /** Takes note of requests for traces; null if nobody wants any. */
  public @Nullable RequestSpans spans() {
    return spans;
  }

  /** Sets what takes note of the requests of later connections. */
  public void spans(@Nullable RequestSpans wanted) {
    spans = wanted;
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
    writeRefusedNanos = clock.nanoTime();
    writesRefused.increment();
  }

  /** Whether a write was refused within the last minute, since memory or a bound is full. */
  public boolean refusesWrites() {
    return writesRefused.sum() > 0
        && clock.nanoTime() - writeRefusedNanos < TimeUnit.SECONDS.toNanos(REFUSED_SECONDS);
  }

  /** Sets the limit of requests that a protocol executes aside, for metrics. */
  public void aside(String protocol, AsidePlaces places) {
    aside.put(protocol, places);
  }

  /** The limits of requests that are executed aside, by protocol. */
  Map<String, AsidePlaces> aside() {
    return Collections.unmodifiableMap(aside);
  }

  /** Sets the measurement of the event loops. */
  public void loopLag(LoopLag lag) {
    loopLag = lag;
  }

  /** The measurement of the event loops, or null if there is none. */
  @Nullable LoopLag loopLag() {
    return loopLag;
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
