package dev.isogrid.engine;

import dev.isogrid.cluster.Rule;
import java.util.Set;

/**
 * The settings of a simulation.
 *
 * @param seed decides everything else
 * @param isAsync whether writes are answered before all replicas have them; then some may be lost,
 *     and the history of the clients is not checked
 * @param off the disabled rules
 * @param isHasty whether faults are short and many, and members come and go all the time
 * @param weatherMillis the time with faults
 * @param calmMillis the time without faults at the end
 */
record SimConfig(
    long seed,
    boolean isAsync,
    Set<Rule> off,
    boolean isHasty,
    int weatherMillis,
    int calmMillis) {}
