package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final int EPOCH = 7;
  private static final int AFTER = EPOCH + Recovery.EPOCHS_SKIPPED;
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);

  private static Topology last(SegmentOwners... segments) {
    List<Member> members = new ArrayList<>();
    for (NodeId node : List.of(A, B, C)) {
      members.add(new Member(node, 1, new MemberProfile("n" + node, 1, "", "", "")));
    }
    return new Topology(
        EPOCH,
        members,
        List.of(A, B, C),
        List.of(new CacheGroup(2, segments.length)),
        List.of(segments),
        List.of(new CacheDefinition(1, "c", 0, 5, "")),
        1,
        Pauses.NONE,
        new Origin(8, 9, 1, 0));
  }

  private static SegmentOwners owners(NodeId primary, NodeId... isr) {
    return new SegmentOwners(3, primary, List.of(isr), List.of());
  }

  @Test
  void topology_keepsTheCopiesOfThoseThatStay() {
    Topology last = last(owners(A, A, B), owners(C, A, C), owners(B, B, C), owners(C, C));
    Recovery recovery = new Recovery(last, Set.of(B, C));
    assertEquals(List.of(A), recovery.staying());
    assertEquals(Map.of("c", 2), recovery.lostSegments());
    Topology next = recovery.topology();
    assertEquals(AFTER, next.epoch());
    assertEquals(List.of(A), next.voters());
    assertEquals(1, next.members().size());
    assertTrue(next.canFollow(last));
    assertEquals(
        List.of(
            new SegmentOwners(AFTER, A, List.of(A), List.of()),
            new SegmentOwners(AFTER, A, List.of(A), List.of()),
            new SegmentOwners(AFTER, null, List.of(B), List.of()),
            new SegmentOwners(AFTER, null, List.of(C), List.of())),
        next.segments());
  }

  @Test
  void topology_ofSegmentsThatNobodyLeft_beginsNewEpochsWithoutLearners() {
    SegmentOwners copied = new SegmentOwners(3, A, List.of(A, B), List.of(C));
    Topology next = new Recovery(last(copied), Set.of(C)).topology();
    assertEquals(List.of(new SegmentOwners(AFTER, A, List.of(A, B), List.of())), next.segments());
    assertEquals(List.of(A), next.voters());
  }

  @Test
  void topology_ofASegmentThatWasOffline_leavesItSo() {
    Topology last =
        last(
            new SegmentOwners(3, null, List.of(B, A), List.of()),
            new SegmentOwners(3, null, List.of(B, C), List.of()));
    Topology next = new Recovery(last, Set.of(B, C)).topology();
    assertEquals(
        List.of(
            new SegmentOwners(AFTER, null, List.of(A), List.of()),
            new SegmentOwners(AFTER, null, List.of(B), List.of())),
        next.segments());
  }

  @Test
  void topology_withoutAnyMember_isRefused() {
    Recovery recovery = new Recovery(last(owners(A, A)), Set.of(A, B, C));
    assertThrows(IllegalArgumentException.class, recovery::topology);
  }

  @Test
  void isBetween_ofEpochsNearEachOther_isFalse() {
    assertFalse(Recovery.isBetween(3, EPOCH));
    assertFalse(Recovery.isBetween(AFTER, AFTER));
    assertTrue(Recovery.isBetween(3, AFTER));
  }
}
