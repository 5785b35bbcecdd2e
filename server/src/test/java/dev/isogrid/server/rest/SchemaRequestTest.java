package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schemas, and JSON that needs them. */
class SchemaRequestTest {
  private static final String SCHEMAS = "/rest/v2/schemas";
  private static final String ENTRY = "/rest/v2/caches/proto/k";
  private static final String SCHEMA = "package p; message M { optional string f = 1; }";
  private static final String MESSAGE = "{\"_type\":\"p.M\",\"f\":\"a\"}";
  private static final String JSON = "Content-Type: application/json";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @BeforeEach
  void start() {
    server.catalog.begin();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private TestResponse post(String path) {
    return client.request("POST", SCHEMAS + path, SCHEMA.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void schema_livesByItsName() {
    assertEquals("[]", client.get(SCHEMAS).text());
    TestResponse created = post("/m");
    assertEquals(201, created.status());
    assertEquals("{\"name\":\"m.proto\",\"error\":null}", created.text());
    assertEquals(409, post("/m.proto").status());
    assertEquals(SCHEMA, client.get(SCHEMAS + "/m.proto").text());
    assertEquals("text/plain", client.get(SCHEMAS + "/m").header("content-type"));
    assertEquals("[\"p.M\"]", client.get(SCHEMAS + "?action=types").text());
    assertEquals("[\"p.M\"]", client.get("/rest/v3/meta/schemas/_types").text());
    assertEquals("[{\"name\":\"m.proto\",\"error\":null}]", client.get(SCHEMAS).text());
    assertTrue(client.get(SCHEMAS + "/m?action=detailed").text().contains("\"caches\":[]"));
    assertEquals(204, client.request("DELETE", SCHEMAS + "/m").status());
    assertEquals(404, client.request("DELETE", SCHEMAS + "/m").status());
    assertEquals(404, client.get(SCHEMAS + "/m").status());
  }

  @Test
  void brokenSchema_isKeptAndToldOf() {
    TestResponse put = client.put("/rest/v3/schemas/bad", "message {");
    assertEquals(200, put.status());
    assertTrue(put.text().contains("\"message\":\"Schema bad.proto has errors\""), put.text());
    assertEquals(put.text(), client.get("/rest/v3/schemas").text().replaceAll("^.|.$", ""));
    assertEquals(200, client.get("/rest/v2/caches/___protobuf_metadata/bad.proto.errors").status());
  }

  @Test
  void schemaWithoutABody_isRefused() {
    for (String method : new String[] {"POST", "PUT"}) {
      TestResponse refused = client.request(method, SCHEMAS + "/m");
      assertEquals(400, refused.status());
      assertEquals("schema missing: send its text as the body", refused.text());
    }
    assertEquals("[]", client.get(SCHEMAS).text());
  }

  @Test
  void schemaPutIntoTheCache_isASchema() {
    String entry = "/rest/v2/caches/___protobuf_metadata/m.proto";
    assertEquals(204, client.put(entry, SCHEMA, "Content-Type: text/plain").status());
    assertEquals("[\"p.M\"]", client.get(SCHEMAS + "?action=types").text());
    assertEquals(SCHEMA, client.get(entry, "Accept: text/plain").text());
    assertEquals(204, client.request("DELETE", entry).status());
    assertEquals("[]", client.get(SCHEMAS).text());
  }

  @Test
  void json_isKeptAsProtostream_andReadAsJson() {
    assertEquals(400, client.put(ENTRY, MESSAGE, JSON).status());
    client.put(SCHEMAS + "/m", SCHEMA);
    assertEquals(204, client.put(ENTRY, MESSAGE, JSON).status());
    TestResponse get = client.get(ENTRY, "Accept: application/json");
    assertEquals(MESSAGE, get.text());
    assertEquals("application/json", get.header("content-type"));
    byte[] wrapped = client.get(ENTRY, "Accept: application/x-protostream").body();
    assertEquals(0x82, wrapped[0] & 0xFF);
    assertEquals(MESSAGE, client.get(ENTRY).text());
    String key = "{\"_type\":\"string\",\"_value\":\"k\"}";
    assertEquals(
        "[{\"key\":" + key + ",\"value\":" + MESSAGE + "}]",
        client.get("/rest/v2/caches/proto?action=entries").text());
    assertEquals(400, client.get(ENTRY, "Accept: text/plain").status());
    assertEquals(400, client.put(ENTRY, "{\"f\":1}", JSON).status());
  }

  @Test
  void json_thatIsNoneAnyMore_isRefusedToWhoAsksForJson() {
    client.put(SCHEMAS + "/m", SCHEMA);
    client.put(ENTRY, MESSAGE, JSON);
    byte[] wrapped = client.get(ENTRY, "Accept: application/x-protostream").body();
    client.request("DELETE", SCHEMAS + "/m");
    TestResponse refused = client.get(ENTRY, "Accept: application/json");
    assertEquals(400, refused.status());
    assertTrue(refused.text().contains("p.M"), refused::text);
    TestResponse any = client.get(ENTRY, "Accept: application/json, */*;q=0.1");
    assertEquals("application/x-protostream", any.header("content-type"));
    assertArrayEquals(wrapped, any.body());
  }

  @Test
  void longJson_isConvertedAsideFromTheEventLoop() {
    client.put(SCHEMAS + "/m", SCHEMA);
    String message = "{\"_type\":\"p.M\",\"f\":\"%s\"}".formatted("x".repeat(70_000));
    server.holding = true;
    client.send(
        "PUT "
            + ENTRY
            + " HTTP/1.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + message.length()
            + "\r\n\r\n"
            + message);
    server.held.remove().run();
    client.collect();
    assertEquals(204, client.next(false).status());
    client.send("GET " + ENTRY + " HTTP/1.1\r\n\r\n");
    assertEquals(1, server.held.size());
    server.held.remove().run();
    client.collect();
    assertEquals(message, client.next(false).text());
    client.send("GET " + ENTRY + " HTTP/1.1\r\nAccept: application/x-protostream\r\n\r\n");
    assertEquals(200, client.next(false).status());
    assertEquals(0, server.held.size());
    server.holding = false;
    String stats = client.get("/rest/v2/caches/proto?action=stats").text();
    assertTrue(stats.contains("\"hits\":2,"), stats);
  }
}
