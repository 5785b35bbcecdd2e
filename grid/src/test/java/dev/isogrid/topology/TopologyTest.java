package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class TopologyTest {
  private static final NodeId NODE = new NodeId(0, 1);
  private static final List<Member> MEMBERS =
      List.of(new Member(NODE, 1, MemberProfile.ofCapacity(1)));

  private static Topology topology(int epoch, List<CacheGroup> groups, int caches, int lastId) {
    int count = groups.stream().mapToInt(CacheGroup::segmentCount).sum();
    SegmentOwners owned = new SegmentOwners(1, NODE, List.of(NODE), List.of());
    List<CacheDefinition> defined = new ArrayList<>();
    for (int id = 1; id <= caches; id++) {
      defined.add(new CacheDefinition(id, "cache" + id, 0, 1, ""));
    }
    return new Topology(
        epoch, MEMBERS, List.of(NODE), groups, Collections.nCopies(count, owned), defined, lastId);
  }

  @Test
  void refusal_ofTooManyCaches_saysSo() {
    Topology full = topology(1, List.of(new CacheGroup(1, 1)), Topology.CACHES_MAX, 2000);
    assertEquals(
        "too many caches: name=a, caches=1024, max=1024; remove one",
        full.refusal(new CacheRequest("a", 1, 1, 1, "")));
  }

  @Test
  void refusal_ofTooManySegments_saysSo() {
    int most = CacheGroup.SEGMENT_COUNT_MAX;
    List<CacheGroup> groups =
        List.of(
            new CacheGroup(1, most),
            new CacheGroup(2, most),
            new CacheGroup(3, most),
            new CacheGroup(4, most - 1));
    Topology full = topology(1, groups, 0, 0);
    assertNull(full.refusal(new CacheRequest("a", 1, 1, 1, "")));
    assertNull(full.refusal(new CacheRequest("a", 3, most, 1, "")));
    assertEquals(
        "too many segments: name=a, segments=2, of other caches=262143, max=262144; use as many"
            + " segments and owners as other caches",
        full.refusal(new CacheRequest("a", 1, 2, 1, "")));
  }

  @Test
  void canFollow_ofOtherGroupsOrEarlierCaches_isFalse() {
    List<CacheGroup> groups = List.of(new CacheGroup(2, 4));
    List<CacheGroup> more = List.of(new CacheGroup(2, 4), new CacheGroup(3, 4));
    Topology before = topology(5, groups, 1, 3);
    assertTrue(topology(6, more, 0, 3).canFollow(before));
    assertFalse(topology(5, more, 0, 3).canFollow(before));
    assertFalse(topology(6, more, 0, 2).canFollow(before));
    assertFalse(topology(6, List.of(new CacheGroup(2, 5)), 0, 3).canFollow(before));
    assertFalse(topology(6, List.of(), 0, 3).canFollow(before));
  }

  @Test
  void firstSegment_ofGroup_followsThoseOfTheGroupsBefore() {
    Topology topology = topology(1, List.of(new CacheGroup(2, 4), new CacheGroup(3, 5)), 1, 1);
    assertEquals(0, topology.firstSegment(0));
    assertEquals(4, topology.firstSegment(1));
    assertEquals(topology.cache(1), topology.cache("cache1"));
    assertNull(topology.cache(2));
    assertNull(topology.cache("other"));
  }

  @Test
  void info_beyondItsLimits_isRefused() {
    String tooLong = "x".repeat(MemberProfile.TEXT_BYTES_MAX + 1);
    assertThrows(IllegalArgumentException.class, () -> new MemberProfile("", 1, "", tooLong));
    String longest = tooLong.substring(1);
    assertEquals(longest, new MemberProfile("", 1, "", longest).endpoint());
    assertThrows(IllegalArgumentException.class, () -> MemberProfile.ofCapacity(-1));
    assertThrows(IllegalArgumentException.class, () -> MemberProfile.ofCapacity(Float.NaN));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("", 1, 1, 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("a", 0, 1, 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("a", 1, 1, 1 << 24, ""));
  }

  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);
  private static final List<CacheGroup> TWO_GROUPS =
      List.of(new CacheGroup(1, 2), new CacheGroup(2, 3));

  private static List<Member> members(NodeId... nodes) {
    return Stream.of(nodes).map(node -> new Member(node, 1, MemberProfile.ofCapacity(1))).toList();
  }

  private static Topology ofVoters(List<Member> members, NodeId... voters) {
    return new Topology(1, members, List.of(voters), List.of(), List.of(), List.of(), 0);
  }

  private static SegmentOwners owned(int epoch, NodeId primary, NodeId... others) {
    List<NodeId> isr = new ArrayList<>(List.of(primary));
    isr.addAll(List.of(others));
    return new SegmentOwners(epoch, primary, isr, List.of());
  }

  private static Topology ofSegments(int epoch, SegmentOwners... segments) {
    List<CacheGroup> groups = List.of(new CacheGroup(2, segments.length));
    return new Topology(
        epoch, members(NODE, B, C), List.of(NODE), groups, List.of(segments), List.of(), 0);
  }

  private static void assertRefused(Executable newTopology, String why) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, newTopology);
    assertTrue(String.valueOf(refusal.getMessage()).contains(why), refusal::getMessage);
  }

  @Test
  void topology_ofNoEpochOrAnEvenNumberOfVoters_isRefused() {
    assertRefused(() -> topology(0, List.of(), 0, 0), "epoch=0");
    assertRefused(() -> ofVoters(members(NODE, B), NODE, B), "voters=");
    assertRefused(() -> ofVoters(MEMBERS), "voters=");
    NodeId[] most =
        IntStream.rangeClosed(1, 7).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);
    assertEquals(7, ofVoters(members(most), most).voters().size());
    NodeId[] more =
        IntStream.rangeClosed(1, 9).mapToObj(i -> new NodeId(0, i)).toArray(NodeId[]::new);
    assertRefused(() -> ofVoters(members(more), more), "voters=");
  }

  @Test
  void topology_withOtherSegmentsThanItsGroups_isRefused() {
    SegmentOwners one = owned(1, NODE);
    List<CacheGroup> two = List.of(new CacheGroup(1, 2));
    assertRefused(
        () -> new Topology(1, MEMBERS, List.of(NODE), two, List.of(one), List.of(), 0),
        "segments=1");
  }

  @Test
  void caches_thatDontFitTheTopology_areRefused() {
    CacheDefinition first = new CacheDefinition(1, "a", 0, 1, "");
    CacheDefinition second = new CacheDefinition(2, "b", 1, 1, "");
    assertEquals(second, ofCaches(2, first, second).cache(2));
    assertRefused(() -> ofCaches(2, second, first), "idBefore=2");
    assertRefused(() -> ofCaches(2, first, first), "idBefore=1");
    assertRefused(() -> ofCaches(2, new CacheDefinition(1, "a", 2, 1, "")), "group=2");
    assertRefused(() -> ofCaches(2, first, new CacheDefinition(2, "a", 0, 1, "")), "name=a");
    assertRefused(() -> ofCaches(1, first, second), "lastCacheId=1");
    assertRefused(() -> topology(1, TWO_GROUPS, Topology.CACHES_MAX + 1, 5000), "caches=1025");
  }

  private static Topology ofCaches(int lastId, CacheDefinition... caches) {
    Topology none = topology(1, TWO_GROUPS, 0, 0);
    return new Topology(
        1, MEMBERS, none.voters(), TWO_GROUPS, none.segments(), List.of(caches), lastId);
  }

  private static Topology pausing(Set<Integer> groups) {
    Topology none = topology(1, TWO_GROUPS, 0, 0);
    Pauses pauses = new Pauses(1, false, groups);
    return new Topology(
        1, MEMBERS, none.voters(), TWO_GROUPS, none.segments(), List.of(), 0, pauses);
  }

  @Test
  void pauses_ofGroupsThatAreNotThere_areRefused() {
    assertEquals(Set.of(0, 1), pausing(Set.of(0, 1)).pauses().groups());
    assertRefused(() -> pausing(Set.of(2)), "groups=2");
    assertRefused(() -> pausing(Set.of(-1)), "groups=2");
  }

  @Test
  void isMajority_isMoreThanHalfOfTheVoters() {
    Topology three = ofVoters(members(NODE, B, C), NODE, B, C);
    assertFalse(three.isMajority(1));
    assertTrue(three.isMajority(2));
    assertFalse(ofVoters(MEMBERS, NODE).isMajority(0));
    assertTrue(ofVoters(MEMBERS, NODE).isMajority(1));
  }

  @Test
  void heir_isTheOneOfTwoMembersThatHasNoVote() {
    assertEquals(B, ofVoters(members(NODE, B), NODE).heir());
    assertEquals(NODE, ofVoters(members(NODE, B), B).heir());
    assertNull(ofVoters(MEMBERS, NODE).heir());
    assertNull(ofVoters(members(NODE, B, C), NODE).heir());
  }

  @Test
  void hasVotersOf_ignoresOrderOnly() {
    List<Member> members = members(NODE, B, C);
    Topology three = ofVoters(members, NODE, B, C);
    assertTrue(three.hasVotersOf(ofVoters(members, C, NODE, B)));
    assertFalse(three.hasVotersOf(ofVoters(members, B)));
    assertFalse(ofVoters(members, B).hasVotersOf(three));
    assertFalse(ofVoters(members, B).hasVotersOf(ofVoters(members, C)));
  }

  @Test
  void groupOf_isTheGroupWhoseSegmentsItIsAmong() {
    Topology topology = topology(1, TWO_GROUPS, 0, 0);
    assertEquals(TWO_GROUPS.get(0), topology.groupOf(1));
    assertEquals(TWO_GROUPS.get(1), topology.groupOf(2));
    assertEquals(TWO_GROUPS.get(1), topology.groupOf(4));
    assertThrows(IndexOutOfBoundsException.class, () -> topology.groupOf(5));
    assertThrows(IndexOutOfBoundsException.class, () -> topology.groupOf(-1));
  }

  @Test
  void offlineSince_countsSegmentsOfOneGroupThatNobodyServes() {
    SegmentOwners served = owned(1, NODE);
    SegmentOwners early = new SegmentOwners(3, null, List.of(NODE), List.of());
    SegmentOwners late = new SegmentOwners(5, null, List.of(NODE), List.of());
    Topology topology =
        new Topology(
            6,
            MEMBERS,
            List.of(NODE),
            TWO_GROUPS,
            List.of(served, early, early, late, served),
            List.of(),
            0);
    assertEquals(1, topology.offline(0));
    assertEquals(2, topology.offline(1));
    assertEquals(1, topology.offlineSince(1, 4));
    assertEquals(2, topology.offlineSince(1, 5));
    assertEquals(0, topology.offlineSince(1, 2));
    assertEquals(0, topology.offline(2));
    assertEquals(0, topology.offline(-1));
  }

  @Test
  void demotedBy_namesWhoMayAnswerReadsNoMore() {
    SegmentOwners same = owned(1, NODE, B);
    Topology before = ofSegments(1, same, owned(1, NODE, B), owned(1, B, C));
    Topology after = ofSegments(2, same, owned(2, B, NODE), owned(2, B, NODE));
    assertEquals(Set.of(NODE, C), before.demotedBy(after, Set.of(), true));
    assertEquals(Set.of(C), before.demotedBy(after, Set.of(1), true));
    assertEquals(Set.of(NODE), before.demotedBy(after, Set.of(2), true));
    assertEquals(Set.of(NODE), before.demotedBy(after, Set.of(), false));
    assertEquals(Set.of(), before.demotedBy(before, Set.of(), true));
  }
}
