package dev.isogrid.server.hotrod;

import dev.isogrid.server.security.Caller;

/**
 * The state of a connection between requests, also for those that are executed aside.
 *
 * @param iterations its iterations
 * @param streams the values that it reads or writes in chunks
 * @param counters the counters that it listens to
 * @param listeners its listeners of caches
 * @param shares its shares of the budgets of all connections
 * @param caller the user at the other end
 * @param client the session of the client at the other end
 */
record ConnectionState(
    Iterations iterations,
    ValueStreams streams,
    CounterClient counters,
    ClientListeners listeners,
    ConnectionShares shares,
    Caller caller,
    ClientBinding client) {
  /** Frees what is held. */
  void close() {
    iterations.close();
    streams.close();
    counters.close();
    listeners.close();
    client.close();
    caller.close();
    shares.close();
  }
}
