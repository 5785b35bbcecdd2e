package dev.isogrid.server.rest;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ByteBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The feeds of a server's clients. Limits their number, so that no client takes all of them, and
 * the memory of all their events together. Thread-safe.
 */
final class EventFeeds {
  /** The most feeds at the same time. */
  static final int FEEDS_MAX = 256;

  /** The part of the heap for waiting events: 10 MiB of 160. */
  private static final int HEAP_FRACTION = 16;

  private final NanoClock clock;
  private final ByteBudget bytes;
  private final AtomicBoolean hasLarge = new AtomicBoolean();

  // Guarded by this.
  private final Map<String, Integer> byClient = new HashMap<>();
  private int open;

  /** Begins without feeds, with a part of this process's heap. */
  EventFeeds(NanoClock clock) {
    this(clock, Runtime.getRuntime().maxMemory() / HEAP_FRACTION);
  }

  /**
   * Begins without feeds.
   *
   * @param bytesMax the most bytes of all waiting events
   */
  EventFeeds(NanoClock clock, long bytesMax) {
    this.clock = clock;
    this.bytes = new ByteBudget("bytes of waiting events", bytesMax, 0, clock);
  }

  /**
   * Begins a feed. A client may have as many as remain free afterwards: alone half of all.
   *
   * @param client user or network address
   * @param isPermitted whether the client still has the permission; called on the event loop
   * @throws RestProblem if the client or the server has too many
   */
  EventFeed begin(String client, BooleanSupplier isPermitted) {
    synchronized (this) {
      int ofClient = byClient.getOrDefault(client, 0) + 1;
      if (ofClient > FEEDS_MAX - open - 1) {
        throw RestProblem.unavailable(
            "too many streams of events: client=%s, streams=%d, server=%d, limit=%d; end some first"
                .formatted(client, ofClient - 1, open, FEEDS_MAX));
      }
      byClient.put(client, ofClient);
      open++;
    }
    return new EventFeed(this, bytes.newShare(), clock, isPermitted, () -> ended(client));
  }

  private synchronized void ended(String client) {
    open--;
    byClient.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The bytes of all waiting events. */
  long bytesWaiting() {
    return bytes.used();
  }

  /** Takes the right to one event of any size; the caller must end it. */
  boolean tryLarge() {
    return hasLarge.compareAndSet(false, true);
  }

  /** Ends that right. */
  void endLarge() {
    hasLarge.set(false);
  }
}
