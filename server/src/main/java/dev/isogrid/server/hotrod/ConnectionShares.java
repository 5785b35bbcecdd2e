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
  /** The shares of a new connection. */
  static ConnectionShares of(ClientBudgets budgets) {
    return new ConnectionShares(
        budgets.events().newShare(),
        budgets.filters().newShare(),
        budgets.answers().newShare(),
        budgets.iterations().newShare(),
        budgets.heapStreams().newShare(),
        budgets.offHeapStreams().newShare());
  }
}
