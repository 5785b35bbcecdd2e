package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
}
