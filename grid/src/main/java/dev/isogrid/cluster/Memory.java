package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node's memory of its cluster when it starts again.
 *
 * @param self what the node was called
 * @param former what it was called in still earlier lives whose entries are on its disk, and may be
 *     nowhere else
 * @param topology the last one that it knew
 * @param acceptedBallot the ballot in which it accepted something for the epoch after that, or NONE
 * @param accepted what it accepted, or null
 */
public record Memory(
    NodeId self,
    List<NodeId> former,
    Topology topology,
    Ballot acceptedBallot,
    @Nullable Proposal accepted) {
  /** Copies the list. */
  public Memory {
    former = List.copyOf(former);
  }

  /** That of a node whose disk has nothing of earlier lives. */
  public Memory(
      NodeId self, Topology topology, Ballot acceptedBallot, @Nullable Proposal accepted) {
    this(self, List.of(), topology, acceptedBallot, accepted);
  }
}
