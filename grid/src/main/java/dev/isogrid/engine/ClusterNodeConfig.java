package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;

/**
 * How a node behaves; the same on all nodes of a cluster.
 *
 * @param callsMax operations of one node that may wait for an answer
 */
public record ClusterNodeConfig(ClusterTimes times, ReplicaLimits limits, int callsMax) {}
