package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node's memory of its cluster when it starts again.
 *
 * @param self what the node was called
 * @param former what it was called in other lives: still earlier ones whose entries are on its
 *     disk, and may be nowhere else, and later ones in which it was perhaps let in without learning
 *     it
 * @param predecessors by segment of which the node was an in-sync replica, its former primaries,
 *     the oldest first, whose disks may have writes that the node's disk did not have yet
 * @param topology the last one that it knew
 * @param acceptedBallot the ballot in which it accepted something for the epoch after that, or NONE
 * @param accepted what it accepted, or null
 */
public record Memory(
    NodeId self,
    List<NodeId> former,
    Map<Integer, List<NodeId>> predecessors,
    Topology topology,
    Ballot acceptedBallot,
    @Nullable Proposal accepted) {
  /** Former names that are remembered, apart from those that the topology may still need. */
  private static final int FORMER_MAX = 64;

  /** Copies the collections. */
  public Memory {
    former = List.copyOf(former);
    predecessors = copied(predecessors);
  }

  private static Map<Integer, List<NodeId>> copied(Map<Integer, List<NodeId>> predecessors) {
    Map<Integer, List<NodeId>> copied = new HashMap<>();
    predecessors.forEach((segment, nodes) -> copied.put(segment, List.copyOf(nodes)));
    return Map.copyOf(copied);
  }

  /** That of a node whose disk has all that was acknowledged of its segments. */
  public Memory(
      NodeId self,
      List<NodeId> former,
      Topology topology,
      Ballot acceptedBallot,
      @Nullable Proposal accepted) {
    this(self, former, Map.of(), topology, acceptedBallot, accepted);
  }

  /** That of a node whose disk has nothing of earlier lives. */
  public Memory(
      NodeId self, Topology topology, Ballot acceptedBallot, @Nullable Proposal accepted) {
    this(self, List.of(), Map.of(), topology, acceptedBallot, accepted);
  }

  /**
   * The nodes, in the order of time, whose disks may have acknowledged writes of a segment that the
   * disk of this node, an in-sync replica, lacks: the primaries that it knew of since its own disk
   * was known to have everything, this node apart.
   */
  public List<NodeId> predecessorsIn(int segment) {
    Set<NodeId> found = new LinkedHashSet<>(predecessors.getOrDefault(segment, List.of()));
    if (segment < topology.segments().size()) {
      NodeId primary = topology.segments().get(segment).primary();
      if (primary != null) {
        found.add(primary);
      }
    }
    found.remove(self);
    return List.copyOf(found);
  }

  /**
   * This memory as a node keeps it from its start on, before it tells anybody its name. Another one
   * may bring the cluster back with it under that name, and both may end before it learns that: by
   * this, the next process on the disk is known to be the same node.
   *
   * @param now what the node is called in this life
   */
  public Memory startedAs(NodeId now) {
    Set<NodeId> needed = new HashSet<>(topology.voters());
    topology.segments().forEach(segment -> needed.addAll(segment.isr()));
    List<NodeId> names = new ArrayList<>(List.of(now));
    for (NodeId name : former) {
      if (!name.equals(now) && (names.size() < FORMER_MAX || needed.contains(name))) {
        names.add(name);
      }
    }
    return new Memory(self, names, predecessors, topology, acceptedBallot, accepted);
  }
}
