package dev.isogrid.topology;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Segments that lost all their replicas and are given up. */
class RestartPlanTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);

  /** The segments that both nodes of one had, which are gone. */
  private static PlayedCluster clusterWithLoss() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 4, 16, 2, 8);
    cluster.topology().segments().getFirst().isr().forEach(cluster::crash);
    cluster.converge();
    assertTrue(cluster.topology().segments().getFirst().isOffline());
    return cluster;
  }

  @Test
  void plan_whenALossIsGivenUp_beginsAnewWhatWasOfflineThen() {
    PlayedCluster cluster = clusterWithLoss();
    SegmentOwners lost = cluster.topology().segments().getFirst();
    cluster.restarting.put(0, lost.segEpoch() - 1);
    assertNull(cluster.plan().next());
    cluster.pausing.put(0, true);
    cluster.restarting.put(0, lost.segEpoch());
    cluster.step(1);

    SegmentOwners is = cluster.topology().segments().getFirst();
    NodeId primary = requireNonNull(is.primary());
    int epoch = cluster.topology().epoch();
    assertEquals(new SegmentOwners(epoch, primary, List.of(primary), List.of(), 1), is);
    assertEquals(0, cluster.topology().offline(0));
    cluster.pausing.put(0, false);
    cluster.restarting.put(0, epoch);
    cluster.converge();
    assertEquals(2, cluster.topology().segments().getFirst().isr().size());
    assertEquals(1, cluster.topology().segments().getFirst().restarts());
  }

  private static CacheRequest request(String name) {
    return new CacheRequest(name, 2, 16, 1, "");
  }

  private static SegmentOwners first(PlayedCluster cluster) {
    return cluster.topology().segments().getFirst();
  }

  @Test
  void plan_whenAGroupWithoutCachesGetsOne_beginsAnewWhatIsLost() {
    PlayedCluster cluster = clusterWithLoss();
    int lost = cluster.topology().offline(0);
    cluster.defining.add(request("a"));
    cluster.defining.add(request("b"));
    cluster.step(1);

    int epoch = cluster.topology().epoch();
    NodeId primary = requireNonNull(first(cluster).primary());
    assertEquals(new SegmentOwners(epoch, primary, List.of(primary), List.of(), 1), first(cluster));
    assertEquals(0, cluster.topology().offline(0));
    assertEquals(2, cluster.topology().caches().size());
    cluster.converge();
    assertEquals(2, first(cluster).isr().size());
    int restarts = cluster.topology().segments().stream().mapToInt(SegmentOwners::restarts).sum();
    assertEquals(lost, restarts);
  }

  @Test
  void plan_whenAGroupWithCachesGetsOne_leavesWhatIsLost() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 4, 16, 2, 8);
    cluster.defining.add(request("a"));
    cluster.converge();
    first(cluster).isr().forEach(cluster::crash);
    cluster.converge();
    SegmentOwners lost = first(cluster);
    cluster.defining.add(request("b"));
    cluster.converge();

    assertEquals(2, cluster.topology().caches().size());
    assertTrue(lost.isOffline());
    assertEquals(lost, first(cluster));
  }

  @Test
  void plan_whenTheOnlyCacheOfAGroupIsReplacedInOneStep_beginsAnewWhatIsLost() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 4, 16, 2, 8);
    cluster.defining.add(request("a"));
    cluster.converge();
    first(cluster).isr().forEach(cluster::crash);
    cluster.converge();
    cluster.removing.add(cluster.topology().lastCacheId());
    cluster.defining.clear();
    cluster.defining.add(request("b"));
    cluster.step(1);

    assertEquals(List.of("b"), names(cluster));
    assertEquals(0, cluster.topology().offline(0));
    assertEquals(1, first(cluster).restarts());
  }

  private static List<String> names(PlayedCluster cluster) {
    return cluster.topology().caches().stream().map(CacheDefinition::name).toList();
  }

  @Test
  void plan_whenACacheComesAsSegmentsAreLost_beginsThemAnew() {
    PlayedCluster cluster = new PlayedCluster(new Random(1), 4, 16, 2, 8);
    cluster.converge();
    first(cluster).isr().forEach(cluster::crash);
    cluster.defining.add(request("a"));
    cluster.step(1);

    assertEquals(List.of("a"), names(cluster));
    assertEquals(0, cluster.topology().offline(0));
    assertEquals(1, first(cluster).restarts());
  }

  @Test
  void plan_whenAGroupWithoutCachesGetsOneAndNobodyCanOwn_waits() {
    PlayedCluster cluster = clusterWithLoss();
    cluster
        .topology()
        .members()
        .forEach(member -> cluster.told.put(member.id(), MemberProfile.ofCapacity(0)));
    cluster.defining.add(request("a"));
    cluster.step(1);
    assertEquals(List.of(), names(cluster));
    String refusal = cluster.topology().refusal(request("a"));
    assertTrue(requireNonNull(refusal).startsWith("no member can own segments"));

    cluster
        .topology()
        .members()
        .forEach(member -> cluster.told.put(member.id(), MemberProfile.ofCapacity(1)));
    cluster.step(1);
    cluster.step(1);
    assertEquals(List.of("a"), names(cluster));
    assertEquals(0, cluster.topology().offline(0));
  }

  @Test
  void plan_whenALossIsGivenUpAndAReplicaIsBack_leavesItTheSegment() {
    PlayedCluster cluster = clusterWithLoss();
    SegmentOwners lost = cluster.topology().segments().getFirst();
    NodeId back = lost.isr().getLast();
    cluster.comeBack(back);
    cluster.restarting.put(0, lost.segEpoch());
    cluster.step(0);

    SegmentOwners is = cluster.topology().segments().getFirst();
    assertEquals(back, is.primary());
    assertEquals(0, is.restarts());
  }

  @Test
  void plan_whenAReplicaIsBackThatDidNotSpeak_waitsForWhatItSays() {
    PlayedCluster cluster = clusterWithLoss();
    SegmentOwners lost = cluster.topology().segments().getFirst();
    NodeId back = lost.isr().getLast();
    cluster.silent.add(back);
    cluster.comeBack(back);
    cluster.restarting.put(0, lost.segEpoch());
    cluster.converge();
    assertEquals(lost, cluster.topology().segments().getFirst());

    cluster.silent.remove(back);
    cluster.step(0);
    SegmentOwners is = cluster.topology().segments().getFirst();
    assertEquals(back, is.primary());
    assertEquals(0, is.restarts());
  }

  @Test
  void plan_whenAReplicaIsBackWithoutItsCopy_leavesTheSegmentOfflineUntilItIsGivenUp() {
    PlayedCluster cluster = clusterWithLoss();
    SegmentOwners lost = cluster.topology().segments().getFirst();
    NodeId back = lost.isr().getLast();
    cluster.emptied.add(back);
    cluster.comeBack(back);
    cluster.converge();
    assertEquals(lost, cluster.topology().segments().getFirst());

    cluster.restarting.put(0, lost.segEpoch());
    cluster.step(0);
    SegmentOwners is = cluster.topology().segments().getFirst();
    assertFalse(is.isOffline());
    assertEquals(1, is.restarts());
  }

  @Test
  void plan_whenOneReplicaIsBackWithItsCopyAndOneWithout_goesOnWithTheCopy() {
    PlayedCluster cluster = clusterWithLoss();
    SegmentOwners lost = cluster.topology().segments().getFirst();
    assertEquals(2, lost.isr().size());
    cluster.emptied.add(lost.isr().getFirst());
    lost.isr().forEach(cluster::comeBack);
    cluster.step(0);

    SegmentOwners is = cluster.topology().segments().getFirst();
    assertEquals(List.of(lost.isr().getLast()), is.isr());
    assertEquals(lost.isr().getLast(), is.primary());
    assertEquals(0, is.restarts());
  }

  @Test
  void plan_whenAReplicaWithoutItsCopyLeaves_letsItGo() {
    PlayedCluster cluster = clusterWithLoss();
    NodeId back = cluster.topology().segments().getFirst().isr().getLast();
    cluster.emptied.add(back);
    cluster.comeBack(back);
    cluster.converge();
    cluster.leaving.add(back);
    cluster.converge();

    assertNull(cluster.topology().member(back));
    assertTrue(cluster.topology().segments().getFirst().isOffline());
  }

  @Test
  void plan_whenALossIsGivenUpAndNobodyCanOwn_waits() {
    PlayedCluster cluster = clusterWithLoss();
    cluster
        .topology()
        .members()
        .forEach(member -> cluster.told.put(member.id(), MemberProfile.ofCapacity(0)));
    cluster.restarting.put(0, cluster.topology().epoch());
    cluster.step(0);

    assertTrue(cluster.topology().segments().getFirst().isOffline());
  }

  @Test
  void plan_whenALossWasGivenUpAsOftenAsCounted_waits() {
    Member member = new Member(A, 1, MemberProfile.ofCapacity(1));
    int restarts = SegmentOwners.RESTARTS_MAX;
    SegmentOwners lost = new SegmentOwners(3, null, List.of(B), List.of(), restarts);
    Topology topology =
        new Topology(
            5,
            List.of(member),
            List.of(A),
            List.of(new CacheGroup(1, 1)),
            List.of(lost),
            List.of(),
            0);
    Facts alive = Facts.ofAlive(Set.of(A));
    Facts facts =
        new Facts(
            alive.alive(),
            List.of(),
            Set.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(),
            Set.of(),
            Map.of(),
            null,
            Map.of(0, 5),
            Set.of(),
            Set.of(),
            Map.of(),
            Map.of());

    assertNull(new Planner().plan(topology, facts).next());
  }
}
