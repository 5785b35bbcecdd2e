package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Plans the next topology from the current one and what is known of the nodes. Pure. */
public final class Planner {
  /*
   * One step at a time, each a topology of its own, in which any number of segments make one step.
   * A segment's way from its owners to the wanted ones, A being its primary and C to follow it:
   *
   *   [A B]  ->  [A B] + C  ->  [A B C]  ->  (A gives it up)  ->  [C B]
   *
   * A dead node is removed from the in-sync replicas, and one of the others becomes primary. A
   * learner that caught up is added. Another replica follows a primary that gave its segment up.
   * Unwanted copies are dropped, but only when all wanted ones are in sync. If copies are missing,
   * learners are named, first for the segments with the fewest copies. Only the first of these
   * needs the old primary's lease to be over.
   *
   * A segment epoch is the epoch in which primary or in-sync replicas change. Giving up a learner
   * changes it too: its primary may have asked to add it, and such a request must not count later.
   * A learner begins anew with each segment epoch, so a segment has one at a time.
   *
   * A replica whose primary gets no answers from it is removed from the in-sync replicas like a
   * dead one, although voters hear it: else nothing is committed while the two are cut off from
   * each other. It gets a copy later, like a node that comes back.
   *
   * A segment without any present in-sync replica that has its copy waits for one of them, unless
   * an operator gave it up: then it restarts without entries at its first wanted owner. That
   * applies to segments that were offline in the epoch that the operator knew and have been since,
   * so it never takes a segment from a member that has it.
   *
   * While rebalancing is paused, no learner is named and no primary is asked to give its segment
   * up, unless one of the segment's replicas belongs to a member that leaves. Everything else
   * continues: existing learners are added, dead nodes are replaced, surplus copies are dropped.
   *
   * An unwanted learner continues while its segment lacks copies: a late copy is better than a new
   * beginning. A leaving one is given up at once.
   *
   * If no member may own a segment (all leave, or have no capacity) the present owners stay: a
   * member that leaves goes when others have its copies, so the last one never does.
   *
   * It ends: Placement explains why the wanted owners stay wanted during the steps of a plan. Each
   * step begins a copy, adds it, drops one, or puts a wanted primary in its place.
   */

  /**
   * Copies that one node receives at once, and that it sends as a primary. Each is a window of
   * memory at both ends; more of them hide the way there and back and the time that each topology
   * takes, and slow the node's other work down.
   */
  private static final int COPYING_MAX = 32;

  private final int copyingMax;
  private final boolean promotesInSync;

  /** Plans as the rules say. */
  public Planner() {
    this(COPYING_MAX, true);
  }

  /**
   * The same, or against the rules.
   *
   * @param promotesInSync false to simulate what happens if any node becomes primary
   */
  public Planner(boolean promotesInSync) {
    this(COPYING_MAX, promotesInSync);
  }

  /**
   * The same with another limit.
   *
   * @param copyingMax copies that a node receives at once, and that it sends; 1 or more
   */
  Planner(int copyingMax, boolean promotesInSync) {
    this.copyingMax = copyingMax;
    this.promotesInSync = promotesInSync;
  }

  /**
   * Plans the topology after a given one. The wanted owners are computed anew each time, which
   * takes about a millisecond for 256 segments on 100 members.
   */
  public Plan plan(Topology current, Facts facts) {
    int epoch = current.epoch() + 1;
    List<Member> members = members(current, facts, epoch);
    if (members.isEmpty()) {
      return Plan.NOTHING;
    }
    List<Member> staying =
        members.stream().filter(member -> !facts.leaving().contains(member.id())).toList();
    Pauses pauses =
        current
            .pauses()
            .with(facts.pausing(), current.groups().size())
            .withSpeed(facts.copySpeed());
    PlanStep step =
        new PlanStep(current, facts, members, wanted(current, staying), pauses, promotesInSync);
    List<SegmentOwners> segments = step.next(copyingMax);
    members = withoutGone(current, members, facts, segments);
    List<NodeId> voters = voters(current, members, facts);
    Topology next = new CacheStep(current, segments, pauses).next(members, voters, staying, facts);
    boolean isSame = next.equals(current.unchanged());
    return new Plan(isSame ? null : next, isSame ? Set.of() : step.released(), step.drain());
  }

  /**
   * By segment, the copies that are missing: those that are wanted where nothing is in sync yet.
   * Costs what a plan does.
   *
   * @param leaving members that want to go
   */
  public static int[] missingCopies(Topology current, Set<NodeId> leaving) {
    List<Member> staying =
        current.members().stream().filter(member -> !leaving.contains(member.id())).toList();
    List<List<NodeId>> wanted = wanted(current, staying);
    int[] missing = new int[wanted.size()];
    for (int i = 0; i < missing.length; i++) {
      SegmentOwners now = current.segments().get(i);
      for (NodeId node : wanted.get(i)) {
        missing[i] += now.isOffline() || now.isr().contains(node) ? 0 : 1;
      }
    }
    return missing;
  }

  /** The segments that a member should own if no other one leaves. Costs what a plan does. */
  public static BitSet wantedAt(Topology current, NodeId member) {
    BitSet at = new BitSet();
    List<List<NodeId>> wanted = wanted(current, current.members());
    for (int i = 0; i < wanted.size(); i++) {
      at.set(i, wanted.get(i).contains(member));
    }
    return at;
  }

  /** The wanted owners of each segment, empty for those that stay as they are. */
  private static List<List<NodeId>> wanted(Topology current, List<Member> staying) {
    if (!Placement.isPossible(staying)) {
      return Collections.nCopies(current.segments().size(), List.of());
    }
    List<List<NodeId>> wanted = new ArrayList<>();
    for (CacheGroup group : current.groups()) {
      int first = wanted.size();
      List<SegmentOwners> now = current.segments().subList(first, first + group.segmentCount());
      wanted.addAll(Placement.wanted(now, staying, group.owners()));
    }
    return wanted;
  }

  private static List<Member> members(Topology current, Facts facts, int epoch) {
    List<Member> members = new ArrayList<>();
    for (Member member : current.members()) {
      if (facts.alive().contains(member.id())) {
        MemberProfile told = facts.told().getOrDefault(member.id(), member.profile());
        members.add(member.telling(told, epoch));
      }
    }
    for (Member joining : facts.joining()) {
      boolean isIn = members.stream().anyMatch(member -> member.id().equals(joining.id()));
      if (!isIn) {
        members.add(new Member(joining.id(), epoch, joining.profile()));
      }
    }
    return members;
  }

  /**
   * A member that wants to go goes when it has owned nothing since the topology before: it knows
   * that then, and gave its lease up, so that nobody waits for that.
   */
  private static List<Member> withoutGone(
      Topology current, List<Member> members, Facts facts, List<SegmentOwners> segments) {
    Set<NodeId> owning = new HashSet<>();
    for (int i = 0; i < segments.size(); i++) {
      SegmentOwners next = segments.get(i);
      for (NodeId node : next.isr()) {
        if (!next.isOffline() || !Boolean.FALSE.equals(facts.hasCopy(i, node))) {
          owning.add(node);
        }
      }
    }
    current.segments().stream()
        .filter(segment -> !segment.isOffline())
        .forEach(segment -> owning.addAll(segment.isr()));
    List<Member> rest =
        members.stream()
            .filter(
                member -> !facts.leaving().contains(member.id()) || owning.contains(member.id()))
            .toList();
    return rest.isEmpty() ? members : rest;
  }

  /**
   * The voters of the next decision: the present voters, and the oldest other members in place of
   * dead voters. Leaving members vote only if there are no others.
   */
  private static List<NodeId> voters(Topology current, List<Member> members, Facts facts) {
    List<NodeId> staying =
        members.stream().map(Member::id).filter(node -> !facts.leaving().contains(node)).toList();
    List<NodeId> able = staying.isEmpty() ? members.stream().map(Member::id).toList() : staying;
    return voters(able, new HashSet<>(current.voters()));
  }

  /** As many of some nodes as is of use, those first that were voters before. */
  static List<NodeId> voters(List<NodeId> able, Set<NodeId> before) {
    int count = voterCount(able.size());
    Set<NodeId> voters = new HashSet<>();
    for (boolean isVoter : new boolean[] {true, false}) {
      for (NodeId node : able) {
        if (voters.size() < count && before.contains(node) == isVoter) {
          voters.add(node);
        }
      }
    }
    return able.stream().filter(voters::contains).toList();
  }

  /** As many as there are, if that is odd, up to the most. */
  private static int voterCount(int members) {
    return Math.min(Topology.VOTERS_MAX, members - 1 + members % 2);
  }

  /**
   * The topology that a cluster begins with. It has no caches.
   *
   * @param members all of them, with epoch 1
   * @param groups what its caches will need; may be empty, since each cache adds what it needs
   * @throws IllegalArgumentException if there are groups and no member has a capacity above 0
   */
  public static Topology first(List<Member> members, List<CacheGroup> groups) {
    List<SegmentOwners> segments = new ArrayList<>();
    groups.forEach(group -> segments.addAll(CacheStep.owned(group, 1, members)));
    List<NodeId> voters =
        members.stream().map(Member::id).limit(voterCount(members.size())).toList();
    return new Topology(1, members, voters, groups, segments, List.of(), 0);
  }
}
