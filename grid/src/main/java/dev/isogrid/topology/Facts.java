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
 * @param released segments that their primary gave up in the current segment epoch
 * @param defining caches that nodes want, in the order in which they asked
 * @param removing the numbers of caches that nodes want to be rid of
 * @param pausing by group, or {@link Pauses#ALL}, whether its rebalancing is to be held back
 * @param broken links by which a primary gets no answers of late from another replica
 */
public record Facts(
    Set<NodeId> alive,
    List<Member> joining,
    Set<NodeId> leaving,
    Map<NodeId, MemberProfile> told,
    Map<Integer, NodeId> caughtUp,
    Set<Integer> released,
    List<CacheRequest> defining,
    Set<Integer> removing,
    Map<Integer, Boolean> pausing,
    Set<Link> broken) {
  /** Copies the collections. */
  public Facts {
    alive = Set.copyOf(alive);
    joining = List.copyOf(joining);
    leaving = Set.copyOf(leaving);
    told = Map.copyOf(told);
    caughtUp = Map.copyOf(caughtUp);
    released = Set.copyOf(released);
    defining = List.copyOf(defining);
    removing = Set.copyOf(removing);
    pausing = Map.copyOf(pausing);
    broken = Set.copyOf(broken);
  }

  /** That of some nodes only that they are alive is known. */
  public static Facts ofAlive(Set<NodeId> alive) {
    return new Facts(
        alive, List.of(), Set.of(), Map.of(), Map.of(), Set.of(), List.of(), Set.of(), Map.of(),
        Set.of());
  }
}
