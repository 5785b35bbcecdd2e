package dev.isogrid.topology;

/**
 * A node in the cluster. A node that was removed and came back is another member, since its
 * sessions ended in between.
 *
 * @param id the node
 * @param joinedEpoch the epoch of the topology that it came with, 1 or more
 * @param profileEpoch the epoch of the topology that its profile came with
 * @param profile the profile that it sent
 */
public record Member(NodeId id, int joinedEpoch, int profileEpoch, MemberProfile profile) {
  /** Checks the epochs. */
  public Member {
    if (joinedEpoch < 1 || profileEpoch < joinedEpoch) {
      throw new IllegalArgumentException(
          "invalid member: id=%s, joinedEpoch=%d, profileEpoch=%d"
              .formatted(id, joinedEpoch, profileEpoch));
    }
  }

  /** A member that tells the same of itself since it joined. */
  public Member(NodeId id, int joinedEpoch, MemberProfile profile) {
    this(id, joinedEpoch, joinedEpoch, profile);
  }

  /** The same with a new profile from an epoch on. */
  Member telling(MemberProfile told, int epoch) {
    return told.equals(profile) ? this : new Member(id, joinedEpoch, epoch, told);
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
