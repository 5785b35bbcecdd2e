package dev.isogrid.topology;

/**
 * A node that is in the cluster. A node that was removed and came back is another member, since its
 * sessions ended in between.
 *
 * @param id the node
 * @param joinedEpoch the epoch of the topology that it came with, 1 or more
 * @param info what it tells of itself
 */
public record Member(NodeId id, int joinedEpoch, MemberInfo info) {
  /** Checks the epoch. */
  public Member {
    if (joinedEpoch < 1) {
      throw new IllegalArgumentException(
          "invalid member: id=%s, joinedEpoch=%d".formatted(id, joinedEpoch));
    }
  }

  /** That of {@link MemberInfo}. */
  public float capacity() {
    return info.capacity();
  }

  /** That of {@link MemberInfo}. */
  public String zone() {
    return info.zone();
  }
}
