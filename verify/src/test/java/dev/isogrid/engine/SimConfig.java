package dev.isogrid.engine;

import dev.isogrid.cluster.Rule;
import java.util.Set;

/**
 * What a run simulates.
 *
 * @param seed decides everything else
 * @param off rules that are not obeyed
 * @param weatherMillis how long there are faults
 * @param calmMillis how long there are none after that
 */
record SimConfig(long seed, Set<Rule> off, int weatherMillis, int calmMillis) {}
