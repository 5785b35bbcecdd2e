package dev.isogrid.topology;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the cluster and who owns what, as decided for one epoch: there is one topology for each
 * epoch, and each one is decided by the voters of the one before it.
 *
 * @param epoch 1 or more
 * @param members in the order in which they joined
 * @param voters who decides on the next topology: an odd number of members
 * @param segments the owners of each segment
 */
public record Topology(
    int epoch, List<Member> members, List<NodeId> voters, List<SegmentOwners> segments) {
  /** Voters that are of use: the more there are, the more each decision and each lease costs. */
  public static final int VOTERS_MAX = 7;

  /** Copies the lists and checks the voters. */
  public Topology {
    members = List.copyOf(members);
    voters = List.copyOf(voters);
    segments = List.copyOf(segments);
    if (epoch < 1 || voters.size() % 2 == 0 || voters.size() > VOTERS_MAX) {
      throw new IllegalArgumentException(
          "invalid topology: epoch=%d, voters=%s".formatted(epoch, voters));
    }
  }

  /** The member that a node is, or null. */
  public @Nullable Member member(NodeId node) {
    for (Member member : members) {
      if (member.id().equals(node)) {
        return member;
      }
    }
    return null;
  }

  /** Whether a number of voters is a majority. */
  public boolean isMajority(int count) {
    return 2 * count > voters.size();
  }

  /** The same for the next epoch. */
  public Topology unchanged() {
    return new Topology(epoch + 1, members, voters, segments);
  }

  /** Whether two topologies have the same voters. */
  public boolean hasVotersOf(Topology other) {
    return voters.size() == other.voters.size() && voters.containsAll(other.voters);
  }

  /**
   * The nodes that are primary of a segment here and not in the next topology.
   *
   * @param next what follows
   * @param released segments that their primary here has given up by itself
   */
  public Set<NodeId> demotedBy(Topology next, Set<Integer> released) {
    Set<NodeId> demoted = new HashSet<>();
    for (int i = 0; i < segments.size(); i++) {
      NodeId primary = segments.get(i).primary();
      boolean stays = primary == null || primary.equals(next.segments.get(i).primary());
      if (!stays && !released.contains(i)) {
        demoted.add(primary);
      }
    }
    return demoted;
  }
}
