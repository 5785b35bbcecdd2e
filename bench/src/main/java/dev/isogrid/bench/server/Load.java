package dev.isogrid.bench.server;

import dev.isogrid.bench.load.Operation;
import java.io.IOException;

/** One or more clients, connected to a server. Closing it ends the connections. */
interface Load extends AutoCloseable {
  /** The most requests of one run: no load runs for ever, whatever the clock shows. */
  long REQUESTS_MAX = 1_000_000_000;

  /**
   * Sends requests for random keys until the time is over, and waits for all replies.
   *
   * @param endNanos the time of the end, by {@code RealTime.nanos()}
   * @return the number of replies
   * @throws IllegalStateException if a reply is wrong
   */
  long run(Operation operation, long endNanos) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
