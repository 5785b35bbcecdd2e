package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.AsidePlaces;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The objects for requests that are executed aside, for all connections: keeps finished ones for
 * reuse, and limits the number in flight. Thread-safe.
 */
final class AsidePool {
  /**
   * The most requests of all connections that are executed aside at the same time. A waiting one
   * costs some 8 KiB, so this many take 256 MiB. Refused clients try another server.
   */
  static final int IN_FLIGHT_MAX = 32_768;

  /**
   * The most listeners of all connections that receive the initial state of their cache at the same
   * time. Each waits for its client as long as that reads something now and then, so these have a
   * limit of their own.
   */
  static final int STATES_MAX = 1024;

  /** Enough for the requests of one round of all event loops; some MiB. */
  private static final int KEPT_MAX = 512;

  private final ServerContext context;
  private final AsidePlaces requests;
  private final AsidePlaces states = new AsidePlaces(STATES_MAX);
  private final ArrayBlockingQueue<AsideRequest> kept = new ArrayBlockingQueue<>(KEPT_MAX);

  AsidePool(ServerContext context, int inFlightMax) {
    this.context = context;
    this.requests = new AsidePlaces(inFlightMax);
    context.traffic().aside("hotrod", requests);
  }

  ServerContext context() {
    return context;
  }

  /**
   * The limit for requests of a kind in flight.
   *
   * @param tellsState whether the request is for a listener that receives the initial state of its
   *     cache
   */
  AsidePlaces places(boolean tellsState) {
    return tellsState ? states : requests;
  }

  /** An unused request object. */
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
