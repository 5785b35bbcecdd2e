package dev.isogrid.api;

import java.util.List;
import java.util.Map;

/**
 * The state of a cluster without a majority: the members that are left, and the entries that may be
 * lost if it goes on with them. A snapshot, see {@link Rebalancing#lostMajority}.
 *
 * @param confirmation stands for this situation: {@link Rebalancing#recoverMajority} wants it
 * @param staying the names of the members that answer, which go on
 * @param missing the names of the members that don't answer, which are taken for gone
 * @param lostSegments by cache, the number of segments that none of the members that stay has;
 *     caches without such segments are left out. Their entries stay lost unless one of the missing
 *     members comes back with them, or until {@link Rebalancing#restartLost}
 * @param mayLackWrites whether the missing members may have acknowledged writes, and decided on
 *     caches and members, without those that stay. If false, this node knows that they died before
 *     they could
 */
public record LostMajority(
    String confirmation,
    List<String> staying,
    List<String> missing,
    Map<String, Integer> lostSegments,
    boolean mayLackWrites) {
  /** Copies the collections. */
  public LostMajority {
    staying = List.copyOf(staying);
    missing = List.copyOf(missing);
    lostSegments = Map.copyOf(lostSegments);
  }

  /** Returns whether something is lost for certain, or may be. */
  public boolean losesSomething() {
    return mayLackWrites || !lostSegments.isEmpty();
  }
}
