package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import java.util.function.ToIntFunction;

/**
 * How a node behaves; the same on all nodes of a cluster.
 *
 * @param owners the wanted number of copies of each entry, 1 or more
 * @param callsMax operations of one node that may wait for an answer
 * @param segmentOf the segment of a key
 */
public record ClusterNodeConfig(
    ClusterTimes times,
    ReplicaLimits limits,
    int owners,
    int callsMax,
    ToIntFunction<Object> segmentOf) {}
