package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StopRequestTest {
  private static final String SERVER = "/rest/v2/server?action=stop";
  private static final String CLUSTER = "/rest/v2/cluster?action=stop";

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {SERVER, CLUSTER, "/rest/v3/server/_stop", "/rest/v3/cluster/_stop"})
  void stop_withEntriesOnlyInMemory_saysWhatIsLost(String target) {
    assertEquals("{\"servers\":[\"node-a\"],\"lost\":[]}", client.get(target).text());
    client.put("/rest/v2/caches/plain/k", "1");
    String lost = "{\"servers\":[\"node-a\"],\"lost\":[{\"cache\":\"plain\",\"entries\":1}]}";
    assertEquals(lost, client.get(target).text());
    assertEquals(0, server.stops.get());
    TestResponse response = client.post(target, "");
    assertEquals(200, response.status());
    assertEquals(lost, response.text());
    Await.until("a stop", () -> server.stops.get() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {SERVER, CLUSTER})
  void stop_withoutConfirmation_losesNothing(String target) {
    client.put("/rest/v2/caches/plain/k", "1");
    TestResponse refused = client.post(target + "&confirm=false", "");
    assertEquals(409, refused.status());
    assertTrue(refused.text().contains("caches={plain=1}"), refused.text());
    client.request("DELETE", "/rest/v2/caches/plain/k");
    assertEquals(0, server.stops.get());
    assertEquals(204, client.post(target + "&confirm=false", "").status());
    Await.until("a stop", () -> server.stops.get() == 1);
  }

  /** Clients repeat the parameter for each server. */
  @Test
  void stop_ofSeveralServers_isOfEachOfThem() {
    server.topology = ofThree();
    client.put("/rest/v2/caches/plain/k", "1");
    assertEquals(
        "{\"servers\":[\"node-a\",\"node-c\"],\"lost\":[{\"cache\":\"plain\",\"entries\":1}]}",
        client.get(CLUSTER + "&server=node-a&server=node-c").text());
    assertEquals(
        "{\"servers\":[\"node-b\",\"node-c\"],\"lost\":[]}",
        client.get(CLUSTER + "&server=node-b&server=node-c").text());
    TestResponse unknown = client.post(CLUSTER + "&server=node-a&server=node-d", "");
    assertEquals(400, unknown.status());
    assertTrue(unknown.text().startsWith("no such server: server=node-d;"), unknown.text());
    assertEquals(0, server.stops.get());
  }

  private static Topology ofThree() {
    List<Member> members = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      String name = "node-" + (char) ('a' + i - 1);
      members.add(new Member(new NodeId(0, i), i, new MemberProfile(name, 1, "", "")));
    }
    return new Topology(
        1, members, List.of(members.getFirst().id()), List.of(), List.of(), List.of(), 1);
  }

  @Test
  void stop_withStoredEntries_losesNothing() {
    server.node.createForServer(
        "stored",
        CacheConfig.builder()
            .storage(StorageType.HEAP_BINARY)
            .encoding(CacheConfig.UNKNOWN_MEDIA_TYPE, CacheConfig.UNKNOWN_MEDIA_TYPE)
            .fileStore(FileStore.builder().path(folder.toString()).build())
            .build());
    TestResponse written = client.put("/rest/v2/caches/stored/k", "1");
    assertEquals(204, written.status(), written::text);
    assertEquals(204, client.post(CLUSTER, "").status());
  }
}
