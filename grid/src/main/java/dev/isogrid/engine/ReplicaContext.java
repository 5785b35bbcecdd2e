package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.topology.NodeId;

/**
 * What all replicas of a node have in common.
 *
 * @param limits the caps of what a replica keeps
 */
record ReplicaContext(
    NodeId self,
    ClusterTimes times,
    ReplicaLimits limits,
    Outbox outbox,
    Lease lease,
    CommitListener listener) {}
