package dev.isogrid.server.hotrod;

/**
 * What all Hot Rod connections of a server share. Thread-safe.
 *
 * @param aside where requests are executed that may block
 * @param sections what clients are told of the cluster
 * @param counterListeners who listens to counters
 * @param streamedValueMax the largest value that is taken in chunks, in bytes
 * @param eventLimits how far clients may be behind with events
 * @param budgets what clients may make the server keep
 */
record SharedParts(
    AsidePool aside,
    TopologySections sections,
    CounterListeners counterListeners,
    int streamedValueMax,
    EventLimits eventLimits,
    ClientBudgets budgets) {}
