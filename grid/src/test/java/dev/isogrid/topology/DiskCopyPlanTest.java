package dev.isogrid.topology;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plans for segments that only the disks of returned members have. */
class DiskCopyPlanTest {
  private static final int CACHE = 1;
  private static final NodeId PREDECESSOR = new NodeId(77, 1);

  /** An id that nobody asks for. */
  private static final NodeId EARLIER = new NodeId(77, 2);

  private final PlayedCluster cluster = new PlayedCluster(new Random(1), 5, 16, 2, 8);

  /** The last primary of the first segment, which is offline now, and the other replica. */
  private final NodeId primary;

  private final NodeId backup;

  DiskCopyPlanTest() {
    SegmentOwners owners = first();
    primary = requireNonNull(owners.primary());
    backup = owners.isr().stream().filter(node -> !node.equals(primary)).findFirst().orElseThrow();
    cluster.crash(primary);
    cluster.crash(backup);
    cluster.converge();
    assertEquals(List.of(primary, backup), first().isr());
    assertTrue(first().isOffline());
  }

  private SegmentOwners first() {
    return cluster.topology().segments().getFirst();
  }

  /** A member comes with the disk of a former node, which has a place of the first segment. */
  private NodeId comeBack(NodeId former, Map<Integer, Long> places, NodeId... predecessors) {
    NodeId now = cluster.join(1);
    DiskCopy copy = new DiskCopy(now, List.of(EARLIER, former), places, List.of(predecessors));
    cluster.disks.computeIfAbsent(0, _ -> new HashMap<>()).put(former, copy);
    return now;
  }

  @Test
  void plan_whenAPredecessorIsMissing_waitsForItsDisk() {
    comeBack(primary, Map.of(CACHE, 7L), PREDECESSOR);
    comeBack(backup, Map.of(CACHE, 6L));
    cluster.converge();
    assertTrue(first().isOffline());
    NodeId third = comeBack(PREDECESSOR, Map.of(CACHE, 8L));
    cluster.step(0);

    assertEquals(third, first().primary());
    assertEquals(List.of(third), first().isr());
  }

  @Test
  void plan_whenAPredecessorIsBackUnderAnotherOfItsIds_takesItsDisk() {
    comeBack(primary, Map.of(CACHE, 7L), PREDECESSOR);
    comeBack(backup, Map.of(CACHE, 7L), PREDECESSOR);
    NodeId now = cluster.join(1);
    NodeId last = new NodeId(77, 3);
    requireNonNull(cluster.disks.get(0))
        .put(last, new DiskCopy(now, List.of(last, PREDECESSOR), Map.of(CACHE, 8L), List.of()));
    cluster.step(0);

    assertEquals(List.of(now), first().isr());
  }

  @Test
  void plan_whenAPredecessorHasLess_continuesWithTheReplicas() {
    NodeId first = comeBack(primary, Map.of(CACHE, 7L), PREDECESSOR);
    NodeId second = comeBack(backup, Map.of(CACHE, 7L));
    comeBack(PREDECESSOR, Map.of(CACHE, 5L));
    cluster.step(0);

    assertEquals(List.of(first, second), first().isr());
  }

  @Test
  void plan_whenAPredecessorLives_doesNotWaitForIt() {
    NodeId living = cluster.topology().members().getFirst().id();
    NodeId first = comeBack(primary, Map.of(CACHE, 7L), living);
    NodeId second = comeBack(backup, Map.of(CACHE, 7L), living);
    cluster.step(0);

    assertEquals(List.of(first, second), first().isr());
  }

  @Test
  void plan_whenNobodyHasMostOfAllCaches_takesThePredecessor() {
    comeBack(primary, Map.of(CACHE, 8L, CACHE + 1, 2L), PREDECESSOR);
    comeBack(backup, Map.of(CACHE, 7L, CACHE + 1, 2L));
    NodeId third = comeBack(PREDECESSOR, Map.of(CACHE, 7L, CACHE + 1, 3L));
    cluster.step(0);

    assertEquals(List.of(third), first().isr());
  }

  @Test
  void plan_withDisksThatNoReplicaNames_doesNotTakeThem() {
    NodeId first = comeBack(primary, Map.of(CACHE, 7L));
    NodeId second = comeBack(backup, Map.of(CACHE, 7L));
    comeBack(PREDECESSOR, Map.of(CACHE, 9L));
    cluster.step(0);

    assertEquals(List.of(first, second), first().isr());
  }

  @Test
  void plan_whenAllReplicasAreBackWithTheSame_continuesWithAll() {
    NodeId first = comeBack(primary, Map.of(CACHE, 7L));
    NodeId second = comeBack(backup, Map.of(CACHE, 7L));
    cluster.step(0);

    assertEquals(first, first().primary());
    assertEquals(List.of(first, second), first().isr());
    assertEquals(0, first().restarts());
    cluster.converge();
    assertEquals(2, first().isr().size());
  }

  @Test
  void plan_whenABackupHasMore_makesItThePrimary() {
    comeBack(primary, Map.of(CACHE, 7L));
    NodeId second = comeBack(backup, Map.of(CACHE, 8L));
    cluster.step(0);

    assertEquals(second, first().primary());
    assertEquals(List.of(second), first().isr());
  }

  @Test
  void plan_whenNobodyHasMostOfAllCaches_takesTheLastPrimary() {
    NodeId first = comeBack(primary, Map.of(CACHE, 7L, CACHE + 1, 9L));
    comeBack(backup, Map.of(CACHE, 8L, CACHE + 1, 2L));
    cluster.step(0);

    assertEquals(List.of(first), first().isr());
  }

  @Test
  void plan_whenAReplicaLacksSomething_doesWithoutIt() {
    comeBack(primary, Map.of(CACHE, -1L));
    NodeId second = comeBack(backup, Map.of(CACHE, 3L));
    cluster.step(0);

    assertEquals(List.of(second), first().isr());
  }

  @Test
  void plan_whenAllReplicasLackSomething_waits() {
    comeBack(primary, Map.of(CACHE, -1L));
    comeBack(backup, Map.of());
    cluster.converge();

    assertTrue(first().isOffline());
    assertEquals(List.of(primary, backup), first().isr());
  }

  @Test
  void plan_whenAReplicaIsMissing_waitsUntilTheLossIsGivenUp() {
    NodeId second = comeBack(backup, Map.of(CACHE, 3L));
    cluster.converge();
    assertTrue(first().isOffline());
    assertNull(cluster.plan().next());
    cluster.restarting.put(0, first().segEpoch());
    cluster.step(0);

    assertEquals(List.of(second), first().isr());
    assertEquals(0, first().restarts());
  }

  @Test
  void plan_whenAReplicaItselfComesBack_prefersItToDisks() {
    comeBack(backup, Map.of(CACHE, 3L));
    cluster.comeBack(primary);
    cluster.step(0);

    assertEquals(List.of(primary), first().isr());
  }

  @Test
  void plan_whenTheMemberWithTheDiskIsGoneAgain_waits() {
    NodeId first = comeBack(primary, Map.of(CACHE, 7L));
    comeBack(backup, Map.of(CACHE, 7L));
    cluster.crash(first);
    cluster.converge();

    assertTrue(first().isOffline());
  }
}
