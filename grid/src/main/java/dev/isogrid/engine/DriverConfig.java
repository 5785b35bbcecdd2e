package dev.isogrid.engine;

import dev.isogrid.cluster.FoundingRules;

/**
 * How a node takes part in a cluster.
 *
 * @param node the same on all nodes
 * @param segments the number of segments, the same on all nodes
 * @param founding when this node founds a cluster
 * @param capacity as in {@link dev.isogrid.topology.Member}
 * @param zone as in {@link dev.isogrid.topology.Member}
 */
public record DriverConfig(
    ClusterNodeConfig node, int segments, FoundingRules founding, float capacity, String zone) {}
