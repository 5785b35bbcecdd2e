package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Operation;
import java.io.IOException;

/** A client, or several, connected to a server. Closing it ends the connections. */
interface Load extends AutoCloseable {
  /** Requests of one run, at most: no load goes on for ever, whatever the clock does. */
  long REQUESTS_MAX = 1_000_000_000;

  /**
   * Sends requests for random keys until the time is over, and waits for all replies.
   *
   * @param endNanos when to stop, as {@code RealTime.nanos()} tells
   * @return how many were answered
   * @throws IllegalStateException if a reply is not what it should be
   */
  long run(Operation operation, long endNanos) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
