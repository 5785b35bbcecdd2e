package dev.isogrid.server.memcached;

import dev.isogrid.base.EpochClock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The connections of a server that {@code watch} others. Without watchers, a command costs one
 * field read. Thread-safe.
 */
final class Watchers {
  /** Lookups of items. */
  static final int FETCHERS = 1;

  /** Stores of items, and their failures. */
  static final int MUTATIONS = 2;

  /** Evictions of items. */
  static final int EVICTIONS = 4;

  /** Beginnings and ends of connections. */
  static final int CONNECTIONS = 8;

  /** The most watchers at the same time, as in memcached. */
  static final int COUNT_MAX = 20;

  private static final int MICROS_PER_MILLI = 1000;
  private static final int MILLIS_PER_SECOND = 1000;

  private final EpochClock clock;
  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private final AtomicLong lines = new AtomicLong();
  private final LongAdder sent = new LongAdder();
  private final LongAdder skipped = new LongAdder();

  /** The bits of all watched kinds. */
  private volatile int wanted; // written under the lock of this

  Watchers(EpochClock clock) {
    this.clock = clock;
  }

  /** Whether a kind of events has a watcher. */
  boolean want(int kind) {
    return (wanted & kind) != 0;
  }

  /** Adds a watcher; returns false if there are too many. */
  synchronized boolean tryAdd(Watcher watcher) {
    if (watchers.size() >= COUNT_MAX) {
      return false;
    }
    watchers.add(watcher);
    wanted |= watcher.kinds();
    return true;
  }

  /** Removes a watcher, or does nothing. */
  synchronized void remove(Watcher watcher) {
    watchers.remove(watcher);
    int left = 0;
    for (Watcher other : watchers) {
      left |= other.kinds();
    }
    wanted = left;
  }

  /**
   * Notifies the watchers of a kind.
   *
   * @param happening the line without its time and number
   */
  void tell(int kind, String happening) {
    byte[] line = line(happening);
    for (Watcher watcher : watchers) {
      if ((watcher.kinds() & kind) != 0) {
        sent.increment();
        watcher.add(line);
      }
    }
  }

  /** Notifies one watcher. */
  void tellOne(Watcher watcher, String happening) {
    sent.increment();
    watcher.add(line(happening));
  }

  private byte[] line(String happening) {
    long nowMillis = clock.millis();
    return Reply.ascii(
        "ts=%d.%d gid=%d %s\n"
            .formatted(
                nowMillis / MILLIS_PER_SECOND,
                nowMillis % MILLIS_PER_SECOND * MICROS_PER_MILLI,
                lines.incrementAndGet(),
                happening));
  }

  void countSkipped() {
    skipped.increment();
  }

  /** Adds figures to the general statistics. */
  void report(StatsSink sink) {
    sink.add("log_worker_dropped", 0);
    sink.add("log_worker_written", lines.get());
    sink.add("log_watcher_skipped", skipped.sum());
    sink.add("log_watcher_sent", sent.sum() - skipped.sum());
    sink.add("log_watchers", watchers.size());
  }
}
