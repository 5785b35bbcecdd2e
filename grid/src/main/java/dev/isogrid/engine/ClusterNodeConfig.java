package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;

/**
 * How a node behaves; the same on all nodes of a cluster.
 *
 * @param callsMax operations of one node that may wait for an answer
 * @param copies what it may send of copies; each node for itself
 */
public record ClusterNodeConfig(
    ClusterTimes times, ReplicaLimits limits, int callsMax, CopyLimits copies) {
  /** One that sends copies as fast as it can. */
  public ClusterNodeConfig(ClusterTimes times, ReplicaLimits limits, int callsMax) {
    this(times, limits, callsMax, CopyLimits.NONE);
  }
}
