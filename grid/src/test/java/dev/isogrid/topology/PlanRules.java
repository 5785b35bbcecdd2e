package dev.isogrid.topology;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for each topology and the one before it. */
final class PlanRules {
  private final Topology before;
  private final Topology next;
  private final Facts facts;
  private final int copies;
  private final Set<NodeId> present = new HashSet<>();

  private PlanRules(Topology before, Topology next, Facts facts, int owners) {
    this.before = before;
    this.next = next;
    this.facts = facts;
    before.members().forEach(member -> present.add(member.id()));
    present.retainAll(facts.alive());
    facts.joining().forEach(member -> present.add(member.id()));
    long able =
        next.members().stream()
            .filter(one -> one.capacity() > 0 && !facts.leaving().contains(one.id()))
            .count();
    this.copies = (int) Math.min(owners, able);
  }

  static void check(PlayedCluster cluster, Topology next, Set<Integer> released) {
    Topology before = cluster.topology();
    assertEquals(before.epoch() + 1, next.epoch());
    assertTrue(next.canFollow(before));
    PlanRules rules = new PlanRules(before, next, cluster.facts(), cluster.owners);
    for (int i = 0; i < before.segments().size(); i++) {
      rules.checkOwners(i, released.contains(i));
    }
    rules.checkCopying(cluster.copyingMax);
    rules.checkMembers();
    rules.checkVoters();
  }

  private void checkOwners(int segment, boolean isReleased) {
    SegmentOwners was = before.segments().get(segment);
    SegmentOwners is = next.segments().get(segment);
    String both = segment + ": " + was + " -> " + is;
    Set<NodeId> survivors = new HashSet<>(was.isr());
    survivors.retainAll(present);
    if (is.restarts() != was.restarts() && isOfNewCaches(segment)) {
      checkRestart(was, is, was.isOffline() || survivors.isEmpty(), both);
      return;
    }
    assertFalse(is.isOffline() && isOfNewCaches(segment), both);
    if (was.isOffline()) {
      boolean isUnknown = survivors.stream().anyMatch(one -> facts.hasCopy(segment, one) == null);
      survivors.removeIf(node -> !Boolean.TRUE.equals(facts.hasCopy(segment, node)));
      if (isUnknown && survivors.isEmpty()) {
        assertEquals(was, is);
        return;
      }
    }
    if (survivors.isEmpty() && !is.isOffline() && is.restarts() == was.restarts()) {
      checkReturn(segment, was, is, both);
      return;
    }
    if (is.restarts() != was.restarts() || isGivenUp(segment, was, survivors)) {
      checkRestart(was, is, isGivenUp(segment, was, survivors), both);
      return;
    }
    assertEquals(survivors.isEmpty(), is.isOffline(), both);
    if (is.isOffline()) {
      assertEquals(Set.copyOf(was.isr()), Set.copyOf(is.isr()), both);
      assertEquals(
          was.primary() == null ? was.isr().getFirst() : was.primary(), is.isr().getFirst(), both);
      assertTrue(is.learners().isEmpty(), both);
    } else {
      NodeId primary = requireNonNull(is.primary());
      assertTrue(survivors.contains(primary), both);
      assertTrue(present.containsAll(is.isr()), both);
      assertTrue(present.containsAll(is.learners()), both);
      survivors.removeIf(node -> facts.broken().contains(new Link(primary, node)));
      if (!is.isr().containsAll(survivors)) {
        long staying = is.isr().stream().filter(one -> !facts.leaving().contains(one)).count();
        assertTrue(copies > 0 && staying >= copies, both);
      }
      for (NodeId node : was.isr()) {
        boolean isDropped = present.contains(node) && !is.isr().contains(node);
        boolean mayGo =
            facts.hasReleased(segment, node)
                || facts.overdue().contains(new Link(primary, node))
                || (was.isOffline() && !survivors.contains(node));
        assertTrue(!isDropped || mayGo, both);
      }
      for (NodeId node : is.isr()) {
        boolean isNew = !was.isr().contains(node);
        assertTrue(!isNew || node.equals(facts.caughtUp().get(segment)), both);
      }
      boolean changesAlive =
          was.primary() != null
              && survivors.contains(was.primary())
              && !was.primary().equals(is.primary());
      assertTrue(!changesAlive || isReleased, both);
    }
    checkSegEpoch(was, is, isReleased, both);
  }

  /** A segment that was offline is continued by members that have it on their disks. */
  private void checkReturn(int segment, SegmentOwners was, SegmentOwners is, String both) {
    assertTrue(was.isOffline(), both);
    Map<NodeId, DiskCopy> disks = requireNonNull(facts.disks().get(segment), both);
    Set<NodeId> wanted = new HashSet<>(was.isr());
    was.isr().stream()
        .filter(disks::containsKey)
        .forEach(former -> wanted.addAll(requireNonNull(disks.get(former)).predecessors()));
    Set<NodeId> able = new HashSet<>();
    disks.forEach((former, copy) -> {
      if (wanted.contains(former) || copy.lives().stream().anyMatch(wanted::contains)) {
        able.add(copy.node());
      }
    });
    able.retainAll(present);
    assertTrue(able.containsAll(is.isr()), both);
    assertTrue(is.learners().stream().noneMatch(is.isr()::contains), both);
  }

  /** Whether a segment has caches, and none that it had before. */
  private boolean isOfNewCaches(int segment) {
    int group = next.groups().indexOf(next.groupOf(segment));
    return next.hasCaches(group)
        && next.caches().stream()
            .allMatch(cache -> cache.group() != group || before.cache(cache.id()) == null);
  }

  private boolean isGivenUp(int segment, SegmentOwners was, Set<NodeId> survivors) {
    boolean isOfGroup = segment < before.groups().getFirst().segmentCount();
    int inEpoch = isOfGroup ? facts.restarting().getOrDefault(0, 0) : 0;
    return survivors.isEmpty() && was.isOffline() && was.segEpoch() <= inEpoch && copies > 0;
  }

  private void checkRestart(SegmentOwners was, SegmentOwners is, boolean isGivenUp, String both) {
    NodeId primary = is.primary();
    assertTrue(isGivenUp, both);
    assertEquals(was.restarts() + 1, is.restarts(), both);
    assertEquals(next.epoch(), is.segEpoch(), both);
    assertTrue(primary != null && present.contains(primary), both);
    assertEquals(List.of(primary), is.isr(), both);
    assertFalse(facts.leaving().contains(primary), both);
    assertTrue(requireNonNull(next.member(primary)).capacity() > 0, both);
  }

  private void checkSegEpoch(SegmentOwners was, SegmentOwners is, boolean released, String both) {
    boolean isGivenUp = was.learners().stream().anyMatch(node -> !is.involves(node));
    boolean isChanged =
        released || isGivenUp || !was.isr().equals(is.isr()) || !same(was.primary(), is.primary());
    assertEquals(isChanged ? next.epoch() : was.segEpoch(), is.segEpoch(), both);
  }

  private static boolean same(@Nullable Object one, @Nullable Object other) {
    return one == null ? other == null : one.equals(other);
  }

  private void checkCopying(int copyingMax) {
    Map<NodeId, Integer> receiving = new HashMap<>();
    for (SegmentOwners segment : next.segments()) {
      assertTrue(segment.learners().size() <= 1, segment.toString());
      segment.learners().forEach(node -> receiving.merge(node, 1, Integer::sum));
    }
    receiving.values().forEach(count -> assertTrue(count <= copyingMax, receiving.toString()));
  }

  private void checkMembers() {
    Set<NodeId> owning = new HashSet<>();
    for (int i = 0; i < next.segments().size(); i++) {
      SegmentOwners is = next.segments().get(i);
      int segment = i;
      is.isr().stream()
          .filter(one -> !is.isOffline() || !Boolean.FALSE.equals(facts.hasCopy(segment, one)))
          .forEach(owning::add);
    }
    for (NodeId node : present) {
      boolean mayGo = facts.leaving().contains(node) && !owning.contains(node);
      assertTrue(next.member(node) != null || mayGo, node + " is missing: " + next);
    }
    next.members().forEach(member -> assertTrue(present.contains(member.id())));
  }

  private void checkVoters() {
    List<NodeId> voters = next.voters();
    Set<NodeId> able = new HashSet<>();
    next.members().forEach(member -> able.add(member.id()));
    able.removeAll(facts.leaving());
    if (able.isEmpty()) {
      next.members().forEach(member -> able.add(member.id()));
    }
    assertTrue(able.containsAll(voters), next.toString());
    assertEquals(Math.min(Topology.VOTERS_MAX, (able.size() - 1) / 2 * 2 + 1), voters.size());
    Set<NodeId> kept = new HashSet<>(before.voters());
    kept.retainAll(able);
    Set<NodeId> keptNow = new HashSet<>(kept);
    keptNow.retainAll(voters);
    assertEquals(Math.min(kept.size(), voters.size()), keptNow.size(), "changes too many");
    assertFalse(voters.isEmpty());
    int at = -1;
    for (NodeId voter : voters) {
      int index = next.members().indexOf(next.member(voter));
      assertTrue(index > at, "not by age: " + next);
      at = index;
    }
  }
}
