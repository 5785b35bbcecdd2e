package dev.isogrid.client.spi;

import dev.isogrid.client.HotRodClientException;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. Methods for any thread say so; all others are called in the turn
 * of the server's event loop.
 */
public interface LinkPool {
  /** Whether a request is more likely to get through than not. For any thread. */
  boolean isUsable();

  /** Whether the pool is not used any more. For any thread. */
  boolean isRetired();

  /** Makes the connections that are held ready. For any thread. */
  void start();

  /** Ends the pool as soon as all requests are answered, or at once. For any thread. */
  void retire(boolean atOnce);

  /** The most unanswered requests of a connection, 1 or more. For any thread. */
  int unansweredMax();

  /** The version of the protocol that a connection's first ping is sent in. */
  int versionFirst();

  /** The next older version to be tried after one was refused, or 0 if there is none. */
  int versionBelow(int refused);

  /**
   * Agrees on a version.
   *
   * @param pinged the version of a ping that was answered
   * @param told the newest one of the server, as far as its answer tells
   * @return the version to be spoken, or 0 if there is none
   */
  int versionOf(int pinged, int told);

  /** The request that a connection is to send next, or null. */
  @Nullable PoolRequest firstFor(PoolConnection connection);

  /** Takes off what {@link #firstFor} returned. */
  void removeFirst(PoolRequest request);

  /** A connection may be used. */
  void ready(PoolConnection connection);

  /** Answers came through a connection, so there is room for more on it. */
  void answered(PoolConnection connection);

  /** A connection is lost, or could not be made; requests that wait for it go elsewhere. */
  void lost(PoolConnection gone, HotRodClientException cause);

  /** Handles the requests that have arrived. */
  void drain();

  /** Looks after connections and requests, every 50 ms. */
  void tick(long nowNanos);
}
