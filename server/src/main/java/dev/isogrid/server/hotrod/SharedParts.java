package dev.isogrid.server.hotrod;

/**
 * The shared parts of all Hot Rod connections of a server. Thread-safe.
 *
 * @param aside the pool for requests that may block
 * @param sections the topologies for clients
 * @param counterListeners the listeners of counters
 * @param streamedValueMax the largest value in chunks, in bytes
 * @param eventLimits the limits of waiting events
 * @param budgets the memory limits for clients
 * @param sessions the remembered operations of clients
 */
record SharedParts(
    AsidePool aside,
    TopologySections sections,
    CounterListeners counterListeners,
    int streamedValueMax,
    EventLimits eventLimits,
    ClientBudgets budgets,
    ClientSessions sessions) {}
