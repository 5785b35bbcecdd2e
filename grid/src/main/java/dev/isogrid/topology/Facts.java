package dev.isogrid.topology;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A voter's knowledge for planning the next topology.
 *
 * @param alive the nodes that it hears of
 * @param joining nodes that ask to join; their epoch is set when they join
 * @param leaving nodes that ask to leave
 * @param told by member, its current profile, if it sent one recently
 * @param caughtUp by segment, a learner whose addition the primary requested in the current segment
 *     epoch
 * @param released by segment, the replicas that gave it up in the current segment epoch: they don't
 *     answer reads of it any more
 * @param defining caches that nodes request, in the order of the requests
 * @param removing the numbers of caches that nodes ask to remove
 * @param pausing by group, or {@link Pauses#ALL}, whether its rebalancing must be paused
 * @param copySpeed the speed of copies that a node asks for, as in {@link Pauses}, or null
 * @param restarting by group, the last epoch in which its segments must have been offline to
 *     restart without entries
 * @param broken links on which a primary has recently got no answers from another replica
 * @param overdue the broken links whose replica had time to give its segments up, so that no node
 *     waits for it any longer
 * @param disks by segment that is offline and by former id of a member, what its disk has; of an
 *     in-sync replica that the segment waits for, it is that id
 * @param copies by segment that is offline and by in-sync replica of it that spoke, whether that
 *     has its copy
 */
public record Facts(
    Set<NodeId> alive,
    List<Member> joining,
    Set<NodeId> leaving,
    Map<NodeId, MemberProfile> told,
    Map<Integer, NodeId> caughtUp,
    Map<Integer, Set<NodeId>> released,
    List<CacheRequest> defining,
    Set<Integer> removing,
    Map<Integer, Boolean> pausing,
    @Nullable Long copySpeed,
    Map<Integer, Integer> restarting,
    Set<Link> broken,
    Set<Link> overdue,
    Map<Integer, Map<NodeId, DiskCopy>> disks,
    Map<Integer, Map<NodeId, Boolean>> copies) {
  /** Copies the collections. */
  public Facts {
    alive = Set.copyOf(alive);
    joining = List.copyOf(joining);
    leaving = Set.copyOf(leaving);
    told = Map.copyOf(told);
    caughtUp = Map.copyOf(caughtUp);
    released = Map.copyOf(released);
    defining = List.copyOf(defining);
    removing = Set.copyOf(removing);
    pausing = Map.copyOf(pausing);
    restarting = Map.copyOf(restarting);
    broken = Set.copyOf(broken);
    overdue = Set.copyOf(overdue);
    disks = Map.copyOf(disks);
    copies = Map.copyOf(copies);
  }

  /** Whether a replica gave a segment up. */
  boolean hasReleased(int segment, NodeId node) {
    return released.getOrDefault(segment, Set.of()).contains(node);
  }

  /** Whether a replica that a segment waits for has its copy, or null if it did not say. */
  @Nullable Boolean hasCopy(int segment, NodeId node) {
    return copies.getOrDefault(segment, Map.of()).get(node);
  }

  /** That of some nodes only that they are alive is known. */
  public static Facts ofAlive(Set<NodeId> alive) {
    return new Facts(
        alive, List.of(), Set.of(), Map.of(), Map.of(), Map.of(), List.of(), Set.of(), Map.of(),
        null, Map.of(), Set.of(), Set.of(), Map.of(), Map.of());
  }
}
