package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The description of a cluster of several nodes. */
class ClusterRequestTest {
  private static final NodeId A = new NodeId(0, 1);
  private static final NodeId B = new NodeId(0, 2);
  private static final SegmentOwners WELL = new SegmentOwners(1, B, List.of(A, B), List.of());

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @BeforeEach
  void cluster() {
    server.cluster("plain");
    server.topology = topology(WELL);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Topology topology(SegmentOwners owners) {
    return topology(new MemberProfile("node-b", 1, "", ""), owners);
  }

  private static Topology topology(MemberProfile ofB, SegmentOwners owners) {
    return new Topology(
        5,
        List.of(
            new Member(A, 1, new MemberProfile("node-a", 1, "", "10.0.0.1:11222")),
            new Member(B, 2, ofB)),
        List.of(A),
        List.of(new CacheGroup(2, 16)),
        Collections.nCopies(16, owners),
        List.of(new CacheDefinition(1, "plain", 0, 1, "")),
        1);
  }

  private String text(String path) {
    TestResponse response = client.get(path);
    assertEquals(200, response.status());
    return response.text();
  }

  private void assertTells(String path, String... parts) {
    String text = text(path);
    for (String part : parts) {
      assertTrue(text.contains(part), text);
    }
  }

  @Test
  void metrics_areForPrometheus() {
    client.get("/rest/v2/caches/proto/absent");
    assertTells(
        "/metrics",
        "# TYPE isogrid_cache_hits_total counter",
        "isogrid_cache_misses_total{cache=\"proto\",node=\"node-a\"} 1.0",
        "isogrid_cache_entries{cache=\"proto\",node=\"node-a\"} 0.0",
        "isogrid_cluster_members{node=\"node-a\"} 2.0",
        "isogrid_rebalance_left_bytes{node=\"node-a\"} 0.0",
        "isogrid_rebalance_sent_bytes_total{node=\"node-a\"} 0.0",
        "isogrid_split_apart{node=\"node-a\"} 0.0",
        "isogrid_split_kept_bytes{node=\"node-a\"} 0.0",
        "isogrid_split_entries_total{node=\"node-a\",outcome=\"conflict_lost\"} 0.0",
        "jvm_memory_used_bytes{area=\"heap\"");
    client.request("DELETE", "/rest/v2/caches/proto");
    assertTrue(!text("/metrics").contains("cache=\"proto\""));
    TestResponse open = client.get("/metrics", "Accept: application/openmetrics-text");
    assertTrue(open.text().endsWith("# EOF\n"), open.text());
    assertEquals(
        "application/openmetrics-text; version=1.0.0; charset=utf-8", open.header("content-type"));
  }

  @Test
  void metrics_countSegmentsThatLackCopies() {
    assertTells(
        "/metrics",
        "isogrid_majority{node=\"node-a\"} 1.0",
        "isogrid_lease{node=\"node-a\"} 1.0",
        "isogrid_segments_offline{node=\"node-a\"} 0.0",
        "isogrid_segments_underreplicated{node=\"node-a\"} 0.0");
    server.topology = topology(new SegmentOwners(2, A, List.of(A), List.of()));
    assertTells(
        "/metrics",
        "isogrid_segments_offline{node=\"node-a\"} 0.0",
        "isogrid_segments_underreplicated{node=\"node-a\"} 16.0");
    server.topology = topology(new SegmentOwners(3, null, List.of(B), List.of()));
    assertTells(
        "/metrics",
        "isogrid_segments_offline{node=\"node-a\"} 16.0",
        "isogrid_cache_segments_offline{cache=\"plain\",node=\"node-a\"} 16.0",
        "isogrid_cache_segments_underreplicated{cache=\"plain\",node=\"node-a\"} 16.0");
  }

  @Test
  void segmentsOfAGroupWhoseCachesWereRemoved_countAsNothing() {
    Topology lost = topology(new SegmentOwners(3, null, List.of(B), List.of()));
    assertEquals("DEGRADED", healthIn(lost));
    Topology removed =
        new Topology(
            lost.epoch(),
            lost.members(),
            lost.voters(),
            lost.groups(),
            lost.segments(),
            List.of(),
            1);
    assertEquals("HEALTHY", healthIn(removed));
    assertTells(
        "/metrics",
        "isogrid_segments_offline{node=\"node-a\"} 0.0",
        "isogrid_segments_underreplicated{node=\"node-a\"} 0.0");
  }

  private String healthIn(Topology topology) {
    server.topology = topology;
    return text("/rest/v2/container/health/status");
  }

  @Test
  void container_tellsTheMembers() {
    assertTells(
        "/rest/v2/container",
        "\"coordinator\":true",
        "\"physical_addresses\":[\"10.0.0.1:11222\"]",
        "\"coordinator_address\":\"node-a\"",
        "\"cluster_members\":[\"node-a\",\"node-b\"]",
        "\"cluster_members_physical_addresses\":[\"10.0.0.1:11222\"]",
        "\"cluster_size\":2");
    assertTells(
        "/rest/v2/cluster/members",
        "\"node_address\":\"node-a\",\"physical_addresses\":[\"10.0.0.1:11222\"]",
        "\"node_address\":\"node-b\",\"physical_addresses\":[]",
        "],\"protocol\":14,\"rolling_upgrade\":false}");
  }

  @Test
  void members_whileTheClusterIsUpgraded_haveTheirVersions() {
    MemberProfile upgraded =
        new MemberProfile("node-b", 1, "", "", "", new ProtocolVersions(12, 15));
    server.topology = topology(upgraded, new SegmentOwners(2, A, List.of(A, B), List.of()));
    assertTells(
        "/rest/v2/cluster/members",
        "{\"version\":\"1.2.3\",\"protocol\":\"12 to 14\",\"node_address\":\"node-a\"",
        "{\"version\":\"other\",\"protocol\":\"12 to 15\",\"node_address\":\"node-b\"",
        "],\"protocol\":14,\"rolling_upgrade\":true}");
    assertTells("/metrics", "isogrid_cluster_protocol_version{node=\"node-a\"} 14.0");
  }

  @Test
  void rebalancing_ofACache_isTold() {
    assertTells("/rest/v2/container", "\"rebalancing_enabled\":true");
    server.topology = topology(new SegmentOwners(2, A, List.of(A), List.of(B)));
    assertTells(
        "/rest/v2/caches/plain",
        "\"rebalancing_enabled\":true",
        "\"rebalancing_requested\":16",
        "\"rebalancing_inflight\":16");
    assertTells("/rest/v2/caches/proto", "\"rebalancing_enabled\":false");
    assertTells("/rest/v2/cluster?action=rebalancing", "\"copies_left\":0", "\"seconds_left\":0");
    assertTells("/rest/v2/cluster?action=rebalancing", "\"rate_limit\":\"configured\"");
    for (String wrong : List.of("", "&rate=", "&rate=fast", "&rate=65535", "&rate=-1")) {
      TestResponse refused =
          client.request("POST", "/rest/v2/container?action=limit-rebalancing" + wrong);
      assertEquals(400, refused.status());
      assertTrue(refused.text().contains("give at least 65536 bytes a second"), refused.text());
    }
    assertEquals(
        400,
        client.request("POST", "/rest/v3/container/_rebalancing-limit?rate=1MB").status(),
        "without a cluster");
    assertEquals(
        404, client.request("POST", "/rest/v2/caches/none?action=disable-rebalancing").status());
    TestResponse alone = client.request("POST", "/rest/v2/container?action=disable-rebalancing");
    assertEquals(400, alone.status());
    assertTrue(alone.text().contains("no rebalancing without a cluster"), alone.text());
  }

  @Test
  void segments_ofACacheOfTheCluster_haveTheirNodes() {
    server.topology = topology(new SegmentOwners(2, B, List.of(A, B), List.of()));
    String path = "/rest/v2/caches/plain?action=segments";
    assertTells(
        path,
        "{\"cache\":\"plain\",\"owners\":2,\"nodes\":[\"node-a\",\"node-b\"],\"segments\":["
            + "{\"primary\":1,\"backups\":[0],\"receiving\":[]},");
    assertEquals(17, text("/rest/v3/caches/plain/_segments").split("primary", -1).length);
    server.topology = topology(new SegmentOwners(3, A, List.of(A), List.of(B)));
    assertTells(path, "{\"primary\":0,\"backups\":[],\"receiving\":[1]}");
  }

  @Test
  void segments_thatNobodyServes_waitForNodesThatMayHaveLeft() {
    NodeId gone = new NodeId(0, 9);
    server.topology = topology(new SegmentOwners(3, null, List.of(gone), List.of()));
    assertTells(
        "/rest/v2/caches/plain?action=segments",
        "\"nodes\":[\"node-a\",\"node-b\",\"" + gone + "\"]",
        "{\"primary\":-1,\"backups\":[2],\"receiving\":[]}");
  }

  @Test
  void segments_ofACacheOfThisNodeAlone_areAllHere() {
    assertTells(
        "/rest/v2/caches/proto?action=segments",
        "\"owners\":1,\"nodes\":[\"node-a\"],\"segments\":["
            + "{\"primary\":0,\"backups\":[],\"receiving\":[]},");
    assertEquals(17, text("/rest/v2/caches/proto?action=segments").split("primary", -1).length);
    assertEquals(404, client.get("/rest/v2/caches/none?action=segments").status());
  }

  private void assertHealth(String health) {
    assertEquals(health, text("/rest/v2/container/health/status"));
    assertEquals(health, text("/rest/v2/caches/plain?action=health"));
    assertEquals("HEALTHY", text("/rest/v2/caches/proto?action=health"));
    assertTells(
        "/rest/v2/container/health",
        "\"health_status\":\"" + health + "\"",
        "\"number_of_nodes\":2",
        "\"node_names\":[\"node-a\",\"node-b\"]",
        "{\"status\":\"" + health + "\",\"cache_name\":\"plain\"}");
  }

  @Test
  void health_ofACacheWithMoreOwnersThanServers_hasANote() {
    String health = text("/rest/v2/container/health");
    assertTrue(!health.contains("note"), health);
    client.post("/rest/v2/caches/many", "{\"distributed-cache\":{\"owners\":3}}");
    assertTells(
        "/rest/v2/container/health",
        "\"cache_name\":\"many\",\"note\":\"owners=3, servers=2; each entry has 2 copies until");
  }

  @Test
  void health_withAllCopies_isHealthy() {
    assertHealth("HEALTHY");
  }

  @Test
  void health_withCopiesToBeMade_isRebalancing() {
    server.topology = topology(new SegmentOwners(2, A, List.of(A), List.of(B)));
    assertHealth("HEALTHY_REBALANCING");
    server.topology = topology(new SegmentOwners(2, A, List.of(A), List.of()));
    assertHealth("HEALTHY_REBALANCING");
    assertTells("/rest/v2/caches/plain", "\"rehash_in_progress\":true");
  }

  @Test
  void health_withoutAPrimary_isDegraded() {
    server.topology = topology(new SegmentOwners(2, null, List.of(A), List.of()));
    assertHealth("DEGRADED");
  }

  private TestResponse setAvailability(String cache, String availability) {
    return client.request(
        "POST",
        "/rest/v2/caches/%s?action=set-availability&availability=%s"
            .formatted(cache, availability));
  }

  @Test
  void availability_ofACacheWithLostSegments_isDegraded() {
    assertEquals("AVAILABLE", text("/rest/v2/caches/plain?action=get-availability"));
    server.topology = topology(new SegmentOwners(2, null, List.of(A), List.of()));
    assertEquals("DEGRADED_MODE", text("/rest/v2/caches/plain?action=get-availability"));
    assertEquals("DEGRADED_MODE", text("/rest/v3/caches/plain/_availability"));
    assertEquals("AVAILABLE", text("/rest/v2/caches/proto?action=get-availability"));
    assertEquals(404, client.get("/rest/v2/caches/none?action=get-availability").status());
  }

  @Test
  void availability_thatIsSet_isAvailableOnly() {
    TestResponse degraded = setAvailability("plain", "DEGRADED_MODE");
    assertEquals(400, degraded.status());
    assertTrue(
        degraded.text().contains("availability=DEGRADED_MODE; only AVAILABLE can"),
        degraded.text());
    assertEquals(
        400, client.request("POST", "/rest/v2/caches/proto?action=set-availability").status());
    assertEquals(204, setAvailability("proto", "available").status());
    assertEquals(404, setAvailability("none", "AVAILABLE").status());
    TestResponse alone = setAvailability("plain", "AVAILABLE");
    assertEquals(400, alone.status());
    assertTrue(alone.text().contains("without a cluster"), alone.text());
  }

  @Test
  void distribution_ofAKey_tellsItsOwners() {
    client.put("/rest/v2/caches/plain/k", "v");
    assertTells(
        "/rest/v2/caches/plain/k?action=distribution",
        "\"contains_key\":true",
        "{\"node_name\":\"node-b\",\"primary\":true,\"node_addresses\":[]}",
        "{\"node_name\":\"node-a\",\"primary\":false,\"node_addresses\":[\"10.0.0.1:11222\"]}");
  }
}
