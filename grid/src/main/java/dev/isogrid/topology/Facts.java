package dev.isogrid.topology;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a voter knows when it plans the next topology.
 *
 * @param alive the nodes that it hears of
 * @param joining nodes that want in; their epoch is set when they get in
 * @param leaving nodes that want to go
 * @param told by member, what it tells of itself now, if it told anything lately
 * @param caughtUp by segment, a learner of which its primary asked in the current segment epoch to
 *     add it
 * @param released by segment, the replicas that gave it up in the current segment epoch: they don't
 *     answer reads of it any more
 * @param defining caches that nodes want, in the order in which they asked
 * @param removing the numbers of caches that nodes want to be rid of
 * @param pausing by group, or {@link Pauses#ALL}, whether its rebalancing is to be held back
 * @param restarting by group, the last epoch in which its segments must have been offline to be
 *     begun anew without entries
 * @param broken links by which a primary gets no answers of late from another replica
 * @param overdue those of them whose replica had the time to give its segments up, and is not to be
 *     waited for any longer
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
    Map<Integer, Integer> restarting,
    Set<Link> broken,
    Set<Link> overdue) {
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
  }

  /** Whether a replica gave a segment up. */
  boolean hasReleased(int segment, NodeId node) {
    return released.getOrDefault(segment, Set.of()).contains(node);
  }

  /** That of some nodes only that they are alive is known. */
  public static Facts ofAlive(Set<NodeId> alive) {
    return new Facts(
        alive, List.of(), Set.of(), Map.of(), Map.of(), Map.of(), List.of(), Set.of(), Map.of(),
        Map.of(), Set.of(), Set.of());
  }
}
