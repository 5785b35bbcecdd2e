package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.AsidePlaces;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The requests of all connections that are executed aside: keeps some that are done for reuse, and
 * has the places for those under way. Thread-safe.
 */
final class AsidePool {
  /**
   * Requests of all connections together that are executed aside at the same time. One that waits
   * costs some 8 KiB, so this many take 256 MiB; clients that are refused try again elsewhere.
   */
  static final int IN_FLIGHT_MAX = 32_768;

  /**
   * Listeners of all connections together that are told the state of their cache at the same time.
   * Each waits for its client as long as that reads something now and then, so these have places of
   * their own.
   */
  static final int STATES_MAX = 1024;

  /** Enough for what comes and goes in a round of all event loops; some MiB. */
  private static final int KEPT_MAX = 512;

  private final ServerContext context;
  private final AsidePlaces requests;
  private final AsidePlaces states = new AsidePlaces(STATES_MAX);
  private final ArrayBlockingQueue<AsideRequest> kept = new ArrayBlockingQueue<>(KEPT_MAX);

  AsidePool(ServerContext context, int inFlightMax) {
    this.context = context;
    this.requests = new AsidePlaces(inFlightMax);
  }

  ServerContext context() {
    return context;
  }

  /**
   * The places for requests of a kind that are under way.
   *
   * @param tellsState whether the request is for a listener that is told the state of its cache
   */
  AsidePlaces places(boolean tellsState) {
    return tellsState ? states : requests;
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
