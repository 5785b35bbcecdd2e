package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.ByteBudget;

/**
 * The shares of one connection of {@link ClientBudgets}.
 *
 * @param events the events that wait for the client
 * @param filters the filters of its near caches
 * @param answers its answers with many entries
 * @param iterations its iterations
 * @param heapStreams the values that it sends in chunks for caches on the heap
 * @param offHeapStreams the same for caches off the heap
 */
record ConnectionShares(
    ByteBudget.Share events,
    ByteBudget.Share filters,
    ByteBudget.Share answers,
    ByteBudget.Share iterations,
    ByteBudget.Share heapStreams,
    ByteBudget.Share offHeapStreams) {
  /** The ways in which a connection releases the memory that it holds most of; any thread. */
  interface Relief {
    /** Closes the connection, since its client takes too little. */
    void cutOff(String reason);

    /** Gives up all iterations. */
    void endIterations();

    /** Gives up all unfinished values. */
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

  /** Releases the shares of an ended connection. */
  void close() {
    events.close();
    filters.close();
    answers.close();
    iterations.close();
    heapStreams.close();
    offHeapStreams.close();
  }
}
