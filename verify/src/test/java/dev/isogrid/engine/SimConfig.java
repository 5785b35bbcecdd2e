package dev.isogrid.engine;

import dev.isogrid.cluster.Rule;
import java.util.Set;

/**
 * What a run simulates.
 *
 * @param seed decides everything else
 * @param isAsync whether writes are answered before all replicas have them, so that some may be
 *     lost; the history of the clients is not checked then
 * @param off rules that are not obeyed
 * @param weatherMillis how long there are faults
 * @param calmMillis how long there are none after that
 */
record SimConfig(long seed, boolean isAsync, Set<Rule> off, int weatherMillis, int calmMillis) {}
