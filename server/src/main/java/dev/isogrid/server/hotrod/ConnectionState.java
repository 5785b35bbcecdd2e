package dev.isogrid.server.hotrod;

import dev.isogrid.server.security.Caller;

/**
 * What a connection keeps between requests, also for those that are executed aside.
 *
 * @param iterations its iterations
 * @param streams the values that it reads or writes in chunks
 * @param counters the counters that it listens to
 * @param listeners its listeners of caches
 * @param shares what it may keep of what all connections share
 * @param caller the user at the other end
 */
record ConnectionState(
    Iterations iterations,
    ValueStreams streams,
    CounterClient counters,
    ClientListeners listeners,
    ConnectionShares shares,
    Caller caller) {
  /** Frees what is held. */
  void close() {
    iterations.close();
    streams.close();
    counters.close();
    listeners.close();
    caller.close();
    shares.close();
  }
}
