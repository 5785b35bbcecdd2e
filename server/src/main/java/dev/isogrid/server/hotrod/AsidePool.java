package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests of all connections that are executed aside: keeps some that are done for reuse, and
 * counts those under way. Thread-safe.
 */
final class AsidePool {
  /**
   * Requests of all connections together that are executed aside at the same time. One that waits
   * costs some 8 KiB, so this many take 256 MiB; clients that are refused try again elsewhere.
   */
  static final int IN_FLIGHT_MAX = 32_768;

  /** Enough for what comes and goes in a round of all event loops; some MiB. */
  private static final int KEPT_MAX = 512;

  private final ServerContext context;
  private final int inFlightMax;
  private final ArrayBlockingQueue<AsideRequest> kept = new ArrayBlockingQueue<>(KEPT_MAX);
  private final AtomicInteger inFlight = new AtomicInteger();

  AsidePool(ServerContext context, int inFlightMax) {
    this.context = context;
    this.inFlightMax = inFlightMax;
  }

  ServerContext context() {
    return context;
  }

  /** Counts a request; false if there are too many. */
  boolean tryBegin() {
    if (inFlight.incrementAndGet() <= inFlightMax) {
      return true;
    }
    inFlight.decrementAndGet();
    return false;
  }

  /** Counts a request off. */
  void end() {
    inFlight.decrementAndGet();
  }

  /** The most requests at the same time. */
  int inFlightMax() {
    return inFlightMax;
  }

  /** Requests that are under way, and replies that their clients have not taken. */
  int inFlight() {
    return inFlight.get();
  }

  /** A request object that nobody uses. */
  AsideRequest take(ByteBufAllocator allocator) {
    AsideRequest free = kept.poll();
    return free != null && free.allocator().equals(allocator)
        ? free
        : new AsideRequest(context, allocator);
  }

  /** Takes a request object back. */
  void keep(AsideRequest free) {
    kept.offer(free);
  }
}
