package dev.isogrid.topology;

/**
 * A node that is in the cluster. A node that was removed and came back is another member, since its
 * sessions ended in between.
 *
 * @param id the node
 * @param joinedEpoch the epoch of the topology that it came with, 1 or more
 * @param capacity its share of the segments in comparison to the others'; 0 to own none
 * @param zone where it runs, as site, rack and machine, or "" if that is not known
 */
public record Member(NodeId id, int joinedEpoch, float capacity, String zone) {
  /** Checks the ranges. */
  public Member {
    if (joinedEpoch < 1 || !(capacity >= 0) || Float.isInfinite(capacity)) {
      throw new IllegalArgumentException(
          "invalid member: id=%s, joinedEpoch=%d, capacity=%s"
              .formatted(id, joinedEpoch, capacity));
    }
  }
}
