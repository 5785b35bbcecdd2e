package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What a node remembers of its cluster when it starts again.
 *
 * @param self what the node was called
 * @param topology the last one that it knew
 * @param acceptedBallot the ballot in which it accepted something for the epoch after that, or NONE
 * @param accepted what it accepted, or null
 */
public record Memory(
    NodeId self, Topology topology, Ballot acceptedBallot, @Nullable Proposal accepted) {}
