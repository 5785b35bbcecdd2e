package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Plans the next topology from the current one and what is known of the nodes. Pure. */
public final class Planner {
  /*
   * One step at a time, each a topology of its own: who is gone goes out of the in-sync replicas,
   * and one of the others becomes primary; a learner that caught up goes in; a primary that gave
   * its segment up is followed by another one; copies that are not wanted any more are dropped, and
   * where copies are missing, learners are named. Only the first needs the old primary's lease to
   * be over.
   *
   * A segment epoch is the epoch in which primary or in-sync replicas change. Giving up a learner
   * changes it too: its primary may have asked to add it, and such a request must not count later.
   */

  /** Copies that one node receives at once. */
  private static final int LEARNING_MAX = 2;

  private final int owners;
  private final boolean promotesInSync;

  /**
   * Plans for caches of a number of copies.
   *
   * @param owners 1 or more
   */
  public Planner(int owners) {
    this(owners, true);
  }

  /**
   * The same, or against the rules.
   *
   * @param promotesInSync false to simulate what happens if any node becomes primary
   */
  public Planner(int owners, boolean promotesInSync) {
    this.owners = owners;
    this.promotesInSync = promotesInSync;
  }

  /** Plans what is to come after a topology. */
  public Plan plan(Topology current, Facts facts) {
    int epoch = current.epoch() + 1;
    List<Member> members = members(current, facts, epoch);
    if (members.isEmpty()) {
      return new Plan(null, Set.of(), Set.of());
    }
    List<Member> staying =
        members.stream().filter(member -> !facts.leaving().contains(member.id())).toList();
    List<List<NodeId>> wanted = Placement.wanted(current.segments(), staying, owners);
    Step step = new Step(current, facts, members, epoch, promotesInSync);
    List<SegmentOwners> segments = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      segments.add(step.next(i, wanted.get(i)));
    }
    members = withoutGone(members, facts, segments);
    List<NodeId> voters = voters(current, members, facts);
    boolean isSame =
        members.equals(current.members())
            && voters.equals(current.voters())
            && segments.equals(current.segments());
    Topology next = isSame ? null : new Topology(epoch, members, voters, segments);
    return new Plan(next, next == null ? Set.of() : step.released, step.drain);
  }

  private static List<Member> members(Topology current, Facts facts, int epoch) {
    List<Member> members = new ArrayList<>();
    for (Member member : current.members()) {
      if (facts.alive().contains(member.id())) {
        members.add(member);
      }
    }
    for (Member joining : facts.joining()) {
      boolean isIn = members.stream().anyMatch(member -> member.id().equals(joining.id()));
      if (!isIn) {
        members.add(new Member(joining.id(), epoch, joining.capacity(), joining.zone()));
      }
    }
    return members;
  }

  /** A member that wants to go goes when it owns nothing any more. */
  private static List<Member> withoutGone(
      List<Member> members, Facts facts, List<SegmentOwners> segments) {
    Set<NodeId> owning = new HashSet<>();
    segments.forEach(segment -> owning.addAll(segment.isr()));
    List<Member> rest =
        members.stream()
            .filter(
                member -> !facts.leaving().contains(member.id()) || owning.contains(member.id()))
            .toList();
    return rest.isEmpty() ? members : rest;
  }

  /** The oldest members: as many as there are, if that is odd, up to the most. */
  private static List<NodeId> voters(Topology current, List<Member> members, Facts facts) {
    List<NodeId> voters = new ArrayList<>();
    List<NodeId> able =
        members.stream()
            .map(Member::id)
            .filter(node -> !facts.leaving().contains(node) || members.size() == 1)
            .toList();
    if (able.isEmpty()) {
      return current.voters();
    }
    int count = Math.min(Topology.VOTERS_MAX, able.size() - 1 + able.size() % 2);
    for (NodeId voter : current.voters()) {
      if (able.contains(voter) && voters.size() < count) {
        voters.add(voter);
      }
    }
    for (NodeId node : able) {
      if (!voters.contains(node) && voters.size() < count) {
        voters.add(node);
      }
    }
    return voters;
  }

  /** One step of all segments. */
  private static final class Step {
    private final Facts facts;
    private final Topology current;
    private final Set<NodeId> present = new HashSet<>();
    private final int epoch;
    private final boolean promotesInSync;
    private final Set<Integer> released = new HashSet<>();
    private final Set<Integer> drain = new HashSet<>();
    private final Map<NodeId, Integer> learning = new HashMap<>();

    Step(Topology current, Facts facts, List<Member> members, int epoch, boolean promotesInSync) {
      this.promotesInSync = promotesInSync;
      this.current = current;
      this.facts = facts;
      this.epoch = epoch;
      members.forEach(member -> present.add(member.id()));
      for (SegmentOwners segment : current.segments()) {
        segment.learners().forEach(node -> learning.merge(node, 1, Integer::sum));
      }
    }

    SegmentOwners next(int index, List<NodeId> wanted) {
      SegmentOwners now = current.segments().get(index);
      List<NodeId> isr = new ArrayList<>(now.isr());
      isr.removeIf(node -> !present.contains(node));
      if (isr.isEmpty()) {
        return now.isOffline() && now.learners().isEmpty()
            ? now
            : new SegmentOwners(epoch, null, now.isr(), List.of());
      }
      List<NodeId> learners = new ArrayList<>(now.learners());
      learners.removeIf(node -> !present.contains(node));
      NodeId caughtUp = facts.caughtUp().get(index);
      if (caughtUp != null && learners.remove(caughtUp)) {
        isr.add(caughtUp);
      }
      NodeId primary = primary(index, now, isr, wanted);
      isr.removeIf(node -> isSurplus(node, primary, now, isr, wanted));
      if (isr.equals(now.isr()) && primary.equals(now.primary())) {
        nameLearner(isr, learners, wanted);
      }
      boolean isChanged =
          released.contains(index)
              || !isr.equals(now.isr())
              || !primary.equals(now.primary())
              || !learners.containsAll(now.learners());
      return new SegmentOwners(isChanged ? epoch : now.segEpoch(), primary, isr, learners);
    }

    private NodeId primary(int index, SegmentOwners now, List<NodeId> isr, List<NodeId> wanted) {
      NodeId primary = now.primary();
      NodeId best = bestOf(isr, wanted);
      if (primary == null || !isr.contains(primary)) {
        return promotesInSync ? best : anybody(isr, wanted);
      }
      if (facts.released().contains(index)) {
        released.add(index);
        return best;
      }
      if (!best.equals(primary) && now.learners().isEmpty()) {
        drain.add(index);
      }
      return primary;
    }

    private static NodeId bestOf(List<NodeId> isr, List<NodeId> wanted) {
      for (NodeId node : wanted) {
        if (isr.contains(node)) {
          return node;
        }
      }
      return isr.getFirst();
    }

    private NodeId anybody(List<NodeId> isr, List<NodeId> wanted) {
      NodeId node = wanted.getLast();
      if (!isr.contains(node)) {
        isr.add(node);
      }
      return node;
    }

    /** Whether a copy can go: it is not wanted, and all wanted ones are there. */
    private static boolean isSurplus(
        NodeId node, NodeId primary, SegmentOwners now, List<NodeId> isr, List<NodeId> wanted) {
      return !node.equals(primary)
          && !wanted.contains(node)
          && now.isr().containsAll(wanted)
          && isr.containsAll(wanted);
    }

    private void nameLearner(List<NodeId> isr, List<NodeId> learners, List<NodeId> wanted) {
      if (!learners.isEmpty()) {
        return;
      }
      for (NodeId node : wanted) {
        int count = learning.getOrDefault(node, 0);
        if (!isr.contains(node) && count < LEARNING_MAX) {
          learning.put(node, count + 1);
          learners.add(node);
          return;
        }
      }
    }
  }

  /**
   * The topology that a cluster begins with.
   *
   * @param members all of them, with epoch 1
   * @param segmentCount 1 or more
   */
  public Topology first(List<Member> members, int segmentCount) {
    SegmentOwners nobody = new SegmentOwners(1, null, List.of(new NodeId(0, 0)), List.of());
    List<SegmentOwners> unowned = Collections.nCopies(segmentCount, nobody);
    List<SegmentOwners> segments = new ArrayList<>();
    for (List<NodeId> wanted : Placement.wanted(unowned, members, owners)) {
      segments.add(new SegmentOwners(1, wanted.getFirst(), wanted, List.of()));
    }
    int voters = Math.min(Topology.VOTERS_MAX, members.size() - 1 + members.size() % 2);
    List<NodeId> first = members.stream().map(Member::id).limit(voters).toList();
    return new Topology(1, members, first, segments);
  }
}
