package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The topology that clients receive from a cluster of several servers. */
class ClusterTopologyTest {
  private static final int PING = 0x17;
  private static final int GET = 0x03;
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final Member MEMBER_A = member(A, 1, "10.0.0.1:11222");
  private static final Member MEMBER_B = member(B, 2, "10.0.0.2:11223");
  private static final SegmentOwners AB = new SegmentOwners(3, A, List.of(A, B), List.of());
  private static final SegmentOwners BA = new SegmentOwners(4, B, List.of(A, B), List.of());

  private final TestServer server = new TestServer();
  private final TestServer.Connection connection = server.connect();

  private static Member member(NodeId id, int joined, String endpoint) {
    return new Member(id, joined, new MemberProfile("n", 1, "", endpoint));
  }

  private static Topology topology(int epoch, List<Member> members, SegmentOwners... segments) {
    return new Topology(
        epoch,
        members,
        List.of(A),
        List.of(new CacheGroup(2, segments.length)),
        List.of(segments),
        List.of(new CacheDefinition(1, "c", 0, 1, "")),
        1);
  }

  @BeforeEach
  void cluster() {
    server.clustered("c").letWait("far");
    server.topology = topology(4, List.of(MEMBER_A, MEMBER_B), AB, BA);
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response ping(int version, int intelligence, int topologyId) {
    return connection.call(new RequestBytes(version, PING).topology(intelligence, topologyId));
  }

  private int id() {
    return Integer.parseInt(ping(41, 3, -1).field("topology id"));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 25, 28, 31, 40, 41})
  void hashAwareClient_isToldServersAndOwners(int version) {
    Response response = ping(version, 3, -1);
    assertEquals(List.of("10.0.0.1:11222", "10.0.0.2:11223"), response.all("server"));
    assertEquals("3", response.field("hash function"));
    assertEquals(List.of("0 1", "1 0"), response.all("owners"));
  }

  @Test
  void topologyAwareClient_isToldTheServers() {
    Response response = ping(41, 2, 0);
    assertEquals(2, response.all("server").size());
    assertFalse(response.has("owners"));
  }

  @Test
  void client_isToldAgainWhenSomethingChanged() {
    int before = id();
    assertFalse(ping(41, 3, before).hasTopology());

    server.topology = topology(5, List.of(MEMBER_A, MEMBER_B), AB, BA);
    assertFalse(ping(41, 3, before).hasTopology(), "an epoch that changes nothing");

    SegmentOwners onlyB = new SegmentOwners(6, B, List.of(B), List.of());
    server.topology = topology(6, List.of(MEMBER_B), onlyB, onlyB);
    Response get = connection.call(new RequestBytes(41, GET).topology(3, before).string("k"));
    assertEquals(List.of("10.0.0.2:11223"), get.all("server"));
    assertTrue(Integer.parseInt(get.field("topology id")) > before);
  }

  @Test
  void announcedEndpoint_changesTheIdWithoutAChangeOfOwners() {
    server.topology = topology(4, List.of(MEMBER_A, member(B, 2, "")), AB, BA);
    Response partial = ping(41, 3, -1);
    assertEquals(List.of("10.0.0.1:11222"), partial.all("server"));
    assertEquals(List.of("0", "0"), partial.all("owners"));
    int before = Integer.parseInt(partial.field("topology id"));
    server.topology = topology(5, List.of(MEMBER_A, MEMBER_B), AB, BA);
    assertTrue(ping(41, 3, before).hasTopology());
  }

  @Test
  void allServers_tellTheSameId() {
    int here = id();
    try (TestServer other = new TestServer();
        TestServer.Connection elsewhere = other.connect()) {
      other.clustered("c");
      other.topology = topology(17, List.of(MEMBER_A, MEMBER_B), AB, BA);
      assertFalse(elsewhere.call(new RequestBytes(41, PING).topology(3, here)).hasTopology());
    }
  }

  @Test
  void connections_shareWhatTheyTell() {
    TopologySections sections = new TopologySections(() -> server.topology, server.ownEndpoint);
    TopologySections.Told nothing = TopologySections.Told.NOTHING;
    TopologySections.Told one = sections.told(nothing, "c", null);
    TopologySections.Told other = sections.told(nothing, "c", null);
    assertTrue(one.section() != null && one.section().equals(other.section()));
    server.topology = topology(5, List.of(MEMBER_A, MEMBER_B), AB, BA);
    assertEquals(one.section(), sections.told(one, "c", null).section());
  }

  @Test
  void onlyServer_isToldByTheAddressThatTheClientUsed() {
    SegmentOwners only = new SegmentOwners(1, A, List.of(A), List.of());
    server.topology = topology(1, List.of(MEMBER_A), only, only);
    server.ownEndpoint.announced("10.0.0.1:11222");
    Response response = ping(41, 3, -1);
    assertEquals("10.1.2.3:11222", response.field("server"));
    assertEquals(List.of("0", "0"), response.all("owners"));
    TopologySections external = new TopologySections(() -> server.topology, new OwnEndpoint(true));
    TopologySections.Told told = external.told(TopologySections.Told.NOTHING, "c", null);
    assertEquals(
        "[10.0.0.1:11222]", String.valueOf(Objects.requireNonNull(told.content()).servers()));
  }

  @Test
  void requestThatWaits_tellsItToo() {
    Response response = connection.call(new RequestBytes(41, GET).topology(3, -1).string("far"));
    assertTrue(response.hasTopology());
    assertEquals(2, response.status());
  }

  @Test
  void cacheThatTheClusterDoesNotKnow_tellsNothing() {
    server.topology = null;
    assertFalse(ping(41, 3, -1).hasTopology());
  }
}
