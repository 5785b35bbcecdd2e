package dev.isogrid.client.spi;

import dev.isogrid.client.HotRodClientException;
import dev.isogrid.client.ServerAddress;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the client that a pool uses: the server, its queue of requests, connections, time.
 * Methods for any thread say so; all others are for the turn of the server's event loop.
 */
public interface PoolSite {
  /** The server. For any thread. */
  ServerAddress address();

  /** Whether the server's cluster is not used any more. For any thread. */
  boolean isLeft();

  /** The most requests of the client at once. For any thread. */
  int operationsMax();

  /** The newest version of the protocol that the client may speak. For any thread. */
  int versionMax();

  /** Whether older versions are tried when one is refused. For any thread. */
  boolean triesVersions();

  /** The clock, of which only differences have a meaning. For any thread. */
  long nowNanos();

  /** Runs a task in the event loop's turn. For any thread. */
  void execute(Runnable task);

  // ---- connections ------------------------------------------------------------------------------

  /** Makes one that is not open yet. */
  PoolConnection newConnection();

  /** Begins to open one; the pool hears of success and failure. */
  void open(PoolConnection connection);

  /** Notes that the server can be used. */
  void succeeded();

  /**
   * Notes that no connection is left.
   *
   * @param isDown whether the last attempt to connect failed
   * @param attempt runs after a while, longer after each failure in a row; unless the client is
   *     closed
   */
  void failed(boolean isDown, Runnable attempt);

  /** Whether an attempt comes by itself. */
  boolean isRetryDue();

  /** The longest wait for the first attempt after a failure. */
  long retryNanos();

  /** Ends the ticks, when the pool is retired and empty. */
  void stopTicks();

  // ---- requests ---------------------------------------------------------------------------------

  /** Takes the requests that have arrived, as a list. */
  @Nullable PoolRequest takeArrived();

  /** The request that waits longest, or null. */
  @Nullable PoolRequest firstWaiting();

  /** Takes the first one off. */
  void removeFirstWaiting(PoolRequest request);

  /** Takes all that wait out, as a list. */
  @Nullable PoolRequest takeWaiting();

  /** Lets one wait, as the last one. */
  void addWaiting(PoolRequest request);

  /** Drops the waiting requests whose callers gave up. */
  void dropExpired();

  /** How long the caller of a request has waited. */
  long waitedNanos(PoolRequest request, long nowNanos);

  /** Fails a request whose caller waited long enough; it stays in its list. */
  void expire(PoolRequest request, long nowNanos);

  /** Fails a request since all connections are busy. */
  void refuseBusy(PoolRequest request, String message);

  /** Fails a request since it waited too long for a connection. */
  void refuseLate(PoolRequest request, String message);

  /** The failure of the way to the server. */
  HotRodClientException failure(String message, @Nullable HotRodClientException cause);

  /** Retries a list of requests on other servers, or fails them. */
  void failOver(@Nullable PoolRequest list, HotRodClientException cause);

  /** Retries all waiting requests on other servers, or fails them. */
  void failOverWaiting(HotRodClientException cause);
}
