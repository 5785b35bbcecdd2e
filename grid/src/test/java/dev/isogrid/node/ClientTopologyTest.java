package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.node.ClientTopology.Endpoint;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientTopologyTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final NodeId C = new NodeId(0, 3);

  private static Member member(NodeId id, int joined, String endpoint) {
    return new Member(id, joined, new MemberProfile("n", 1, "", endpoint));
  }

  private static Topology topology(int epoch, List<Member> members, SegmentOwners... segments) {
    CacheGroup other = new CacheGroup(1, 1);
    CacheGroup group = new CacheGroup(2, segments.length);
    List<SegmentOwners> all = new ArrayList<>();
    all.add(new SegmentOwners(99, A, List.of(A), List.of()));
    all.addAll(List.of(segments));
    return new Topology(
        epoch,
        members,
        List.of(A),
        List.of(other, group),
        all,
        List.of(new CacheDefinition(1, "c", 1, 1, "")),
        1);
  }

  private static ClientTopology of(Topology topology) {
    return Objects.requireNonNull(ClientTopology.of(topology, "c"));
  }

  @Test
  void owners_arePrimaryThenReplicas() {
    ClientTopology told =
        of(
            topology(
                120,
                List.of(member(A, 1, "a:1"), member(B, 2, "[fe80::1]:2"), member(C, 3, "c:3")),
                new SegmentOwners(7, B, List.of(A, B), List.of(C)),
                new SegmentOwners(5, C, List.of(C), List.of()),
                new SegmentOwners(6, null, List.of(A, C), List.of())));
    assertEquals(
        List.of(new Endpoint("a", 1), new Endpoint("fe80::1", 2), new Endpoint("c", 3)),
        told.servers());
    assertEquals(List.of(List.of(1, 0), List.of(2), List.of(0, 2)), told.owners());
    assertEquals(7, told.epoch(), "the last change of an owner of this cache");
  }

  @Test
  void membersWithoutEndpoint_areLeftOut() {
    ClientTopology told =
        of(
            topology(
                9,
                List.of(member(A, 1, ""), member(B, 8, "b:2"), member(C, 9, "no endpoint")),
                new SegmentOwners(3, A, List.of(A, B), List.of()),
                new SegmentOwners(3, A, List.of(A), List.of())));
    assertEquals(List.of(new Endpoint("b", 2)), told.servers());
    assertEquals(List.of(List.of(0), List.of()), told.owners());
    assertEquals(8, told.epoch());
  }

  @Test
  void changesThatDontConcernTheCache_changeNothing() {
    List<Member> members = List.of(member(A, 1, "a:1"));
    SegmentOwners owners = new SegmentOwners(1, A, List.of(A), List.of());
    SegmentOwners withLearner = new SegmentOwners(1, A, List.of(A), List.of(B));
    assertEquals(of(topology(5, members, owners)), of(topology(6, members, withLearner)));
  }

  @Test
  void unknownCache_hasNone() {
    Topology topology =
        topology(5, List.of(member(A, 1, "a:1")), new SegmentOwners(1, A, List.of(A), List.of()));
    assertNull(ClientTopology.of(topology, "d"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", ":1", "a:", "a:x", "a:0", "a:65536", "a:-1"})
  void text_thatIsNoEndpoint_isNone(String text) {
    assertNull(Endpoint.of(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:1", "10.0.0.1:11222", "[::1]:65535"})
  void endpoint_isReadAsItIsWritten(String text) {
    assertEquals(text, Objects.requireNonNull(Endpoint.of(text)).toString());
  }
}
