package dev.isogrid.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    assertThrows(IllegalArgumentException.class, () -> MemberProfile.ofCapacity(-1));
    assertThrows(IllegalArgumentException.class, () -> MemberProfile.ofCapacity(Float.NaN));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("", 1, 1, 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("a", 0, 1, 1, ""));
    assertThrows(IllegalArgumentException.class, () -> new CacheRequest("a", 1, 1, 1 << 24, ""));
  }
}
