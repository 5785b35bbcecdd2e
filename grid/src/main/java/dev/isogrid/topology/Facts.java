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
 * @param caughtUp by segment, a learner of which its primary asked in the current segment epoch to
 *     add it
 * @param released segments that their primary gave up in the current segment epoch
 */
public record Facts(
    Set<NodeId> alive,
    List<Member> joining,
    Set<NodeId> leaving,
    Map<Integer, NodeId> caughtUp,
    Set<Integer> released) {
  /** Copies the collections. */
  public Facts {
    alive = Set.copyOf(alive);
    joining = List.copyOf(joining);
    leaving = Set.copyOf(leaving);
    caughtUp = Map.copyOf(caughtUp);
    released = Set.copyOf(released);
  }
}
