package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestsTest {
  private static final long LASTING = 100;
  private static final NodeId NODE = new NodeId(0, 1);
  private static final CacheRequest CACHE = new CacheRequest("a", 1, 1, 1, "");

  private final Requests requests = new Requests(LASTING);

  private static Topology topology(int lastCacheId, CacheDefinition... caches) {
    return new Topology(
        1,
        List.of(new Member(NODE, 1, MemberProfile.ofCapacity(1))),
        List.of(NODE),
        List.of(new CacheGroup(1, 1)),
        List.of(new SegmentOwners(1, NODE, List.of(NODE), List.of())),
        List.of(caches),
        lastCacheId);
  }

  @Test
  void define_thatComesAgainAfterTheCacheWasRemoved_isVoid() {
    Topology before = topology(0);
    Define define = new Define(1, 0, CACHE);
    requests.add(before, define, 0);
    assertEquals(List.of(CACHE), requests.defining());

    Topology removed = topology(1);
    requests.expire(removed, 1);
    assertEquals(List.of(), requests.defining());
    requests.add(removed, define, 2);
    assertEquals(List.of(), requests.defining());
  }

  @Test
  void undefine_ofAnotherCacheOfTheName_isVoid() {
    Topology topology = topology(2, new CacheDefinition(2, "a", 0, 1, ""));
    requests.add(topology, new Undefine(1, "a", 1), 0);
    requests.add(topology, new Undefine(1, "b", 2), 0);
    assertEquals(Set.of(), requests.removing());
    requests.add(topology, new Undefine(1, "a", 2), 0);
    assertEquals(Set.of(2), requests.removing());
  }

  @Test
  void join_ofMember_tellsWhatItIs() {
    Topology topology = topology(0);
    MemberProfile profile = new MemberProfile("a", 2, "zone", "host:1");
    NodeId other = new NodeId(0, 2);
    requests.add(new Join(1, NODE, profile), 0);
    requests.add(new Join(0, other, profile), 50);
    assertEquals(Map.of(NODE, profile), requests.told(topology));
    assertEquals(List.of(new Member(other, 1, profile)), requests.joining(topology));
    requests.expire(topology, LASTING);
    assertEquals(Map.of(), requests.told(topology));
    assertEquals(1, requests.joining(topology).size());
  }
}
