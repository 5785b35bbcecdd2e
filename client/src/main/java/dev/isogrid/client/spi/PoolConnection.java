package dev.isogrid.client.spi;

import org.jspecify.annotations.Nullable;

/** A connection of the client, as a pool sees it. For the turn of its event loop. */
public interface PoolConnection {
  /** The version of the protocol that is spoken. */
  int version();

  /** Whether it takes requests: its handshake succeeded, and it is not ending. */
  boolean isReady();

  /** Whether its server refused the version. */
  boolean wasRefused();

  /** Whether listeners may get events through it. */
  boolean isListenedTo();

  /** The number of requests without an answer. */
  int unanswered();

  /** Takes requests from its pool, as many as it may have, and writes them. */
  void write();

  /** Takes the requests without an answer off, as a list; for a connection that is lost. */
  @Nullable PoolRequest drain();

  /** Looks after the time limits of its requests and its own. */
  void tick(long nowNanos);

  /** Ends it as soon as all requests are answered, or at once. */
  void end(boolean atOnce);
}
