package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
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
  void restart_countsWhileSomethingIsOfflineSinceThen() {
    SegmentOwners lost = new SegmentOwners(5, null, List.of(NODE), List.of());
    Topology topology = topology(lost);
    assertFalse(requests.add(topology, new RestartLost(7, 0, 4), 0));
    assertFalse(requests.add(topology, new RestartLost(7, 1, 7), 0));
    assertEquals(Map.of(), requests.restarting());
    assertTrue(requests.add(topology, new RestartLost(7, 0, 6), 0));
    assertTrue(requests.add(topology, new RestartLost(7, 0, 7), 0));
    assertFalse(requests.add(topology, new RestartLost(7, 0, 6), 0));
    assertFalse(requests.add(topology, new RestartLost(7, 0, 7), 0));
    assertEquals(Map.of(0, 7), requests.restarting());

    SegmentOwners lostLater = new SegmentOwners(8, null, List.of(NODE), List.of());
    requests.expire(topology(lostLater), 1);
    assertEquals(Map.of(), requests.restarting());
    assertTrue(requests.add(topology(lostLater), new RestartLost(8, 0, 8), 1));
    requests.expire(topology(lostLater), 1 + LASTING);
    assertEquals(Map.of(), requests.restarting());
  }

  @Test
  void restart_isAskedForWhileSomethingIsOfflineSinceThen() {
    List<Message> sent = new ArrayList<>();
    CacheRequests asking = new CacheRequests((_, message) -> sent.add(message));
    Topology lost = topology(new SegmentOwners(5, null, List.of(NODE), List.of()));
    asking.restartLost(0, 7);
    asking.restartLost(0, 6);
    asking.install(lost);
    asking.send(lost);
    assertEquals(List.of(new RestartLost(9, 0, 7)), sent);

    asking.install(topology(new SegmentOwners(8, null, List.of(NODE), List.of())));
    asking.send(lost);
    asking.restartLost(0, 7);
    asking.forgetRestart(0);
    asking.send(lost);
    assertEquals(1, sent.size());
  }

  private static Topology topology(SegmentOwners owners) {
    return new Topology(
        9,
        List.of(new Member(NODE, 1, MemberProfile.ofCapacity(1))),
        List.of(NODE),
        List.of(new CacheGroup(1, 1)),
        List.of(owners),
        List.of(),
        0);
  }

  private static MemberProfile speaking(int oldest, int newest) {
    return new MemberProfile("", 1, "", "", "", new ProtocolVersions(oldest, newest));
  }

  private static Topology speaking(MemberProfile... profiles) {
    List<Member> members = new ArrayList<>();
    for (MemberProfile profile : profiles) {
      members.add(new Member(new NodeId(0, 10 + members.size()), 1, profile));
    }
    List<NodeId> voters = List.of(members.getFirst().id());
    return new Topology(9, members, voters, List.of(), List.of(), List.of(), 0);
  }

  @Test
  void join_ofANodeThatDoesNotSpeakTheProtocolOfAllMembers_isNotPlanned() {
    List<MemberProfile> asking =
        List.of(speaking(11, 12), speaking(12, 13), speaking(13, 14), speaking(14, 14));
    for (int i = 0; i < asking.size(); i++) {
      requests.add(new Join(0, new NodeId(0, i), asking.get(i)), 0);
    }
    Topology mixed = speaking(speaking(12, 13), speaking(11, 12), speaking(12, 14));
    assertEquals(12, mixed.protocol());
    assertEquals(List.of(asking.get(0), asking.get(1)), profiles(mixed));
    Topology upgraded = speaking(speaking(12, 13), speaking(12, 14));
    assertEquals(13, upgraded.protocol());
    assertEquals(List.of(asking.get(1), asking.get(2)), profiles(upgraded));
  }

  private List<MemberProfile> profiles(Topology topology) {
    return requests.joining(topology).stream().map(Member::profile).toList();
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
