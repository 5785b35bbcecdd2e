package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ByteBudget;

/**
 * The shares of one connection of {@link ClientBudgets}.
 *
 * @param events what waits for the client
 * @param filters the filters of its near caches
 * @param answers its answers with many entries
 * @param iterations its iterations
 * @param heapStreams the values that it sends in chunks for caches on the heap
 * @param offHeapStreams those for caches off the heap
 */
record ConnectionShares(
    ByteBudget.Share events,
    ByteBudget.Share filters,
    ByteBudget.Share answers,
    ByteBudget.Share iterations,
    ByteBudget.Share heapStreams,
    ByteBudget.Share offHeapStreams) {
  /** What a connection does that has to give back what it has most of; any thread. */
  interface Relief {
    /** Closes the connection, since its client takes too little. */
    void cutOff(String reason);

    /** Gives all iterations up. */
    void endIterations();

    /** Gives all unfinished values up. */
    void endValues();
  }

  /** The shares of a new connection. */
  static ConnectionShares of(ClientBudgets budgets, Relief relief) {
    return new ConnectionShares(
        budgets.events().newShare(() -> relief.cutOff("events are lost, too many wait")),
        budgets.filters().newShare(),
        budgets.answers().newShare(() -> relief.cutOff("answers are not taken")),
        budgets.iterations().newShare(relief::endIterations),
        budgets.heapStreams().newShare(relief::endValues),
        budgets.offHeapStreams().newShare(relief::endValues));
  }

  /** Says that the connection has ended. */
  void close() {
    events.close();
    filters.close();
    answers.close();
    iterations.close();
    heapStreams.close();
    offHeapStreams.close();
  }
}
