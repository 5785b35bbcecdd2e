package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the copies of the segments should be. Pure. */
final class Placement {
  private Placement() {}

  /**
   * The wanted owners of each segment, the primary first. Whoever owns a segment keeps it as far as
   * all members then own their share.
   *
   * @param segments the current owners
   * @param members who can own
   * @param owners the wanted number of copies
   */
  static List<List<NodeId>> wanted(List<SegmentOwners> segments, List<Member> members, int owners) {
    List<Member> able = members.stream().filter(member -> member.capacity() > 0).toList();
    int copies = Math.min(owners, able.size());
    Shares copyShares = new Shares(able, segments.size() * copies);
    List<List<NodeId>> wanted = new ArrayList<>();
    for (SegmentOwners segment : segments) {
      List<NodeId> kept = new ArrayList<>();
      NodeId primary = segment.primary();
      if (primary != null && copyShares.tryTake(primary)) {
        kept.add(primary);
      }
      for (NodeId node : segment.isr()) {
        if (kept.size() < copies && !kept.contains(node) && copyShares.tryTake(node)) {
          kept.add(node);
        }
      }
      for (NodeId node : segment.learners()) {
        if (kept.size() < copies && !kept.contains(node) && copyShares.tryTake(node)) {
          kept.add(node);
        }
      }
      wanted.add(kept);
    }
    for (List<NodeId> kept : wanted) {
      while (kept.size() < copies) {
        kept.add(copyShares.takeNeediest(kept));
      }
    }
    balancePrimaries(wanted, able);
    return wanted;
  }

  /** Puts another owner first where that one has too few primaries and the first has too many. */
  private static void balancePrimaries(List<List<NodeId>> wanted, List<Member> able) {
    if (able.isEmpty()) {
      return;
    }
    Shares shares = new Shares(able, wanted.size());
    for (List<NodeId> owners : wanted) {
      int at = 0;
      while (at < owners.size() && !shares.tryTake(owners.get(at))) {
        at++;
      }
      if (at == owners.size()) {
        at = 0;
        shares.overdraw(owners.getFirst());
      }
      owners.addFirst(owners.remove(at));
    }
  }

  /** How much each member may still take. */
  private static final class Shares {
    private final Map<NodeId, Integer> left = new HashMap<>();
    private final List<Member> members;

    Shares(List<Member> members, int total) {
      this.members = members;
      double capacity = members.stream().mapToDouble(Member::capacity).sum();
      for (Member member : members) {
        left.put(member.id(), (int) Math.ceil(total * member.capacity() / capacity));
      }
    }

    boolean tryTake(NodeId node) {
      Integer rest = left.get(node);
      if (rest == null || rest <= 0) {
        return false;
      }
      left.put(node, rest - 1);
      return true;
    }

    void overdraw(NodeId node) {
      left.merge(node, -1, Integer::sum);
    }

    NodeId takeNeediest(List<NodeId> excluded) {
      NodeId neediest = null;
      for (Member member : members) {
        NodeId node = member.id();
        boolean isNeedier = neediest == null || left(node) > left(neediest);
        if (!excluded.contains(node) && isNeedier) {
          neediest = node;
        }
      }
      if (neediest == null) {
        throw new IllegalStateException("no member left: excluded=" + excluded);
      }
      overdraw(neediest);
      return neediest;
    }

    private int left(NodeId node) {
      return left.getOrDefault(node, 0);
    }
  }
}
