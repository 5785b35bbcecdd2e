package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mutable attributes of caches, and their aliases. */
class CacheSettingRequestTest {
  private static final String CACHE = "/rest/v2/caches/c";
  private static final String DOCUMENT =
      "<local-cache><expiration lifespan=\"1h\"/><memory max-count=\"9\"/></local-cache>";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @BeforeEach
  void start() {
    server.catalog.begin();
    assertEquals(200, post(CACHE, DOCUMENT).status());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private TestResponse post(String target, String body, String... headers) {
    return client.request("POST", target, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  @Test
  void mutableAttributes_areListedReadAndSet() {
    String names =
        "[\"expiration.lifespan\",\"expiration.max-idle\",\"memory.max-count\",\"statistics\"]";
    assertEquals(names, client.get(CACHE + "?action=get-mutable-attributes").text());
    assertEquals(names, client.get("/rest/v3/caches/c/config/attributes").text());
    assertTrue(
        client
            .get(CACHE + "?action=get-mutable-attributes&full=true")
            .text()
            .startsWith("{\"expiration.lifespan\":{\"value\":3600000,\"type\":\"long\"},"));
    String set = "?action=set-mutable-attribute&attribute-name=memory.max-count&attribute-value=";
    assertEquals(204, post(CACHE + set + "7", "").status());
    String get = "?action=get-mutable-attribute&attribute-name=memory.max-count";
    assertEquals("7", client.get(CACHE + get).text());
    String v3 = "/rest/v3/caches/c/config/attributes/expiration.lifespan";
    assertEquals(204, post(v3 + "?attribute-value=5s", "").status());
    assertEquals("5000", client.get(v3).text());
    assertTrue(client.get(CACHE + "?action=config").text().contains("\"max-count\":7"));
    assertEquals(400, post(CACHE + set + "none", "").status());
    assertEquals(
        400,
        post(CACHE + "?action=set-mutable-attribute&attribute-name=owners&attribute-value=3", "")
            .status());
    assertEquals(400, post(CACHE + "?action=set-mutable-attribute", "").status());
    assertEquals(404, client.get("/rest/v2/caches/none?action=get-mutable-attributes").status());
  }

  @Test
  void statistics_areSwitchedOnAndOff() {
    String set = CACHE + "?action=set-mutable-attribute&attribute-name=statistics&attribute-value=";
    String get = CACHE + "?action=get-mutable-attribute&attribute-name=statistics";
    assertEquals("false", client.get(get).text());
    assertTrue(client.get(CACHE + "?action=stats").text().contains("\"stores\":-1"));
    assertEquals(204, post(set + "true", "").status());
    assertEquals("true", client.get(get).text());
    client.put(CACHE + "/k", "1");
    client.get(CACHE + "/k");
    String stats = client.get(CACHE + "?action=stats").text();
    assertTrue(stats.contains("\"stores\":1"), stats);
    assertTrue(stats.contains("\"hits\":1"), stats);
    assertTrue(client.get("/metrics").text().contains("isogrid_cache_stores_total{cache=\"c\""));
    assertEquals(204, post(set + "FALSE", "").status());
    assertTrue(client.get(CACHE + "?action=stats").text().contains("\"stores\":-1"));
    assertFalse(client.get("/metrics").text().contains("isogrid_cache_stores_total{cache=\"c\""));
    assertEquals(204, post(set + "true", "").status());
    assertTrue(client.get(CACHE + "?action=stats").text().contains("\"stores\":0"));
    assertTrue(client.get("/metrics").text().contains("isogrid_cache_stores_total{cache=\"c\""));
    assertEquals(400, post(set + "maybe", "").status());
    assertTrue(
        client
            .get(CACHE + "?action=get-mutable-attributes&full=true")
            .text()
            .endsWith("\"statistics\":{\"value\":true,\"type\":\"boolean\"}}"));
  }

  @Test
  void put_changesWhatCanBeChanged_andRefusesAllElseByName() {
    assertEquals(200, client.put(CACHE, DOCUMENT.replace("1h", "2h")).status());
    assertTrue(client.get(CACHE + "?action=config").text().contains("7200000"));
    TestResponse refused =
        client.put(CACHE, DOCUMENT.replace("<local-cache", "<local-cache segments=\"8\""));
    assertEquals(400, refused.status());
    assertTrue(refused.text().contains("attributes=[segments]"), refused.text());
  }

  @Test
  void put_thatLeavesABoundOut_orAddsOne_isRefusedByName() {
    String bound = "<memory max-count=\"9\"/>";
    for (String document : List.of(DOCUMENT.replace(bound, ""), "<local-cache/>")) {
      TestResponse refused = client.put(CACHE, document);
      assertEquals(400, refused.status());
      String named = "attributes=[memory.max-count, memory.when-full]";
      assertTrue(refused.text().contains(named), refused.text());
      assertTrue(refused.text().contains("neither added nor taken away"), refused.text());
    }
    TestResponse other = client.put(CACHE, DOCUMENT.replace("max-count=\"9\"", "max-size=\"1MB\""));
    assertEquals(400, other.status());
    String both = "attributes=[memory.max-count, memory.max-size]";
    assertTrue(other.text().contains(both), other.text());
    assertEquals(200, post("/rest/v2/caches/free", "<local-cache/>").status());
    TestResponse added =
        client.put("/rest/v2/caches/free", "<local-cache>" + bound + "</local-cache>");
    assertEquals(400, added.status());
    assertTrue(added.text().contains("attributes=[memory.max-count, "), added.text());
  }

  @Test
  void put_thatLeavesAMutableAttributeOut_setsItsDefault() {
    String plain = DOCUMENT.replace("<expiration lifespan=\"1h\"/>", "");
    assertEquals(
        200, client.put(CACHE, DOCUMENT.replaceFirst("he>", "he statistics=\"true\">")).status());
    assertEquals(200, client.put(CACHE, plain).status());
    String attribute = CACHE + "?action=get-mutable-attribute&attribute-name=";
    assertEquals("-1", client.get(attribute + "expiration.lifespan").text());
    assertEquals("false", client.get(attribute + "statistics").text());
  }

  @Test
  void alias_isAnotherNameOfTheCache() {
    assertEquals(204, post(CACHE + "?action=assign-alias&alias=x", "").status());
    client.put("/rest/v2/caches/x/k", "1");
    assertEquals("1", client.get(CACHE + "/k").text());
    assertEquals("1", client.get("/rest/v2/caches/x?action=size").text());
    assertEquals(204, client.request("HEAD", "/rest/v2/caches/x").status());
    assertTrue(client.get(CACHE).text().contains("\"aliases\":[\"x\"]"));
    String config = client.get(CACHE + "?action=config").text();
    assertTrue(config.startsWith("{\"c\":{\"local-cache\":{\"aliases\":\"x\","), config);
    String container = client.get("/rest/v2/container/config").text();
    assertTrue(container.contains("\"c\":{\"local-cache\":{\"aliases\":\"x\","), container);
    assertEquals(400, post("/rest/v3/caches/c/_assign-alias?alias=plain", "").status());
    assertEquals(400, post("/rest/v3/caches/c/_assign-alias", "").status());
  }

  @Test
  void convert_writesTheSameInAnotherFormat() {
    String yaml =
        post("/rest/v2/caches?action=convert", DOCUMENT, "Accept: application/yaml").text();
    assertTrue(yaml.contains("localCache:"), yaml);
    String xml = post("/rest/v3/_cache-config-convert", yaml, "Accept: application/xml").text();
    assertTrue(xml.contains("max-count=\"9\""), xml);
    String renamed = DOCUMENT.replace("<local-cache>", "<local-cache aliases=\"x\">");
    assertTrue(post("/rest/v2/caches?action=toJSON", renamed).text().contains("\"aliases\":\"x\""));
    assertTrue(post("/rest/v2/caches?action=toJSON", DOCUMENT).text().startsWith("{\"local-cache"));
    assertEquals(400, post("/rest/v2/caches?action=convert", "nonsense").status());
  }

  private static String form(String... documents) {
    StringBuilder form = new StringBuilder();
    for (String document : documents) {
      form.append("--b\r\nContent-Disposition: form-data; name=\"one\"; filename=\"f\"\r\n")
          .append("Content-Type: application/octet-stream\r\n\r\n")
          .append(document)
          .append("\r\n");
    }
    return form.append("--b--\r\n").toString();
  }

  private TestResponse compared(String parameters, String... documents) {
    String type = "Content-Type: multipart/form-data; boundary=b";
    TestResponse v2 = post("/rest/v2/caches?action=compare" + parameters, form(documents), type);
    String v3 = "/rest/v3/_cache-config-compare?x=y";
    assertEquals(v2.status(), post(v3 + parameters, form(documents), type).status());
    return v2;
  }

  @Test
  void compare_tellsWhetherConfigurationsAreEqual() {
    String json =
        "{\"n\":{\"local-cache\":{\"memory\":{\"maxCount\":9}," //
            + "\"expiration\":{\"lifespan\":\"60m\"}}}}";
    assertEquals(204, compared("", DOCUMENT, json).status());
    String shorter = DOCUMENT.replace("1h", "2h");
    TestResponse differing = compared("", DOCUMENT, shorter);
    assertEquals(409, differing.status());
    assertTrue(differing.text().contains("[expiration.lifespan]"), differing.text());
    assertEquals(204, compared("&ignoreMutable=true", DOCUMENT, shorter).status());
    String renamed = DOCUMENT.replace("<local-cache>", "<local-cache aliases=\"x\">");
    assertEquals(409, compared("", DOCUMENT, renamed).status());
    assertEquals(204, compared("&ignoreMutable=true", DOCUMENT, renamed).status());
    String segments = DOCUMENT.replace("<local-cache>", "<local-cache segments=\"8\">");
    assertEquals(409, compared("&ignoreMutable=true", DOCUMENT, segments).status());
    String boundless = DOCUMENT.replace("<memory max-count=\"9\"/>", "");
    assertEquals(409, compared("&ignoreMutable=true", DOCUMENT, boundless).status());
    assertEquals(409, compared("&ignoreMutable=true", boundless, DOCUMENT).status());
  }

  @Test
  void compare_ofAnythingElse_isRefused() {
    String compare = "/rest/v2/caches?action=compare";
    assertEquals(400, post(compare, DOCUMENT).status());
    assertEquals(400, post(compare, "", "Content-Type: multipart/form-data; boundary=b").status());
    String form = form(DOCUMENT, DOCUMENT);
    assertEquals(400, post(compare, form, "Content-Type: multipart/form-data").status());
    String other = "Content-Type: multipart/form-data; boundary=other";
    assertEquals(400, post(compare, form, other).status());
    assertEquals(400, compared("", DOCUMENT).status());
    assertEquals(400, compared("", DOCUMENT, DOCUMENT, DOCUMENT).status());
    assertEquals(400, compared("&ignoreMutable=maybe", DOCUMENT, DOCUMENT).status());
    TestResponse refused = compared("", DOCUMENT, "<nonsense/>");
    assertEquals(400, refused.status());
    assertTrue(refused.text().startsWith("part 2 of the form: "), refused.text());
    String typed = form(DOCUMENT, DOCUMENT).replace("application/octet-stream", "image/png");
    assertEquals(
        400, post(compare, typed, "Content-Type: multipart/form-data; boundary=b").status());
  }

  @Test
  void configurations_ofCachesAndTemplates_areListed() {
    String document = "{\"local-cache\":{\"expiration\":{\"lifespan\":3}}}";
    var templates = server.catalog.templates();
    templates.create("t", templates.template("org.infinispan.LOCAL"), true);
    assertEquals(400, client.put(CACHE, document).status());
    String listed = client.get("/rest/v2/container/cache-configs/templates").text();
    assertTrue(listed.startsWith("[{\"name\":\"t\",\"configuration\":{"), listed);
    String caches = client.get("/rest/v3/container/cache-configs").text();
    assertTrue(caches.startsWith("[{\"name\":\"c\",\"configuration\":{"), caches);
    assertEquals(200, post("/rest/v2/caches/byTemplate?template=t", "").status());
  }
}
