package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** So few members and segments that every placement can be looked at. */
final class SmallCluster {
  private final List<Member> members = new ArrayList<>();
  private final List<SegmentOwners> segments = new ArrayList<>();
  private final int owners;
  private final Map<NodeId, Double> shares;
  private long least = Long.MAX_VALUE;

  SmallCluster(Random random) {
    int size = 2 + random.nextInt(4);
    owners = Math.min(size, 1 + random.nextInt(3));
    List<NodeId> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      nodes.add(new NodeId(0, i + 1));
      String zone = "a" + random.nextInt(2) + "/b" + random.nextInt(2) + "/c" + random.nextInt(2);
      MemberProfile profile = new MemberProfile("", 1 + random.nextInt(2), zone, "");
      members.add(new Member(nodes.getLast(), 1, profile));
    }
    for (int i = random.nextInt(3) + 2; i > 0; i--) {
      Collections.shuffle(nodes, random);
      int copies = 1 + random.nextInt(size);
      boolean learns = copies < size && random.nextBoolean();
      List<NodeId> isr = nodes.subList(0, copies);
      List<NodeId> learners = learns ? nodes.subList(copies, copies + 1) : List.of();
      segments.add(new SegmentOwners(1, isr.getFirst(), isr, learners));
    }
    shares = RandomCluster.shares(members, segments.size(), owners);
  }

  /** The wanted owners are as cheap as any. */
  void check() {
    List<Set<NodeId>> wanted = new ArrayList<>();
    Placement.wanted(segments, members, owners).forEach(nodes -> wanted.add(Set.copyOf(nodes)));
    search(new ArrayList<>());
    assertEquals(least, cost(wanted));
  }

  private void search(List<Set<NodeId>> chosen) {
    if (chosen.size() == segments.size()) {
      least = Math.min(least, cost(chosen));
      return;
    }
    for (int set = 0; set < 1 << members.size(); set++) {
      if (Integer.bitCount(set) == owners) {
        Set<NodeId> nodes = new HashSet<>();
        for (int i = 0; i < members.size(); i++) {
          if ((set >> i & 1) == 1) {
            nodes.add(members.get(i).id());
          }
        }
        chosen.add(nodes);
        search(chosen);
        chosen.removeLast();
      }
    }
  }

  private long cost(List<Set<NodeId>> chosen) {
    long cost = 0;
    for (Member member : members) {
      long copies = chosen.stream().filter(nodes -> nodes.contains(member.id())).count();
      double share = shares.getOrDefault(member.id(), 0.0);
      boolean isShare = copies >= Math.floor(share + 1e-6) && copies <= Math.ceil(share - 1e-6);
      cost += isShare ? 0 : 1L << 44;
    }
    for (int i = 0; i < chosen.size(); i++) {
      cost += cost(segments.get(i), List.copyOf(chosen.get(i)));
    }
    return cost;
  }

  private long cost(SegmentOwners now, List<NodeId> nodes) {
    long cost = 0;
    for (int i = 0; i < nodes.size(); i++) {
      NodeId node = nodes.get(i);
      if (node.equals(now.primary())) {
        cost -= 1;
      } else if (!now.isr().contains(node)) {
        cost += now.learners().contains(node) ? 2 : 4;
      }
      for (NodeId other : nodes.subList(0, i)) {
        int parts = commonParts(zone(node), zone(other));
        cost += parts == 0 ? 0 : 1L << (8 * parts + 4);
      }
    }
    return cost;
  }

  private String zone(NodeId node) {
    return members.get((int) node.low() - 1).zone();
  }

  private static int commonParts(String one, String other) {
    int end = 0;
    while (end < one.length() && one.charAt(end) == other.charAt(end)) {
      end++;
    }
    return (end + 1) / 3;
  }
}
