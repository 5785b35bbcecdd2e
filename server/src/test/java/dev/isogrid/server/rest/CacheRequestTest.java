package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheMode;
import dev.isogrid.topology.ProtocolVersions;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheRequestTest {
  private static final String CACHES = "/rest/v2/caches";
  private static final String JSON = "Content-Type: application/json";
  private static final String CONFIG = "{\"distributed-cache\":{\"owners\":3,\"mode\":\"SYNC\"}}";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rest/v2/caches", "/rest/v3/caches", "/rest/v2/caches/"})
  void list_namesCaches(String target) {
    TestResponse list = client.get(target);
    assertEquals("[\"plain\",\"proto\"]", list.text());
    assertEquals("application/json", list.header("content-type"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rest/v2/caches?action=detailed", "/rest/v3/meta/caches/_detailed"})
  void detailedList_describesCaches(String target) {
    String list = client.get(target).text();
    assertTrue(list.startsWith("[{\"status\":\"RUNNING\",\"name\":\"plain\",\"type\":\"local"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          application/json | {"distributed-cache":{"owners":3}}
          application/json | {"x":{"distributed-cache":{"owners":3}}}
          application/xml  | <distributed-cache owners="3"/>
          application/yaml | distributedCache: {owners: 3}
          text/plain       | {"distributed-cache":{"owners":3}}
          */*              | <distributed-cache owners="3"/>
          """)
  void create_fromDocument_makesCache(String type, String document) {
    TestResponse created = client.post(CACHES + "/x", document, "Content-Type: " + type);
    assertEquals(200, created.status(), created::text);
    assertEquals(3, server.engine("x").config().owners());
    assertEquals(CacheMode.DIST_SYNC, server.engine("x").config().mode());
  }

  @Test
  void create_withoutContentType_findsFormatOut() {
    assertEquals(200, client.post(CACHES + "/x", CONFIG).status());
    assertEquals(3, server.engine("x").config().owners());
  }

  @Test
  void create_withoutBody_makesLocalCache() {
    assertEquals(200, client.request("POST", "/rest/v3/caches/x").status());
    assertEquals(CacheMode.LOCAL, server.engine("x").config().mode());
  }

  @Test
  void create_fromTemplate_takesIt() {
    String target = CACHES + "/x?template=org.infinispan.REPL_SYNC";
    assertEquals(200, client.request("POST", target).status());
    assertEquals(CacheMode.REPL_SYNC, server.engine("x").config().mode());
    assertEquals(400, client.request("POST", CACHES + "/y?template=none").status());
    assertEquals(400, client.post(target, CONFIG, JSON).status());
  }

  @Test
  void create_ofExistingCache_is400WithCode() {
    TestResponse again = client.post(CACHES + "/plain", CONFIG, JSON);
    assertEquals(400, again.status());
    assertTrue(again.text().startsWith("ISPN000507: "), again.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          application/json | {                                     | 400
          application/json | {"distributed-cache":{"owners":0}}    | 400
          application/json | {"distributed-cache":{"wings":2}}     | 400
          application/xml  | <distributed-cache                    | 400
          application/xml  | {"local-cache":{}}                    | 400
          image/png        | {"local-cache":{}}                    | 415
          application/x-www-form-urlencoded | {"local-cache":{}}   | 415
          """)
  void create_fromBadDocument_isRefused(String type, String document, int status) {
    TestResponse refused = client.post(CACHES + "/x", document, "Content-Type: " + type);
    assertEquals(status, refused.status());
    assertEquals(404, client.request("HEAD", CACHES + "/x").status());
  }

  @Test
  void create_withBadName_is400() {
    assertEquals(400, client.request("POST", CACHES + "/" + "n".repeat(256)).status());
    assertEquals(400, client.request("POST", CACHES + "/a%00").status());
    assertEquals(400, client.request("POST", CACHES + "/%ff").status());
    assertEquals(200, client.request("POST", CACHES + "/a%20%C3%A4%2F").status());
    assertTrue(server.node.cacheNames().contains("a ä/"));
    assertEquals(204, client.request("HEAD", CACHES + "/a%20%C3%A4%2F").status());
    assertEquals(204, client.put(CACHES + "/a%20%C3%A4%2F/k", "1").status());
    assertEquals("1", client.get(CACHES + "/a%20%c3%a4%2f/k").text());
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /rest/v2/caches/plain/, 400",
    "DELETE, /rest/v2/caches//plain, 400",
    "DELETE, /rest/v2/caches/plain/?force, 400",
    "DELETE, /rest/v2/caches/plain///#x, 400",
    "DELETE, /rest/v3/caches/plain/, 400",
    "DELETE, /rest/v3/caches//plain/, 400",
    "DELETE, /rest/v3/caches/plain/entries/, 405",
    "GET, /rest/v2/caches/plain/, 400",
    "HEAD, /rest/v2/caches/plain/, 400",
    "PUT, /rest/v2/caches/plain/, 400",
    "POST, /rest/v2/caches/new/, 400",
    "HEAD, /rest/v3/caches/plain/, 204",
    "GET, /rest/v2/caches/plain/?action=size, 200",
    "GET, /rest//v2/caches/plain, 200"
  })
  void emptyNameInThePath_neverMeansTheCache(String method, String target, int status) {
    TestResponse answer = client.request(method, target);
    assertEquals(status, answer.status(), answer::text);
    if (status == 400 && method.equals("DELETE")) {
      assertTrue(answer.text().contains("empty name of a key or cache"), answer.text());
    }
    assertEquals(Set.of("plain", "proto"), server.node.cacheNames());
  }

  @Test
  void create_withFlags() {
    assertEquals(200, client.request("POST", CACHES + "/x", "flags: VOLATILE").status());
    assertEquals(400, client.request("POST", CACHES + "/y", "flags: FUNNY").status());
    String update = "flags: update, volatile";
    assertEquals(200, client.post(CACHES + "/z", CONFIG, update).status());
    assertEquals(200, client.post(CACHES + "/z", CONFIG, update).status());
  }

  @Test
  void createOrUpdate_createsOrKeepsEqualOrRefuses() {
    assertEquals(200, client.put(CACHES + "/x", CONFIG, JSON).status());
    assertEquals(200, client.put(CACHES + "/x", CONFIG, JSON).status());
    String other = CONFIG.replace("3", "4");
    assertEquals(400, client.put(CACHES + "/x", other, JSON).status());
    assertEquals(400, client.request("PUT", CACHES + "/x").status());
    String template = CACHES + "/x?template=org.infinispan.LOCAL";
    assertEquals(400, client.put(template, CONFIG, JSON).status());
  }

  @Test
  void exists_and_delete() {
    assertEquals(204, client.request("HEAD", CACHES + "/plain").status());
    assertEquals(200, client.request("DELETE", CACHES + "/plain").status());
    assertEquals(404, client.request("DELETE", CACHES + "/plain").status());
    assertEquals(404, client.request("HEAD", CACHES + "/plain").status());
    assertEquals(Set.of("proto"), server.node.cacheNames());
  }

  @Test
  void config_isWrittenInAcceptedFormat() {
    String target = CACHES + "/plain?action=config";
    TestResponse json = client.get(target);
    assertEquals("application/json", json.header("content-type"));
    assertTrue(json.text().startsWith("{\"plain\":{\"local-cache\":{"), json.text());
    TestResponse xml = client.get(target, "Accept: text/html, application/xml;q=0.9");
    assertEquals("application/xml", xml.header("content-type"));
    assertTrue(xml.text().contains("<local-cache name=\"plain\""), xml.text());
    TestResponse yaml = client.get("/rest/v3/caches/plain/config", "Accept: application/yaml");
    assertEquals("application/yaml", yaml.header("content-type"));
    assertEquals(406, client.get(target, "Accept: image/png").status());
    assertTrue(client.get(target + "&pretty=true").text().contains("\n"));
    assertEquals(200, client.request("HEAD", target).status());
  }

  @Test
  void config_readBack_createsEqualCache() {
    client.post(CACHES + "/x", CONFIG, JSON);
    String document = client.get(CACHES + "/x?action=config").text();
    client.post(CACHES + "/y", document, JSON);
    assertEquals(server.engine("x").config(), server.engine("y").config());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rest/v2/caches/proto", "/rest/v3/caches/proto/details"})
  void details_tellWhatIsTrue(String target) {
    String details = client.get(target).text();
    for (String part :
        new String[] {
          "\"name\":\"proto\"",
          "\"value_storage\":\"application/x-protostream\"",
          "\"mode\":\"LOCAL\"",
          "\"size\":0",
          "\"stats\":{\"time_since_start\"",
          "\"configuration\":{\"proto\":{\"local-cache\":{",
          "\"storage_type\":\"OFF_HEAP\""
        }) {
      assertTrue(details.contains(part), part + " in " + details);
    }
  }

  @Test
  void sizeAndClear() {
    client.put(CACHES + "/plain/a", "1");
    client.put(CACHES + "/plain/b", "1", "timeToLiveSeconds: 1");
    assertEquals("2", client.get(CACHES + "/plain?action=size").text());
    server.nowMillis += 1000;
    assertEquals("1", client.get("/rest/v3/caches/plain/_size").text());
    assertEquals(204, client.request("POST", CACHES + "/plain?action=clear").status());
    assertEquals("0", client.get(CACHES + "/plain?action=size").text());
    assertEquals(204, client.request("POST", "/rest/v3/caches/plain/_clear").status());
  }

  @Test
  void statsAndReset() {
    client.put(CACHES + "/plain/a", "1");
    client.get(CACHES + "/plain/a");
    client.get(CACHES + "/plain/b");
    String stats = client.get(CACHES + "/plain?action=stats").text();
    assertTrue(stats.contains("\"stores\":1,\"retrievals\":2,\"hits\":1,\"misses\":1"), stats);
    assertTrue(stats.contains("\"current_number_of_entries\":1,"), stats);
    assertEquals(204, client.request("POST", CACHES + "/plain?action=stats-reset").status());
    assertTrue(client.get("/rest/v3/caches/plain/_stats").text().contains("\"hits\":0"));
  }

  @Test
  void stats_tellSecondsSinceTheStartAndTheReset() {
    server.nowMillis += 5000;
    client.post(CACHES + "/plain?action=stats-reset", "");
    server.nowMillis += 2999;
    String stats = client.get(CACHES + "/plain?action=stats").text();
    assertTrue(stats.contains("\"time_since_start\":7,"), stats);
    assertTrue(stats.contains("\"time_since_reset\":2,"), stats);
  }

  @Test
  void stats_ofMemory_areTrueNumbers() {
    client.put(CACHES + "/plain/a", "1");
    long memory = server.engine("plain").memoryUse().allocatedBytes();
    String stats = client.get(CACHES + "/plain?action=stats").text();
    assertTrue(stats.contains("\"off_heap_memory_used\":" + memory + ","), stats);
    assertTrue(stats.contains("\"data_memory_used\":" + memory + ","), stats);
    assertTrue(stats.contains("\"evictions\":0,"), stats);
  }

  @Test
  void details_ofBoundedCache_tellTheBound() {
    String config =
        "<local-cache statistics='true'><memory storage='HEAP' max-size='1MB'/></local-cache>";
    client.post(CACHES + "/x", config);
    String details = client.get(CACHES + "/x").text();
    for (String part :
        new String[] {
          "\"bounded\":true",
          "\"off_heap_memory_used\":0,",
          "\"storage_type\":\"HEAP_BINARY\"",
          "\"max_size\":\"1000000\",\"max_size_bytes\":1000000",
          "\"memory\":{\"storage\":\"HEAP\",\"max-size\":1000000,\"when-full\":\"REMOVE\"}"
        }) {
      assertTrue(details.contains(part), part + " in " + details);
    }
    assertTrue(client.get(CACHES + "/plain").text().contains("\"bounded\":false"));
  }

  @Test
  void stats_whenOff_areAllUnknown() {
    client.post(CACHES + "/x", "{\"local-cache\":{\"statistics\":false}}", JSON);
    String stats = client.get(CACHES + "/x?action=stats").text();
    assertTrue(stats.replaceAll("\"[a-z_]+\":-1,?", "").equals("{}"), stats);
  }

  @Test
  void health_isPlainText() {
    TestResponse health = client.get(CACHES + "/plain?action=health");
    assertEquals("HEALTHY", health.text());
    assertEquals("text/plain", health.header("content-type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /                        | 405 | GET, HEAD
          /metrics                 | 405 | GET, HEAD
          /health/live             | 405 | GET, HEAD
          /openapi                 | 405 | GET, HEAD
          /rest/v3/openapi         | 405 | GET, HEAD
          /console/                | 405 | GET, HEAD
          /rest/v2/caches/plain/k  | 405 | GET, HEAD, PUT, POST, DELETE
          """)
  void options_namesTheMethods(String target, int status, String allowed) {
    TestResponse response = client.request("OPTIONS", target);
    assertEquals(status, response.status(), target);
    assertEquals(allowed, response.header("allow"), target);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /rest/v2/caches/none                | 404
          GET    | /rest/v2/caches/none?action=config  | 404
          GET    | /rest/v2/caches/none?action=size    | 404
          GET    | /rest/v2/caches/none?action=stats   | 404
          GET    | /rest/v2/caches/none?action=health  | 404
          GET    | /rest/v2/caches/none?action=keys    | 404
          POST   | /rest/v2/caches/none?action=clear   | 404
          GET    | /rest/v2/caches/plain?action=dance  | 400
          GET    | /rest/v2/caches/plain?action=       | 400
          GET    | /rest/v2/caches?action=dance        | 400
          GET    | /rest/v2/caches/plain?action=clear  | 400
          PUT    | /rest/v2/caches                     | 405
          OPTIONS| *                                   | 200
          GET    | *                                   | 400
          OPTIONS| /rest/v2/caches                     | 405
          OPTIONS| /rest/v2/caches/plain/k             | 405
          POST   | /rest/v3/caches/plain/_size         | 405
          PATCH  | /rest/v2/caches/plain/k             | 403
          TRACE  | /rest/v2/caches                     | 403
          BREW   | /                                   | 403
          GET    | /rest/v4/caches                     | 404
          GET    | /rest                               | 404
          GET    | /nowhere                            | 404
          GET    | /rest/v2/caches/plain/k/x           | 404
          GET    | /1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7  | 404
          """)
  void unknownRequests_haveTheirStatus(String verb, String target, int status) {
    TestResponse response = client.request(verb, target);
    assertEquals(status, response.status());
    if (status == 403) {
      assertEquals("", response.text());
    }
    if (status == 405) {
      assertEquals("Not allowed", response.text());
      assertTrue(!response.field("allow").isEmpty());
    }
  }

  @Test
  void unknownCache_hasCode() {
    assertTrue(client.get(CACHES + "/none?action=size").text().startsWith("ISPN012010: "));
  }

  @Test
  void container_tellsWhatIsTrue() {
    for (String target : new String[] {"/rest/v2/container", "/rest/v2/cache-managers/default"}) {
      String text = client.get(target).text();
      assertTrue(text.startsWith("{\"version\":\"1.2.3\",\"name\":\"default\","), text);
      assertTrue(text.contains("\"cluster_name\":\"grid\""), text);
      assertTrue(text.contains("\"defined_caches\":[{\"name\":\"plain\",\"started\":true},"), text);
    }
  }

  @Test
  void health_ofContainer() {
    String expected =
        """
        {"cluster_health":{"cluster_name":"grid","health_status":"HEALTHY","number_of_nodes":1,\
        "node_names":["node-a"]},"cache_health":[{"status":"HEALTHY","cache_name":"plain"},\
        {"status":"HEALTHY","cache_name":"proto"}]}\
        """;
    assertEquals(expected, client.get("/rest/v3/container/health").text());
    assertEquals("HEALTHY", client.get("/rest/v2/container/health/status").text());
    assertEquals(200, client.request("HEAD", "/rest/v2/container/health").status());
  }

  @Test
  void serverAndMembers() {
    assertEquals(
        "{\"version\":\"1.2.3\",\"cache-manager-name\":\"default\"}",
        client.get("/rest/v2/server").text());
    assertEquals(
        """
        {"members":[{"version":"1.2.3","protocol":"%2$s","node_address":"node-a",\
        "physical_addresses":[],"cache_manager_status":"RUNNING"}],"protocol":%1$d,\
        "rolling_upgrade":false}\
        """
            .formatted(ProtocolVersions.OF_BUILD.newest(), ProtocolVersions.OF_BUILD),
        client.get("/rest/v2/cluster/members").text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/health/ready", "/"})
  void probesAndRoot_are200(String target) {
    assertEquals(200, client.get(target).status());
    assertEquals(200, client.request("HEAD", target).status());
  }
}
