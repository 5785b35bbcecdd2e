package dev.isogrid.topology;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final int RANDOM_CLUSTERS = 50;
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);

  private static PlayedCluster cluster(int size, int segments, int owners) {
    return new PlayedCluster(new Random(1), size, segments, owners, 8);
  }

  @Test
  void plan_whenNothingHappened_isNothing() {
    Plan plan = cluster(5, 64, 2).plan();

    assertNull(plan.next());
    assertTrue(plan.drain().isEmpty());
  }

  @Test
  void first_ofNoCapacity_isRefused() {
    List<Member> members = List.of(new Member(A, 1, MemberProfile.ofCapacity(0)));
    List<CacheGroup> groups = List.of(new CacheGroup(2, 8));

    assertThrows(IllegalArgumentException.class, () -> Planner.first(members, groups));
  }

  @Test
  void plan_whenPrimaryIsGone_promotesReplicaAndBeginsCopyAtOnce() {
    PlayedCluster cluster = cluster(3, 1, 2);
    SegmentOwners was = cluster.topology().segments().getFirst();
    cluster.crash(requireNonNull(was.primary()));

    cluster.step(0);

    SegmentOwners is = cluster.topology().segments().getFirst();
    assertEquals(was.isr().getLast(), is.primary());
    assertEquals(List.of(is.primary()), is.isr());
    assertEquals(1, is.learners().size());
    assertEquals(2, is.segEpoch());
  }

  @Test
  void plan_whenAllReplicasAreGone_waitsForOneOfThem() {
    PlayedCluster cluster = cluster(4, 16, 2);
    SegmentOwners was = cluster.topology().segments().getFirst();
    was.isr().forEach(cluster::crash);

    cluster.converge();
    assertTrue(cluster.topology().segments().getFirst().isOffline());
    assertEquals(was.isr(), cluster.topology().segments().getFirst().isr());

    cluster.comeBack(was.isr().getLast());
    cluster.step(0);
    assertEquals(was.isr().getLast(), cluster.topology().segments().getFirst().primary());
    cluster.converge();
    assertEquals(2, cluster.topology().segments().getFirst().isr().size());
  }

  @Test
  void plan_whenMemberLeaves_keepsItUntilOthersHaveItsCopies() {
    PlayedCluster cluster = cluster(3, 8, 2);
    cluster.leaving.add(A);

    for (int i = 0; i < 5; i++) {
      cluster.step(0);
    }
    Topology waiting = cluster.topology();
    assertTrue(waiting.segments().stream().anyMatch(segment -> segment.isr().contains(A)));
    assertFalse(waiting.voters().contains(A));
    cluster.converge();

    assertNull(cluster.topology().member(A));
  }

  @Test
  void plan_whenTheOnlyMemberLeaves_isNothing() {
    PlayedCluster cluster = cluster(1, 8, 2);
    cluster.leaving.add(A);

    assertNull(cluster.plan().next());
  }

  @Test
  void plan_whenAllMembersLeave_keepsTheirCopies() {
    PlayedCluster cluster = cluster(3, 8, 2);
    cluster.leaving.addAll(Set.of(A, B, C));

    assertNull(cluster.plan().next());
    cluster.crash(A);
    cluster.step(1);

    assertEquals(2, cluster.topology().members().size());
    assertNull(cluster.plan().next());
    cluster.join(1);
    for (int i = 0; i < 20; i++) {
      cluster.step(1);
    }
    assertEquals(1, cluster.topology().members().size());
  }

  @Test
  void plan_whenOnlyMembersWithoutCapacityStay_keepsThePresentOwners() {
    PlayedCluster cluster = cluster(2, 8, 2);
    cluster.join(0);
    cluster.converge();
    cluster.leaving.addAll(Set.of(A, B));
    for (int i = 0; i < 5; i++) {
      cluster.step(1);
    }

    assertEquals(List.of(C), cluster.topology().voters());
    cluster.topology().segments().forEach(one -> assertEquals(Set.of(A, B), Set.copyOf(one.isr())));
  }

  private static long learners(PlayedCluster cluster) {
    return cluster.topology().segments().stream().mapToLong(one -> one.learners().size()).sum();
  }

  @Test
  void plan_whilePaused_finishesCopiesAndBeginsNone() {
    PlayedCluster cluster = cluster(3, 32, 2);
    NodeId joined = cluster.join(1);
    cluster.step(0);
    long begun = cluster.copiesBegun();
    assertEquals(begun, learners(cluster));
    cluster.pausing.put(Pauses.ALL, true);
    for (int i = 0; i < 10; i++) {
      cluster.step(1);
    }

    assertEquals(new Pauses(1, true, Set.of()), cluster.topology().pauses());
    assertEquals(begun, cluster.copiesBegun());
    assertEquals(0, learners(cluster));
    assertTrue(
        cluster.topology().segments().stream().noneMatch(one -> joined.equals(one.primary())));
    assertTrue(
        Arrays.stream(Planner.missingCopies(cluster.topology(), Set.of())).anyMatch(n -> n > 0));
    cluster.pausing.put(Pauses.ALL, false);
    cluster.converge();
    assertEquals(2, cluster.topology().pauses().changes());
  }

  @Test
  void plan_whilePaused_replacesWhoIsGoneAndLetsMembersLeave() {
    PlayedCluster cluster = cluster(4, 32, 2);
    cluster.pausing.put(0, true);
    cluster.step(1);
    cluster.crash(A);
    cluster.step(1);

    assertTrue(cluster.topology().segments().stream().noneMatch(SegmentOwners::isOffline));
    assertNull(cluster.topology().member(A));
    assertEquals(0, cluster.copiesBegun());
    cluster.leaving.add(B);
    for (int i = 0; i < 20; i++) {
      cluster.step(1);
    }
    assertNull(cluster.topology().member(B));
    assertTrue(cluster.topology().segments().stream().noneMatch(SegmentOwners::isOffline));
    assertTrue(cluster.copiesBegun() > 0);
  }

  @Test
  void plan_whileAGroupIsPaused_movesTheOthers() {
    PlayedCluster cluster = cluster(2, 8, 2);
    cluster.defining.add(new CacheRequest("other", 1, 8, 1, ""));
    cluster.step(1);
    cluster.pausing.put(1, true);
    cluster.step(1);
    NodeId joined = cluster.join(1);
    for (int i = 0; i < 20; i++) {
      cluster.step(1);
    }

    List<SegmentOwners> all = cluster.topology().segments();
    assertTrue(all.subList(0, 8).stream().anyMatch(one -> one.involves(joined)));
    assertTrue(all.subList(8, 16).stream().noneMatch(one -> one.involves(joined)));
  }

  @Test
  void plan_whenOneJoins_movesManySegmentsWithEachTopology() {
    PlayedCluster cluster = cluster(10, 256, 2);
    cluster.join(1);

    int topologies = cluster.converge();

    assertEquals(256 * 2 / 11, cluster.copiesBegun());
    assertTrue(topologies <= 2 * (256 * 2 / 11 / 8 + 1) + 4, "" + topologies);
  }

  @Test
  void plan_whenReleasedInVain_goesOnInNewEpoch() {
    MemberProfile profile = MemberProfile.ofCapacity(1);
    Topology first =
        Planner.first(
            List.of(new Member(A, 1, profile), new Member(B, 1, profile)),
            List.of(new CacheGroup(2, 2)));
    Facts facts =
        new Facts(
            Set.of(A, B),
            List.of(),
            Set.of(),
            Map.of(),
            Map.of(),
            Map.of(1, Set.of(requireNonNull(first.segments().get(1).primary()))),
            List.of(),
            Set.of(),
            Map.of(),
            null,
            Map.of(),
            Set.of(),
            Set.of(),
            Map.of(),
            Map.of());

    Plan plan = new Planner().plan(first, facts);
    Topology next = requireNonNull(plan.next());

    SegmentOwners was = first.segments().get(1);
    assertEquals(new SegmentOwners(2, was.primary(), was.isr(), List.of()), next.segments().get(1));
    assertEquals(Set.of(1), plan.released());
    assertEquals(1, next.segments().getFirst().segEpoch());
  }

  @Test
  void plan_whenLearnerDies_endsTheEpochOfItsRequests() {
    PlayedCluster cluster = cluster(2, 2, 2);
    cluster.crash(B);
    NodeId learner = cluster.join(1);
    cluster.step(0);
    int segEpoch = cluster.topology().segments().getFirst().segEpoch();
    assertEquals(List.of(learner), cluster.topology().segments().getFirst().learners());
    cluster.crash(learner);
    cluster.step(0);

    assertNotEquals(segEpoch, cluster.topology().segments().getFirst().segEpoch());
    assertEquals(List.of(), cluster.topology().segments().getFirst().learners());
  }

  @Test
  void plan_whenCacheIsWanted_addsItAndLeavesTheOthersAlone() {
    PlayedCluster cluster = cluster(3, 8, 2);
    List<SegmentOwners> was = cluster.topology().segments();
    cluster.defining.add(new CacheRequest("a", 2, 8, 5, "config"));
    cluster.defining.add(new CacheRequest("b", CacheGroup.EVERY_MEMBER, 4, 6, ""));
    cluster.defining.add(new CacheRequest("a", 3, 16, 7, "the name is taken"));
    cluster.step(1);

    Topology is = cluster.topology();
    assertEquals(
        List.of(new CacheDefinition(1, "a", 0, 5, "config"), new CacheDefinition(2, "b", 1, 6, "")),
        is.caches());
    assertEquals(was, is.segments().subList(0, 8));
    for (SegmentOwners segment : is.segments().subList(8, 12)) {
      assertEquals(Set.of(A, B, C), Set.copyOf(segment.isr()));
      assertEquals(2, segment.segEpoch());
    }
    assertNull(cluster.plan().next());
  }

  @Test
  void plan_whenCacheIsNotWanted_removesItAndKeepsItsGroup() {
    PlayedCluster cluster = cluster(3, 8, 2);
    cluster.defining.add(new CacheRequest("a", 1, 4, 5, ""));
    cluster.step(1);
    List<SegmentOwners> was = cluster.topology().segments();
    cluster.defining.clear();
    cluster.removing.add(1);
    cluster.step(1);

    assertEquals(List.of(), cluster.topology().caches());
    assertEquals(was, cluster.topology().segments());
    cluster.removing.clear();
    cluster.defining.add(new CacheRequest("a", 1, 4, 5, ""));
    cluster.step(1);
    assertEquals(List.of(new CacheDefinition(2, "a", 1, 5, "")), cluster.topology().caches());
  }

  @Test
  void plan_whenNobodyCanOwn_leavesTheCacheOut() {
    PlayedCluster cluster = cluster(2, 8, 2);
    cluster.told.put(A, MemberProfile.ofCapacity(0));
    cluster.told.put(B, MemberProfile.ofCapacity(0));
    cluster.defining.add(new CacheRequest("a", 2, 8, 5, ""));
    cluster.defining.add(new CacheRequest("b", 1, 4, 5, ""));
    cluster.step(1);

    assertEquals(1, cluster.topology().caches().size());
    assertNull(cluster.plan().next());
  }

  @Test
  void plan_whenPrimaryGetsNoAnswers_doesWithoutTheReplicaUntilItIsAnswered() {
    PlayedCluster cluster = cluster(3, 1, 2);
    SegmentOwners was = cluster.topology().segments().getFirst();
    NodeId primary = requireNonNull(was.primary());
    NodeId replica = was.isr().getLast();
    cluster.broken.add(new Link(primary, replica));

    cluster.step(1);
    cluster.step(1);

    SegmentOwners is = cluster.topology().segments().getFirst();
    assertEquals(new SegmentOwners(2, primary, List.of(primary), List.of()), is);
    assertEquals(3, cluster.topology().members().size());
    cluster.broken.clear();
    cluster.converge();
    assertEquals(Set.copyOf(was.isr()), Set.copyOf(cluster.topology().segments().getFirst().isr()));
  }

  @Test
  void plan_whenReplicaOutOfReachDoesNotGiveUp_doesWithoutItWhenOverdue() {
    PlayedCluster cluster = cluster(3, 1, 2);
    SegmentOwners was = cluster.topology().segments().getFirst();
    NodeId primary = requireNonNull(was.primary());
    NodeId replica = was.isr().getLast();
    cluster.broken.add(new Link(primary, replica));
    cluster.step(0);

    assertNull(cluster.plan().next());
    assertEquals(Map.of(0, Set.of(replica)), cluster.plan().drain());
    cluster.overdue.add(new Link(primary, replica));

    Plan plan = cluster.plan();
    assertEquals(List.of(primary), requireNonNull(plan.next()).segments().getFirst().isr());
    assertTrue(plan.released().isEmpty());
    assertEquals(Set.of(replica), cluster.topology().demotedBy(plan.next(), Set.of(), true));
  }

  @Test
  void plan_whenCopyIsNotWanted_dropsItWhenItsNodeGaveItUp() {
    PlayedCluster cluster = cluster(4, 16, 2);
    NodeId joined = cluster.join(1);
    for (int i = 0; i < 100 && cluster.plan().drain().isEmpty(); i++) {
      cluster.step(1);
    }
    Map<Integer, Set<NodeId>> drained = cluster.plan().drain();
    assertFalse(drained.isEmpty());
    assertNotEquals(0, drained.values().stream().filter(nodes -> !nodes.contains(joined)).count());
    cluster.converge();
    assertTrue(cluster.topology().segments().stream().allMatch(one -> one.isr().size() == 2));
  }

  @Test
  void plan_whenReplicaGetsNoAnswersFromPrimary_leavesItsSegmentAlone() {
    PlayedCluster cluster = cluster(3, 1, 2);
    SegmentOwners was = cluster.topology().segments().getFirst();
    cluster.broken.add(new Link(was.isr().getLast(), requireNonNull(was.primary())));

    assertNull(cluster.plan().next());
  }

  @Test
  void plan_whenMemberTellsAnotherCapacity_movesItsCopies() {
    PlayedCluster cluster = cluster(4, 16, 2);
    MemberProfile profile = new MemberProfile("a", 0, "", "host:1");
    cluster.told.put(A, profile);
    cluster.converge();

    assertEquals(new Member(A, 1, 2, profile), cluster.topology().member(A));
    assertTrue(cluster.topology().segments().stream().noneMatch(one -> one.involves(A)));
  }

  @Test
  void plan_ofAnyCluster_keepsTheRulesAndEnds() {
    Seeds.run(RANDOM_CLUSTERS, PlannerTest::runHistory);
  }

  private static void runHistory(Random random) {
    int size = 1 + random.nextInt(10);
    int segments = 1 + random.nextInt(random.nextInt(3) == 0 ? 200 : 20);
    PlayedCluster cluster =
        new PlayedCluster(random, size, segments, 1 + random.nextInt(4), 1 + random.nextInt(8));
    for (int round = 0; round < 6; round++) {
      for (int i = random.nextInt(12); i >= 0; i--) {
        change(cluster);
        cluster.step(random.nextDouble());
      }
      cluster.broken.clear();
      cluster.overdue.clear();
      cluster.restarting.clear();
      cluster.silent.clear();
      cluster.converge();
    }
  }

  private static void change(PlayedCluster cluster) {
    Random random = cluster.random;
    List<NodeId> alive = new ArrayList<>(cluster.alive);
    NodeId any = alive.get(random.nextInt(alive.size()));
    switch (random.nextInt(10)) {
      case 0, 1 -> cluster.join(random.nextInt(4));
      case 2, 3 -> {
        if (alive.size() > 1) {
          cluster.crash(any);
        }
      }
      case 4 -> {
        if (alive.size() > 3) {
          cluster.leaving.add(any);
        }
      }
      case 5 -> {
        for (SegmentOwners segment : cluster.topology().segments()) {
          if (segment.isOffline()) {
            NodeId back = segment.isr().getFirst();
            cluster.comeBack(back);
            List.of(cluster.silent, cluster.emptied).get(random.nextInt(2)).add(back);
            if (random.nextBoolean()) {
              cluster.silent.clear();
              cluster.emptied.clear();
            }
            return;
          }
        }
      }
      case 6 -> {
        Link link = new Link(any, alive.get(random.nextInt(alive.size())));
        cluster.broken.add(link);
        if (random.nextBoolean()) {
          cluster.overdue.add(link);
        }
      }
      case 7 -> cluster.restarting.put(0, cluster.topology().epoch() - random.nextInt(4));
      default -> {
        // The plans go on.
      }
    }
  }
}
