package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the copies of the segments should be. Pure, and the same on every node. */
final class Placement {
  /*
   * Two assignments, one after the other, each the cheapest one: first of members to segments, so
   * that each segment has its copies, and then of one of those members to each segment, as its
   * primary. See Assignment for how.
   *
   *   what counts, the first before all others        how
   *   each member has its share of copies             bounds of the first assignment
   *   copies of a segment are far apart               NEAR: for each pair of copies on one machine,
   *                                                   in one rack, in one site
   *   few copies are sent                             NEW for each copy, LEARNING if it was begun
   *   few primaries change                            PRIMARY for a copy that is primary already
   *   each member has its share of primaries          bounds of the second assignment
   *   few primaries change                            1 for each change
   *
   * A member's share is in proportion to its capacity, but no more than one copy of each segment:
   * what is beyond that is for the others. Shares are rounded up or down as it is cheaper. So
   * copies share a machine only if members of other machines would have to keep more than their
   * share.
   *
   * The cheapest assignment has a property that the planner lives on. It goes towards what is
   * wanted in many steps, and what is wanted is computed anew after each. Every step (a copy is
   * begun, it is in sync, one that is not wanted is dropped) makes the wanted assignment cheaper,
   * and any other one by at most as much. So the wanted one remains the cheapest, the cost falls
   * with every copy that is begun, and the plans end. A cheap but not the cheapest assignment
   * could be left for another half way, again and again.
   *
   * Cost: about segments x owners x members steps for the table of changes, then for each copy
   * that must move members^2 + segments x owners^2. 256 segments of 2 owners on 100 members take
   * about a millisecond when one more joins. In random clusters without zones 0.3 % more copies
   * move than the members lack, which is where a member that lacks copies has one of each segment
   * that another one could give.
   */

  /** A copy that a member is being given already costs half of what a new one does. */
  private static final long LEARNING = 2;

  private static final long NEW = 2 * LEARNING;

  /** To drop the primary's copy costs a pause of the segment; less than a copy to be sent. */
  private static final long PRIMARY = -1;

  /**
   * The cost of a pair of copies in one site, in one rack, or on one machine, by the number of
   * common parts of their zones. A pair on one machine is also in one rack: the steps must grow.
   * Each is more than the cost of all copies that one improvement can move.
   */
  private static final long[] NEAR = {0, 1L << 12, 1L << 20, 1L << 28};

  /** A sum of fractions is this near to what it would be without rounding. */
  private static final double ROUNDING = 1e-6;

  private final List<SegmentOwners> segments;
  private final List<Member> able;
  private final Map<NodeId, Integer> indexes = new HashMap<>();
  private final int copies;

  private Placement(List<SegmentOwners> segments, List<Member> able, int copies) {
    this.segments = segments;
    this.able = able;
    this.copies = copies;
    for (Member member : able) {
      indexes.put(member.id(), indexes.size());
    }
  }

  /** Whether any of these members can own segments. */
  static boolean isPossible(List<Member> members) {
    return members.stream().anyMatch(member -> member.capacity() > 0);
  }

  /**
   * The wanted owners of each segment, the primary first. Whoever owns a segment keeps it as far as
   * all members then own their share.
   *
   * @param segments the current owners
   * @param members who can own; those of capacity 0 are left out
   * @param owners the wanted number of copies; fewer if there are fewer members
   * @throws IllegalArgumentException if no member has a capacity above 0
   */
  static List<List<NodeId>> wanted(List<SegmentOwners> segments, List<Member> members, int owners) {
    if (!isPossible(members)) {
      throw new IllegalArgumentException(
          "no member can own segments: members=%s; give one a capacity above 0".formatted(members));
    }
    List<Member> able =
        members.stream()
            .filter(member -> member.capacity() > 0)
            .sorted(Comparator.comparing(Member::id))
            .toList();
    int copies = Math.min(Math.min(owners, able.size()), SegmentOwners.COPIES_MAX);
    return new Placement(segments, able, copies).wanted();
  }

  private List<List<NodeId>> wanted() {
    int[][] chosen = new int[segments.size()][];
    long[][] costs = new long[segments.size()][];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = kept(segments.get(i));
      costs[i] = copyCosts(segments.get(i));
    }
    Assignment all = new Assignment(chosen, costs, nearness(), seeds());
    all.balance(shares(copies));
    int[][] primaries = primaries(chosen);
    List<List<NodeId>> wanted = new ArrayList<>();
    for (int i = 0; i < chosen.length; i++) {
      List<NodeId> nodes = new ArrayList<>();
      nodes.add(able.get(primaries[i][0]).id());
      for (int member : chosen[i]) {
        if (member != primaries[i][0]) {
          nodes.add(able.get(member).id());
        }
      }
      wanted.add(nodes);
    }
    return wanted;
  }

  /** As many of the present owners as there are to be. */
  private int[] kept(SegmentOwners owners) {
    int[] kept = new int[copies];
    int count = 0;
    int primary = index(owners.primary());
    if (primary >= 0) {
      kept[count++] = primary;
    }
    for (List<NodeId> nodes : List.of(owners.isr(), owners.learners())) {
      for (NodeId node : nodes) {
        int member = index(node);
        if (count < copies && member >= 0 && member != primary) {
          kept[count++] = member;
        }
      }
    }
    while (count < copies) {
      kept[count++] = able.size();
    }
    return kept;
  }

  private int index(@Nullable NodeId node) {
    return node == null ? -1 : indexes.getOrDefault(node, -1);
  }

  private long[] copyCosts(SegmentOwners owners) {
    long[] costs = new long[able.size()];
    for (int member = 0; member < costs.length; member++) {
      NodeId node = able.get(member).id();
      if (node.equals(owners.primary())) {
        costs[member] = PRIMARY;
      } else if (!owners.isr().contains(node)) {
        costs[member] = owners.learners().contains(node) ? LEARNING : NEW;
      }
    }
    return costs;
  }

  /** One of the chosen members for each segment. */
  private int[][] primaries(int[][] chosen) {
    int[][] primaries = new int[chosen.length][1];
    long[][] costs = new long[chosen.length][able.size()];
    for (int i = 0; i < chosen.length; i++) {
      SegmentOwners owners = segments.get(i);
      int now = index(owners.primary());
      boolean hasNow = false;
      Arrays.fill(costs[i], Assignment.FORBIDDEN);
      for (int member : chosen[i]) {
        boolean isReady = now >= 0 || owners.isr().contains(able.get(member).id());
        costs[i][member] = member == now ? 0 : isReady ? 1 : 2;
        hasNow |= member == now;
      }
      primaries[i][0] = hasNow ? now : able.size();
    }
    long[][] nowhereNear = new long[able.size()][able.size()];
    new Assignment(primaries, costs, nowhereNear, seeds()).balance(shares(1));
    return primaries;
  }

  private long[] seeds() {
    return able.stream().mapToLong(member -> 31 * member.id().high() + member.id().low()).toArray();
  }

  /** How many of each segment's parts each member should have. */
  private Assignment.Bounds shares(int parts) {
    double[] shares = new double[able.size()];
    double rest = (double) parts * segments.size();
    boolean[] isFull = new boolean[able.size()];
    boolean isDone = false;
    while (!isDone) {
      isDone = true;
      double capacity = 0;
      for (int i = 0; i < shares.length; i++) {
        capacity += isFull[i] ? 0 : able.get(i).capacity();
      }
      double each = rest / capacity;
      for (int i = 0; i < shares.length; i++) {
        if (!isFull[i]) {
          shares[i] = each * able.get(i).capacity();
          if (shares[i] > segments.size() + ROUNDING) {
            shares[i] = segments.size();
            isFull[i] = true;
            rest -= segments.size();
            isDone = false;
          }
        }
      }
    }
    Assignment.Bounds bounds = new Assignment.Bounds(shares.length);
    for (int i = 0; i < shares.length; i++) {
      bounds.least[i] = (int) Math.floor(shares[i] + ROUNDING);
      bounds.most[i] = (int) Math.ceil(shares[i] - ROUNDING);
    }
    return bounds;
  }

  private long[][] nearness() {
    List<String[]> zones = able.stream().map(member -> member.zone().split("/", -1)).toList();
    long[][] nearness = new long[able.size()][able.size()];
    for (int i = 0; i < nearness.length; i++) {
      for (int j = 0; j < i; j++) {
        nearness[i][j] = NEAR[commonParts(zones.get(i), zones.get(j))];
        nearness[j][i] = nearness[i][j];
      }
    }
    return nearness;
  }

  /** How much of two zones is the same; what is not known is not the same. */
  private static int commonParts(String[] one, String[] other) {
    int parts = 0;
    int most = Math.min(NEAR.length - 1, Math.min(one.length, other.length));
    while (parts < most && !one[parts].isEmpty() && one[parts].equals(other[parts])) {
      parts++;
    }
    return parts;
  }
}
