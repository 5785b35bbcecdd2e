package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One step of all segments towards their wanted owners, used once. */
final class PlanStep {
  /*
   * A replica that gave a segment up by itself loses it in a step of its own, apart from nodes that
   * did not and whose leases must end first: else it would be without a lease meanwhile, for its
   * other segments, too.
   *
   * A segment that is offline goes on with the replicas that say that they have their copies. One
   * that says that it has none counts as absent: it gave its copy up in a later topology, which a
   * recovery of the majority has replaced by an older one.
   */
  private final Topology current;
  private final Facts facts;
  private final List<List<NodeId>> wanted;
  private final boolean promotesInSync;

  /** By segment, whether its group is paused. */
  private final boolean[] isPaused;

  /** By segment, the epoch in which it must have been offline to be begun anew; 0 for none. */
  private final int[] restartedIfOffline;

  private final Set<NodeId> present = new HashSet<>();
  private final Set<Integer> released = new HashSet<>();
  private final Map<Integer, Set<NodeId>> drain = new HashMap<>();
  private final Map<NodeId, Integer> receiving = new HashMap<>();
  private final Map<NodeId, Integer> sending = new HashMap<>();

  /**
   * Prepares a step.
   *
   * @param members those that are there
   * @param wanted by segment, the wanted owners, the primary first; none if the present ones stay
   * @param pauses whose rebalancing is held back
   * @param promotesInSync false to break the rule that a primary was in sync
   */
  PlanStep( // tidy: what a plan is made of
      Topology current,
      Facts facts,
      List<Member> members,
      List<List<NodeId>> wanted,
      Pauses pauses,
      boolean promotesInSync) {
    this.current = current;
    this.facts = facts;
    this.wanted = wanted;
    this.promotesInSync = promotesInSync;
    members.forEach(member -> present.add(member.id()));
    this.isPaused = new boolean[current.segments().size()];
    this.restartedIfOffline = new int[isPaused.length];
    for (int group = 0; group < current.groups().size(); group++) {
      int first = current.firstSegment(group);
      int end = first + current.groups().get(group).segmentCount();
      Arrays.fill(isPaused, first, end, pauses.holds(group));
      Arrays.fill(restartedIfOffline, first, end, facts.restarting().getOrDefault(group, 0));
    }
  }

  /** Whether a segment stays as it is for now, though others should own it. */
  private boolean isHeld(int index, SegmentOwners owners) {
    return isPaused[index] && owners.isr().stream().noneMatch(facts.leaving()::contains);
  }

  /** The segments that all whom the step takes them from have given up. */
  Set<Integer> released() {
    return released;
  }

  /** By segment, the replicas that are to give it up. */
  Map<Integer, Set<NodeId>> drain() {
    return drain;
  }

  /**
   * The owners of all segments after the step.
   *
   * @param copyingMax copies that a node receives at once, and that it sends
   */
  List<SegmentOwners> next(int copyingMax) {
    List<SegmentOwners> segments = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      SegmentOwners next = next(i, current.segments().get(i), wanted.get(i));
      segments.add(next);
      next.learners().forEach(node -> countCopy(next.primary(), node));
    }
    IntStream.range(0, segments.size())
        .boxed()
        .sorted(Comparator.comparingInt(i -> segments.get(i).isr().size()))
        .filter(i -> !isHeld(i, segments.get(i)))
        .forEach(i -> segments.set(i, withLearner(segments.get(i), wanted.get(i), copyingMax)));
    return segments;
  }

  private SegmentOwners next(int index, SegmentOwners now, List<NodeId> wanted) {
    List<NodeId> isr = new ArrayList<>(now.isr());
    isr.retainAll(present);
    if (now.isOffline()) {
      isr.removeIf(node -> Boolean.FALSE.equals(facts.hasCopy(index, node)));
      boolean isWaiting = !isr.isEmpty();
      isr.removeIf(node -> facts.hasCopy(index, node) == null);
      if (isWaiting && isr.isEmpty()) {
        return now;
      }
    }
    if (isr.isEmpty()) {
      return withoutReplicas(index, now, wanted);
    }
    NodeId primary = primary(index, now, isr, wanted);
    isr.removeIf(node -> isOutOfReach(primary, node) && mayDrop(index, new Link(primary, node)));
    List<NodeId> learners = new ArrayList<>(now.learners());
    boolean lacksCopies = isr.size() < wanted.size();
    learners.removeIf(node -> isGivenUp(node, wanted, lacksCopies) || isOutOfReach(primary, node));
    learners.remove(primary);
    NodeId caughtUp = facts.caughtUp().get(index);
    if (caughtUp != null && learners.remove(caughtUp)) {
      isr.add(caughtUp);
    }
    boolean isWhole = isr.containsAll(now.isr());
    if (isWhole && !wanted.isEmpty() && now.isr().containsAll(wanted)) {
      isr.removeIf(node -> !node.equals(primary) && !wanted.contains(node) && mayDrop(index, node));
    }
    boolean hasGivenUp = now.primary() != null && facts.hasReleased(index, now.primary());
    boolean isChanged =
        hasGivenUp
            || !isr.equals(now.isr())
            || !primary.equals(now.primary())
            || !learners.equals(now.learners());
    if (isChanged) {
      SegmentOwners next = now.next(current.epoch() + 1, primary, isr, learners);
      List<NodeId> losers = now.losers(next);
      boolean isTaken = hasGivenUp || !losers.isEmpty();
      if (isTaken && losers.stream().allMatch(node -> facts.hasReleased(index, node))) {
        released.add(index);
      }
      return next;
    }
    boolean isSettled = learners.isEmpty() && isr.containsAll(wanted);
    if (isSettled
        && !isHeld(index, now)
        && !wanted.isEmpty()
        && !wanted.getFirst().equals(primary)) {
      drain(index, primary);
    }
    return now;
  }

  /** The next state of a segment without any present in-sync replica that has its copy. */
  private SegmentOwners withoutReplicas(int index, SegmentOwners now, List<NodeId> wanted) {
    boolean isGivenUp = now.isOfflineSince(restartedIfOffline[index]);
    SegmentOwners fromDisks = now.isOffline() ? fromDisks(index, now, isGivenUp) : null;
    if (fromDisks != null) {
      return fromDisks;
    }
    if (isGivenUp && now.restarts() < SegmentOwners.RESTARTS_MAX && !wanted.isEmpty()) {
      return now.restarted(current.epoch() + 1, wanted.getFirst());
    }
    return now.isOffline() && now.learners().isEmpty() ? now : now.offline(current.epoch() + 1);
  }

  /**
   * Lets disks of returned members continue a segment that is offline: all of its in-sync replicas
   * have to be back, since any of them may have the last writes, and their predecessors, unless
   * these live.
   *
   * @param isGivenUp whether to do without those that are not
   * @return null if it stays offline
   */
  private @Nullable SegmentOwners fromDisks(int index, SegmentOwners now, boolean isGivenUp) {
    Map<NodeId, DiskCopy> copies = new HashMap<>(facts.disks().getOrDefault(index, Map.of()));
    copies.values().removeIf(copy -> !present.contains(copy.node()));
    boolean mayContinue =
        isGivenUp
            || DiskCopies.needed(now, copies).stream()
                .allMatch(former -> isThere(now, former, copies));
    return mayContinue ? DiskCopies.owners(now, copies, current.epoch() + 1) : null;
  }

  private boolean isThere(SegmentOwners now, NodeId former, Map<NodeId, DiskCopy> copies) {
    return now.isr().contains(former)
        ? copies.containsKey(former)
        : present.contains(former) || DiskCopies.find(former, copies) != null;
  }

  /** Whether a replica that is not needed can go; if not, it is asked to give the segment up. */
  private boolean mayDrop(int index, NodeId node) {
    boolean isReleased = facts.hasReleased(index, node);
    if (!isReleased) {
      drain(index, node);
    }
    return isReleased;
  }

  /** The same for one that its primary does not reach, and that perhaps nobody does. */
  private boolean mayDrop(int index, Link link) {
    boolean isMoving = !link.from().equals(current.segments().get(index).primary());
    return mayDrop(index, link.to()) || (!isMoving && facts.overdue().contains(link));
  }

  private void drain(int index, NodeId node) {
    drain.computeIfAbsent(index, _ -> new HashSet<>()).add(node);
  }

  private boolean isOutOfReach(NodeId primary, NodeId node) {
    return !node.equals(primary) && facts.broken().contains(new Link(primary, node));
  }

  private boolean isGivenUp(NodeId learner, List<NodeId> wanted, boolean lacksCopies) {
    boolean stays = present.contains(learner) && !facts.leaving().contains(learner);
    return !stays || (!lacksCopies && !wanted.contains(learner));
  }

  private NodeId primary(int index, SegmentOwners now, List<NodeId> isr, List<NodeId> wanted) {
    NodeId primary = now.primary();
    if (primary == null || !isr.contains(primary)) {
      return promotesInSync ? best(isr, wanted) : anybody(isr, wanted);
    }
    if (facts.hasReleased(index, primary)) {
      boolean isWhole = isr.size() == now.isr().size();
      boolean canFollow = isWhole && !wanted.isEmpty() && isr.contains(wanted.getFirst());
      return canFollow ? wanted.getFirst() : primary;
    }
    return primary;
  }

  private static NodeId best(List<NodeId> isr, List<NodeId> wanted) {
    return wanted.stream().filter(isr::contains).findFirst().orElse(isr.getFirst());
  }

  private static NodeId anybody(List<NodeId> isr, List<NodeId> wanted) {
    NodeId node = wanted.isEmpty() ? isr.getFirst() : wanted.getLast();
    if (!isr.contains(node)) {
      isr.add(node);
    }
    return node;
  }

  /** Names a learner where a copy is missing and its way is free. */
  private SegmentOwners withLearner(SegmentOwners next, List<NodeId> wanted, int copyingMax) {
    NodeId primary = next.primary();
    if (primary == null
        || !next.learners().isEmpty()
        || sending.getOrDefault(primary, 0) >= copyingMax) {
      return next;
    }
    for (NodeId node : wanted) {
      boolean hasRoom = receiving.getOrDefault(node, 0) < copyingMax;
      if (!next.isr().contains(node) && hasRoom && !isOutOfReach(primary, node)) {
        countCopy(primary, node);
        return next.next(next.segEpoch(), primary, next.isr(), List.of(node));
      }
    }
    return next;
  }

  private void countCopy(@Nullable NodeId from, NodeId to) {
    if (from != null) {
      sending.merge(from, 1, Integer::sum);
    }
    receiving.merge(to, 1, Integer::sum);
  }
}
