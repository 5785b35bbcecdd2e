package dev.isogrid.topology;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RevivalTest {
  private static final int KEPT = 1;
  private static final int EPOCH = 7;

  private static NodeId old(int number) {
    return new NodeId(0, number);
  }

  private static NodeId now(int number) {
    return new NodeId(0, 100 + number);
  }

  private static Member member(int number) {
    return new Member(old(number), 1, new MemberProfile("n" + number, 1, "", "", ""));
  }

  private static SegmentOwners owners(int primary, int... isr) {
    List<NodeId> nodes = java.util.stream.IntStream.of(isr).mapToObj(RevivalTest::old).toList();
    return new SegmentOwners(3, old(primary), nodes, List.of());
  }

  /** Three voters; two segments of a cache on disks, and one of a cache in memory. */
  private static Topology last(SegmentOwners first, SegmentOwners second) {
    return new Topology(
        EPOCH,
        List.of(member(1), member(2), member(3)),
        List.of(old(1), old(2), old(3)),
        List.of(new CacheGroup(2, 2), new CacheGroup(1, 1)),
        List.of(first, second, owners(3, 3)),
        List.of(
            new CacheDefinition(KEPT, "kept", 0, 5, ""),
            new CacheDefinition(2, "memory", 1, 6, "")),
        2,
        Pauses.NONE,
        new Origin(8, 9, 1, 0));
  }

  private static final class Returning {
    private final Map<NodeId, Revival.Returned> nodes = new HashMap<>();

    Returning with(int number, Long... places) {
      nodes.put(
          old(number),
          new Revival.Returned(
              now(number), Map.of(KEPT, List.of(places)), Map.of(), member(number).profile()));
      return this;
    }

    /** A node that came back is to remember predecessors in a segment. */
    Returning after(int number, int segment, NodeId... predecessors) {
      nodes.computeIfPresent(
          old(number),
          (_, node) ->
              new Revival.Returned(
                  node.now(),
                  node.places(),
                  Map.of(segment, List.of(predecessors)),
                  node.profile()));
      return this;
    }
  }

  private static Revival revival(Topology last, Returning returning) {
    return new Revival(last, Set.of(KEPT), returning.nodes);
  }

  private static Topology revived(Revival revival) {
    return revival.topology(now(1), requireNonNull(revival.last().member(old(1))).profile());
  }

  @Test
  void topology_hasAFormerMemberWhoseDiskASegmentWaitedFor() {
    Topology last =
        last(owners(1, 1, 2), new SegmentOwners(3, null, List.of(old(4), old(2)), List.of()));
    Returning all = both(4L, 4L).with(3, 4L, 4L).with(4, 4L, 4L);
    Topology next = revived(revival(last, all));

    Member back = requireNonNull(next.member(now(4)));
    assertEquals(EPOCH + 1, back.joinedEpoch());
    assertEquals("n4", back.profile().name());
    assertEquals(List.of(now(4), now(2)), next.segments().get(1).isr());
  }

  @Test
  void topology_ofTwoLivesOfANode_hasItOnce() {
    Topology last = last(owners(1, 1, 3), owners(2, 2, 3));
    Returning all = both(4L, 4L);
    all.nodes.put(old(3), requireNonNull(all.nodes.get(old(2)))); // was let in once more
    Topology next = revived(revival(last, all));
    assertEquals(List.of(now(1), now(2)), next.members().stream().map(Member::id).toList());
    assertEquals(List.of(now(1)), next.voters());
    assertEquals(List.of(now(2)), next.segments().get(1).isr());
  }

  @Test
  void missing_namesVotersAndReplicasOfKeptCaches() {
    Topology last = last(owners(1, 1, 2), owners(2, 2, 3));
    assertEquals(Set.of(old(3)), revival(last, both(4L, 4L)).missing());
    assertEquals(Set.of(), revival(last, both(4L, 4L).with(3, -1L, 4L)).missing());
    Topology two =
        new Topology(
            2, List.of(member(1), member(2)), List.of(old(1)), List.of(), List.of(), List.of(), 0);
    assertEquals(Set.of(old(2)), revival(two, new Returning().with(1)).missing());
  }

  private static Returning both(Long first, Long second) {
    return new Returning().with(1, first, second).with(2, first, second);
  }

  @Test
  void topology_ofEqualReplicas_keepsThemInSync() {
    Topology last = last(owners(2, 1, 2), owners(2, 2, 3));
    Topology next = revived(revival(last, both(4L, 6L).with(3, -1L, 6L)));
    assertEquals(EPOCH + 1, next.epoch());
    assertEquals(new Origin(8, 9, EPOCH + 1, 0), next.origin());
    assertEquals(now(2), next.segments().getFirst().primary());
    assertEquals(List.of(now(1), now(2)), next.segments().getFirst().isr());
    assertEquals(List.of(now(2), now(3)), next.segments().get(1).isr());
    assertEquals(List.of("kept"), next.caches().stream().map(CacheDefinition::name).toList());
    assertEquals(last.groups(), next.groups());
    assertEquals(List.of(now(1), now(2), now(3)), next.voters());
  }

  @Test
  void topology_ofReplicasWithOtherPlaces_beginsWithTheOneThatHasMost() {
    Topology last = last(owners(1, 1, 2), owners(3, 2, 3));
    Returning returning = new Returning().with(1, 4L, -1L).with(2, 5L, -1L).with(3, -1L, 2L);
    Topology next = revived(revival(last, returning));
    assertEquals(List.of(now(2)), next.segments().getFirst().isr());
    assertEquals(List.of(now(3)), next.segments().get(1).isr());
  }

  @Test
  void topology_withACacheWhoseStoreNobodyHas_keepsTheEntriesOfTheOthersOfItsGroup() {
    Topology known = last(owners(1, 1, 2), owners(3, 3));
    List<CacheDefinition> caches = new ArrayList<>(known.caches());
    int begun = 3;
    caches.add(new CacheDefinition(begun, "begun", 0, 7, ""));
    Topology last =
        new Topology(
            EPOCH,
            known.members(),
            known.voters(),
            known.groups(),
            known.segments(),
            caches,
            begun,
            Pauses.NONE,
            known.origin());
    Returning returning = both(4L, 4L).with(3, -1L, -1L);
    Revival revival = new Revival(last, Set.of(KEPT, begun), returning.nodes);
    Topology next = revived(revival);
    assertEquals(List.of(now(1), now(2)), next.segments().getFirst().isr());
    assertEquals(next.origin().restarts(), next.segments().getFirst().restarts());
    assertEquals(List.of(1), revival.lost(next));

    NodeId second = old(2);
    Revival.Returned withStore =
        new Revival.Returned(
            now(2),
            Map.of(KEPT, List.of(4L, 4L), begun, List.of(0L, 0L)),
            Map.of(),
            member(2).profile());
    returning.nodes.put(second, withStore);
    next = revived(new Revival(last, Set.of(KEPT, begun), returning.nodes));
    assertEquals(List.of(now(2)), next.segments().getFirst().isr());
  }

  @Test
  void missing_namesPredecessorsOfReturnedReplicas() {
    Topology last = last(owners(1, 1, 2), owners(2, 2));
    Returning all = both(4L, 4L).with(3, -1L, -1L);
    assertEquals(Set.of(), revival(last, all).missing());
    all.after(2, 1, old(4), old(3));
    assertEquals(Set.of(old(4)), revival(last, all).missing());
    all.with(4, -1L, 3L);
    assertEquals(Set.of(), revival(last, all).missing());
  }

  @Test
  void topology_whereAPredecessorHasMore_beginsWithIt() {
    Topology last = last(owners(1, 1, 2), owners(2, 2));
    Returning all = both(4L, 4L).with(3, -1L, 3L).with(4, -1L, 5L).after(2, 1, old(3), old(4));
    Topology next = revived(revival(last, all));
    assertEquals(List.of(now(4)), next.segments().get(1).isr());
    assertEquals("n4", requireNonNull(next.member(now(4))).profile().name());
    assertEquals(List.of(), revival(last, all).lost(next));

    all.with(4, -1L, 4L);
    assertEquals(List.of(now(4), now(2)), revived(revival(last, all)).segments().get(1).isr());
    all.with(4, -1L, 2L);
    assertEquals(List.of(now(2)), revived(revival(last, all)).segments().get(1).isr());
  }

  @Test
  void topology_withoutAnyReplica_beginsEmptyAndSaysSo() {
    Topology last = last(owners(1, 1), owners(3, 3));
    Revival revival = revival(last, new Returning().with(1, 4L, 0L));
    Topology next = revived(revival);
    assertEquals(List.of(1), revival.lost(next));
    assertEquals(now(1), next.segments().get(1).primary());
    assertNotEquals(next.origin().restarts(), next.segments().get(1).restarts());
    assertEquals(next.origin().restarts(), next.segments().getFirst().restarts());
    assertTrue(next.segments().get(2).restarts() > next.origin().restarts());
  }
}
