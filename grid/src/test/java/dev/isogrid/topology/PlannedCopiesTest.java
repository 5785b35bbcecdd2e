package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many copies a plan begins, and how many are missing. */
class PlannedCopiesTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);

  private static PlayedCluster cluster(int size, int segments, int owners) {
    return new PlayedCluster(new Random(1), size, segments, owners, 8);
  }

  private static long learners(PlayedCluster cluster) {
    return cluster.topology().segments().stream().mapToLong(one -> one.learners().size()).sum();
  }

  @Test
  void plan_whenOneJoins_letsItReceiveSoManyCopiesAtOnce() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 4, 64, 2, 3);
    NodeId joined = cluster.join(1);
    for (int i = 0; i < 3; i++) { // none of them is finished
      cluster.step(0);
      long coming =
          cluster.topology().segments().stream()
              .filter(one -> one.learners().contains(joined))
              .count();
      assertEquals(3, coming);
      assertEquals(3, learners(cluster));
    }
  }

  @Test
  void plan_whenManyJoinOne_letsItSendSoManyCopiesAtOnce() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 1, 64, 2, 3);
    for (int i = 0; i < 4; i++) {
      cluster.join(1);
    }
    for (int i = 0; i < 3; i++) {
      cluster.step(0);
      assertEquals(3, learners(cluster));
    }
  }

  @Test
  void missingCopies_countsWantedOnesThatNobodyHasInSync() {
    PlayedCluster cluster = cluster(2, 4, 2);
    assertEquals(List.of(0, 0, 0, 0), missing(cluster, Set.of()));
    assertEquals(List.of(0, 0, 0, 0), missing(cluster, Set.of(B)));
    cluster.crash(B);
    cluster.join(1);
    cluster.step(0); // begins copies, which don't count yet
    assertEquals(4, learners(cluster));
    assertEquals(List.of(1, 1, 1, 1), missing(cluster, Set.of()));
    cluster.converge();
    assertEquals(List.of(0, 0, 0, 0), missing(cluster, Set.of()));
    cluster.crash(A);
    cluster.crash(C);
    cluster.step(0);
    assertNull(cluster.plan().next());
  }

  private static List<Integer> missing(PlayedCluster cluster, Set<NodeId> leaving) {
    return Arrays.stream(Planner.missingCopies(cluster.topology(), leaving)).boxed().toList();
  }

  @Test
  void plan_whenAMemberAsksToComeInAgain_keepsItOnce() {
    PlayedCluster cluster = cluster(2, 4, 2);
    Topology before = cluster.topology();
    cluster.alive.remove(B);
    cluster.comeBack(B);
    cluster.alive.add(B); // it was seen again before it came in

    assertNull(cluster.plan().next());
    assertEquals(before, cluster.topology());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void plan_whenCopiesAreLost_beginsWithTheSegmentsThatHaveFewest(long seed) {
    PlayedCluster cluster = new PlayedCluster(new Random(seed), 4, 64, 3, 2);
    cluster.crash(new NodeId(0, 1 + seed % 4));
    cluster.step(0);
    cluster.crash(new NodeId(0, 1 + (seed + 1 + seed / 4) % 4));
    cluster.step(0);
    cluster.join(1);
    cluster.step(0);

    List<SegmentOwners> segments = cluster.topology().segments();
    int begun =
        segments.stream()
            .filter(one -> !one.learners().isEmpty())
            .mapToInt(one -> one.isr().size())
            .max()
            .orElse(0);
    long waiting =
        segments.stream().filter(one -> one.learners().isEmpty() && one.isr().size() == 1).count();
    assertEquals(1, begun);
    assertTrue(waiting > 0);
  }

  @Test
  void plan_whenOneCopyCanBegin_takesTheSegmentThatHasFewest_notTheFirst() {
    List<Member> members =
        List.of(A, B, C).stream()
            .map(node -> new Member(node, 1, MemberProfile.ofCapacity(1)))
            .toList();
    SegmentOwners hasTwo = new SegmentOwners(1, A, List.of(A, B), List.of());
    SegmentOwners hasOne = new SegmentOwners(1, A, List.of(A), List.of());
    Topology topology =
        new Topology(
            1,
            members,
            List.of(A),
            List.of(new CacheGroup(3, 3)),
            List.of(hasTwo, hasOne, hasTwo),
            List.of(),
            0);
    Facts facts = new PlayedCluster(new Random(1), 3, 1, 1, 1).facts();

    Topology next = Objects.requireNonNull(new Planner(1, true).plan(topology, facts).next());

    assertEquals(
        List.of(0, 1, 0), next.segments().stream().map(one -> one.learners().size()).toList());
  }

  @Test
  void plan_whenALearnerIsNotWantedAnyMore_keepsItWhileACopyIsMissing() {
    PlayedCluster cluster = cluster(2, 1, 2);
    cluster.crash(B);
    NodeId learner = cluster.join(1);
    cluster.step(0);
    assertEquals(List.of(learner), cluster.topology().segments().getFirst().learners());
    NodeId better = cluster.join(1);
    cluster.told.put(learner, MemberProfile.ofCapacity(0));
    cluster.step(0);
    assertEquals(List.of(learner), cluster.topology().segments().getFirst().learners());
    for (int i = 0; i < 10; i++) {
      cluster.step(1);
    }
    SegmentOwners owners = cluster.topology().segments().getFirst();
    assertEquals(Set.of(A, better), Set.copyOf(owners.isr()));
    assertEquals(List.of(), owners.learners());
  }
}
