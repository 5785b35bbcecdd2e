package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plays a cluster that does what is planned: copies arrive, primaries release, nodes come, die. */
final class PlayedCluster {
  /** The steps by which a plan may be late if all its requests are fulfilled at once. */
  private static final int STEPS_MORE = 8;

  final Random random;
  final int owners;
  final int copyingMax;
  final Set<NodeId> alive = new LinkedHashSet<>();
  final Set<NodeId> leaving = new HashSet<>();
  final Map<NodeId, MemberProfile> told = new HashMap<>();
  final List<CacheRequest> defining = new ArrayList<>();
  final Set<Integer> removing = new HashSet<>();
  final Map<Integer, Boolean> pausing = new HashMap<>();
  @Nullable Long copySpeed;
  final Map<Integer, Integer> restarting = new HashMap<>();
  final Set<Link> broken = new HashSet<>();

  /** Nodes that say nothing of the copies that segments wait for, and those that have none. */
  final Set<NodeId> silent = new HashSet<>();

  final Set<NodeId> emptied = new HashSet<>();

  private final Planner planner;
  private final List<Member> joining = new ArrayList<>();
  private final Map<Integer, NodeId> caughtUp = new HashMap<>();
  final Map<Integer, Map<NodeId, DiskCopy>> disks = new HashMap<>();
  final Set<Link> overdue = new HashSet<>();
  private final Map<Integer, Set<NodeId>> released = new HashMap<>();
  private Topology topology;
  private long lastNode;
  private long copiesBegun;

  PlayedCluster(Random random, int size, int segmentCount, int owners, int copyingMax) {
    this.random = random;
    this.owners = owners;
    this.copyingMax = copyingMax;
    this.planner = new Planner(copyingMax, true);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      members.add(newMember(1));
    }
    this.topology = Planner.first(members, List.of(new CacheGroup(owners, segmentCount)));
    members.forEach(member -> alive.add(member.id()));
  }

  Topology topology() {
    return topology;
  }

  /** Copies that were begun until now. */
  long copiesBegun() {
    return copiesBegun;
  }

  private Member newMember(float capacity) {
    return new Member(new NodeId(0, ++lastNode), 1, MemberProfile.ofCapacity(capacity));
  }

  NodeId join(float capacity) {
    Member member = newMember(capacity);
    joining.add(member);
    return member.id();
  }

  /** A node that was removed although it lives asks to come in again. */
  void comeBack(NodeId node) {
    if (!alive.contains(node)) {
      joining.add(new Member(node, 1, MemberProfile.ofCapacity(1)));
    }
  }

  void crash(NodeId node) {
    alive.remove(node);
    joining.removeIf(member -> member.id().equals(node));
  }

  /** The replicas of segments that are offline say that they have their copies, if not else. */
  private Map<Integer, Map<NodeId, Boolean>> copies() {
    Map<Integer, Map<NodeId, Boolean>> all = new HashMap<>();
    for (int i = 0; i < topology.segments().size(); i++) {
      SegmentOwners owners = topology.segments().get(i);
      Map<NodeId, Boolean> ofSegment = new HashMap<>();
      for (NodeId node : owners.isOffline() ? owners.isr() : List.<NodeId>of()) {
        if (!silent.contains(node)) {
          ofSegment.put(node, !emptied.contains(node));
        }
      }
      all.put(i, ofSegment);
    }
    return all;
  }

  Facts facts() {
    return new Facts(
        alive,
        joining,
        leaving,
        told,
        caughtUp,
        released,
        defining,
        removing,
        pausing,
        copySpeed,
        restarting,
        broken,
        overdue,
        disks,
        copies());
  }

  Plan plan() {
    return planner.plan(topology, facts());
  }

  /**
   * One plan is made and carried out.
   *
   * @param part how much of what it asks for is done before the next one, 0 to 1
   * @return whether there was anything to be done
   */
  boolean step(double part) {
    Plan plan = plan();
    assertEquals(plan, plan());
    Topology next = plan.next();
    if (next != null) {
      PlanRules.check(this, next, plan.released());
      install(next);
    }
    plan.drain()
        .forEach((segment, nodes) -> {
          for (NodeId node : nodes) {
            if (random.nextDouble() < part) {
              released.computeIfAbsent(segment, _ -> new HashSet<>()).add(node);
            }
          }
        });
    for (int i = 0; i < topology.segments().size(); i++) {
      for (NodeId learner : owners(i).learners()) {
        if (random.nextDouble() < part) {
          caughtUp.put(i, learner);
        }
      }
    }
    return next != null || !plan.drain().isEmpty() || hasLearners();
  }

  private boolean hasLearners() {
    return topology.segments().stream().anyMatch(segment -> !segment.learners().isEmpty());
  }

  private SegmentOwners owners(int segment) {
    return topology.segments().get(segment);
  }

  private void install(Topology next) {
    List<SegmentOwners> before = topology.segments();
    for (int i = 0; i < before.size(); i++) {
      SegmentOwners was = before.get(i);
      SegmentOwners is = next.segments().get(i);
      copiesBegun += is.learners().stream().filter(node -> !was.learners().contains(node)).count();
      if (was.segEpoch() != is.segEpoch()) {
        caughtUp.remove(i);
        released.remove(i);
      }
    }
    topology = next;
    joining.removeIf(member -> next.member(member.id()) != null);
    next.members().forEach(member -> alive.add(member.id()));
    alive.removeIf(node -> next.member(node) == null);
    leaving.removeIf(node -> next.member(node) == null);
  }

  /** Everything is done at once until nothing is left to be done. Returns the topologies used. */
  int converge() {
    step(1);
    int epoch = topology.epoch();
    long begun = copiesBegun - learners();
    long missing = missing();
    int stepsMax = STEPS_MORE + stepsOfCopies();
    int steps = 0;
    while (step(1)) {
      assertTrue(++steps < 3 * stepsMax, "does not end: " + topology);
    }
    int used = topology.epoch() - epoch;
    assertTrue(used <= stepsMax, used + " topologies, expected " + stepsMax);
    assertTrue(copiesBegun - begun <= missing, copiesBegun - begun + " copies of " + missing);
    checkWanted();
    return used;
  }

  private long learners() {
    return topology.segments().stream().mapToLong(segment -> segment.learners().size()).sum();
  }

  List<Member> able() {
    return topology.members().stream()
        .filter(member -> !leaving.contains(member.id()) && member.capacity() > 0)
        .toList();
  }

  private List<List<NodeId>> wanted() {
    return Placement.wanted(topology.segments(), able(), owners);
  }

  /** Copies that are wanted and are not in sync, at most. */
  private long missing() {
    long missing = 0;
    List<List<NodeId>> wanted = able().isEmpty() ? List.of() : wanted();
    for (int i = 0; i < wanted.size(); i++) {
      SegmentOwners now = owners(i);
      List<NodeId> nodes = wanted.get(i);
      if (now.isOffline()) {
        missing += nodes.size(); // it is wanted elsewhere later, and others in its place
      } else {
        missing += nodes.stream().filter(node -> !now.isr().contains(node)).count();
        missing += now.learners().stream().filter(node -> !nodes.contains(node)).count();
      }
    }
    return missing;
  }

  /** Rounds of copies, two topologies each, of the node that has most of them. */
  private int stepsOfCopies() {
    Map<NodeId, Integer> copies = new HashMap<>();
    List<List<NodeId>> wanted = able().isEmpty() ? List.of() : wanted();
    for (int i = 0; i < wanted.size(); i++) {
      NodeId primary = owners(i).primary();
      for (NodeId node : wanted.get(i)) {
        if (primary != null && !owners(i).isr().contains(node)) {
          copies.merge(node, 1, Integer::sum);
          copies.merge(new NodeId(1, primary.low()), 1, Integer::sum);
        }
      }
    }
    int most = copies.values().stream().mapToInt(count -> count).max().orElse(0);
    return 4 * ((most + copyingMax - 1) / copyingMax) + 2 * owners;
  }

  private void checkWanted() {
    assertEquals(null, plan().next());
    if (able().isEmpty()) {
      return;
    }
    List<List<NodeId>> wanted = wanted();
    for (int i = 0; i < wanted.size(); i++) {
      SegmentOwners now = owners(i);
      if (!now.isOffline()) {
        assertEquals(Set.copyOf(wanted.get(i)), Set.copyOf(now.isr()));
        assertEquals(wanted.get(i).getFirst(), now.primary());
      }
    }
    leaving.forEach(node -> assertEquals(null, topology.member(node), "has not left"));
  }
}
