package dev.isogrid.topology;

/**
 * A node that is in the cluster. A node that was removed and came back is another member, since its
 * sessions ended in between.
 *
 * @param id the node
 * @param joinedEpoch the epoch of the topology that it came with, 1 or more
 * @param profile what it tells of itself
 */
public record Member(NodeId id, int joinedEpoch, MemberProfile profile) {
  /** Checks the epoch. */
  public Member {
    if (joinedEpoch < 1) {
      throw new IllegalArgumentException(
          "invalid member: id=%s, joinedEpoch=%d".formatted(id, joinedEpoch));
    }
  }

  /** That of {@link MemberProfile}. */
  public float capacity() {
    return profile.capacity();
  }

  /** That of {@link MemberProfile}. */
  public String zone() {
    return profile.zone();
  }
}
