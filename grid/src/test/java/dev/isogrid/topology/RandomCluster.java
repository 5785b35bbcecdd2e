package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Members that come and go, and segments whose owners are always the wanted ones at once. */
final class RandomCluster {
  private final Random random;
  private final int owners;
  private final List<Member> members = new ArrayList<>();
  private List<SegmentOwners> segments;
  private long lastNode;
  private boolean hasZones;
  private int primariesChanged;

  RandomCluster(Random random, int segmentCount, int owners) {
    this.random = random;
    this.owners = owners;
    SegmentOwners nobody = new SegmentOwners(1, null, List.of(new NodeId(0, 0)), List.of());
    this.segments = Collections.nCopies(segmentCount, nobody);
  }

  /** One of any size. */
  static RandomCluster any(Random random, boolean hasZones) {
    int segmentCount = random.nextInt(4) == 0 ? 1 + random.nextInt(1024) : 1 << random.nextInt(9);
    RandomCluster cluster = new RandomCluster(random, segmentCount, 1 + random.nextInt(5));
    cluster.hasZones = hasZones;
    int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 12);
    for (int i = 0; i < size; i++) {
      cluster.addAny();
    }
    cluster.members.set(
        0, new Member(cluster.members.getFirst().id(), 1, MemberProfile.ofCapacity(1)));
    return cluster;
  }

  List<Member> members() {
    return members;
  }

  List<SegmentOwners> segments() {
    return segments;
  }

  int owners() {
    return owners;
  }

  /** How many segments changed their primary, other than one that is gone, in the last move. */
  int primariesChanged() {
    return primariesChanged;
  }

  void add(float capacity, String zone) {
    members.add(
        new Member(new NodeId(0, ++lastNode), 1, new MemberProfile("", capacity, zone, "")));
  }

  void remove(NodeId node) {
    members.removeIf(member -> member.id().equals(node));
  }

  private void addAny() {
    float capacity =
        switch (random.nextInt(10)) {
          case 0 -> 0;
          case 1, 2 -> 2;
          case 3 -> random.nextFloat() * 3;
          default -> 1;
        };
    String zone = "a" + random.nextInt(3) + "/b" + random.nextInt(2) + "/c" + random.nextInt(3);
    add(capacity, hasZones ? zone : "");
  }

  /** Some members come, go, or get another capacity; one that can own stays. */
  void change() {
    switch (random.nextInt(4)) {
      case 0 -> addAny();
      case 1 -> {
        for (int i = random.nextInt(3); i >= 0; i--) {
          addAny();
        }
      }
      case 2 -> {
        for (int i = random.nextInt(3); i >= 0 && members.size() > 1; i--) {
          members.remove(1 + random.nextInt(members.size() - 1));
        }
      }
      default -> {
        int at = random.nextInt(members.size());
        Member old = members.get(at);
        float capacity = at == 0 ? 0.5f + random.nextFloat() : random.nextInt(4);
        members.set(at, new Member(old.id(), 1, new MemberProfile("", capacity, old.zone(), "")));
      }
    }
  }

  List<List<NodeId>> wanted() {
    return Placement.wanted(segments, members, owners);
  }

  /** Makes the wanted owners the owners. Returns the copies that are received. */
  long move() {
    List<List<NodeId>> wanted = wanted();
    assertEquals(wanted, wanted());
    List<SegmentOwners> next = new ArrayList<>();
    long moved = 0;
    primariesChanged = 0;
    for (int i = 0; i < segments.size(); i++) {
      SegmentOwners before = segments.get(i);
      List<NodeId> after = wanted.get(i);
      assertEquals(after.size(), new HashSet<>(after).size(), "owner twice");
      moved += after.stream().filter(node -> !before.isr().contains(node)).count();
      primariesChanged += after.getFirst().equals(before.primary()) ? 0 : 1;
      next.add(new SegmentOwners(1, after.getFirst(), after, List.of()));
    }
    segments = next;
    return moved;
  }

  /** Each member's share of the parts of all segments, by its capacity. */
  private Map<NodeId, Double> shares(int parts) {
    return shares(members, segments.size(), parts);
  }

  /** The same for any members. */
  static Map<NodeId, Double> shares(List<Member> members, int segments, int parts) {
    Map<NodeId, Double> shares = new HashMap<>();
    List<Member> open = new ArrayList<>(members);
    open.removeIf(member -> member.capacity() == 0);
    double rest = (double) segments * Math.min(parts, open.size());
    while (true) {
      double capacity = open.stream().mapToDouble(Member::capacity).sum();
      double left = rest;
      List<Member> full =
          open.stream()
              .filter(member -> left * member.capacity() / capacity > segments + 1e-6)
              .toList();
      if (full.isEmpty()) {
        open.forEach(member -> shares.put(member.id(), left * member.capacity() / capacity));
        return shares;
      }
      full.forEach(member -> shares.put(member.id(), (double) segments));
      rest -= (double) full.size() * segments;
      open.removeAll(full);
    }
  }

  private int copiesOf(NodeId node) {
    return (int) segments.stream().filter(owners -> owners.isr().contains(node)).count();
  }

  private static int floor(double share) {
    return (int) Math.floor(share + 1e-6);
  }

  private static int ceil(double share) {
    return (int) Math.ceil(share - 1e-6);
  }

  /** No placement in which all have their share takes fewer moves. */
  long leastMoves() {
    long lacking = 0;
    long kept = 0;
    Map<NodeId, Double> shares = shares(owners);
    for (Map.Entry<NodeId, Double> share : shares.entrySet()) {
      int copies = copiesOf(share.getKey());
      lacking += Math.max(0, floor(share.getValue()) - copies);
      kept += Math.min(copies, ceil(share.getValue()));
    }
    long total = (long) segments.size() * Math.min(owners, shares.size());
    return Math.max(lacking, total - kept);
  }

  void checkBalance() {
    Map<NodeId, Double> copyShares = shares(owners);
    Map<NodeId, Double> primaryShares = shares(1);
    for (Member member : members) {
      double share = copyShares.getOrDefault(member.id(), 0.0);
      int copies = copiesOf(member.id());
      assertTrue(
          copies >= floor(share) && copies <= ceil(share), member + " " + copies + " of " + share);
      double primaryShare = primaryShares.getOrDefault(member.id(), 0.0);
      long primaries =
          segments.stream().filter(owners -> member.id().equals(owners.primary())).count();
      assertTrue(
          primaries >= floor(primaryShare) && primaries <= ceil(primaryShare),
          member + " primary of " + primaries + " of " + primaryShare);
    }
  }

  private String zone(NodeId node, int parts) {
    for (Member member : members) {
      if (member.id().equals(node) && !member.zone().isEmpty()) {
        return String.join("/", List.of(member.zone().split("/", -1)).subList(0, parts));
      }
    }
    return node.toString();
  }

  /** Pairs of copies of a segment whose zones have as many parts in common. */
  int sharing(int parts) {
    int pairs = 0;
    for (SegmentOwners owners : segments) {
      Map<String, Integer> counts = new HashMap<>();
      for (NodeId node : owners.isr()) {
        pairs += counts.merge(zone(node, parts), 1, Integer::sum) - 1;
      }
    }
    return pairs;
  }

  /** If no machine must keep more than one copy of each segment, none does. */
  void checkZones() {
    Map<NodeId, Double> shares = shares(owners);
    Map<String, Double> machines = new HashMap<>();
    shares.forEach((node, share) -> machines.merge(zone(node, 3), share, Double::sum));
    boolean isPossible = machines.values().stream().allMatch(share -> share < segments.size());
    if (isPossible) {
      assertEquals(0, sharing(3), "copies on one machine");
    }
  }
}
