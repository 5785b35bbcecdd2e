package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeRequestTest {
  private static final String PLAIN = "/rest/v2/caches/plain/k";
  private static final String PROTO = "/rest/v2/caches/proto/k";
  private static final String OCTETS = "application/octet-stream";
  private static final String PROTOSTREAM = "application/x-protostream";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json              | application/json
          text/html; charset=iso-8859-1 | text/html; charset=iso-8859-1
          image/png                     | image/png
          application/x-own+json;v="1"  | application/x-own+json;v="1"
          */*                           | application/octet-stream
          """)
  void contentType_ofPut_isReturnedByGet(String sent, String expected) {
    client.put(PLAIN, "1", "Content-Type: " + sent);
    assertEquals(expected, client.get(PLAIN).header("content-type"));
  }

  @Test
  void contentType_ofNextPut_replacesItAlsoByNone() {
    client.put(PLAIN, "1", "Content-Type: text/css");
    client.put(PLAIN, "2");
    assertEquals(OCTETS, client.get(PLAIN).header("content-type"));
  }

  @Test
  void contentType_tooLongOrNotAscii_is400() {
    String longest = "text/" + "x".repeat(122);
    assertEquals(204, client.put(PLAIN, "1", "Content-Type: " + longest).status());
    assertEquals(longest, client.get(PLAIN).header("content-type"));
    assertEquals(400, client.put(PLAIN, "2", "Content-Type: " + longest + "x").status());
    assertEquals(400, client.put(PLAIN, "2", "Content-Type: text/ä").status());
    assertEquals("1", client.get(PLAIN).text());
  }

  @Test
  void contentType_ofDeclaredCache_isTheDeclaredOne() {
    server.create("json", "application/json");
    client.put("/rest/v2/caches/json/k", "{}");
    assertEquals("application/json", client.get("/rest/v2/caches/json/k").header("content-type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          */*                                   | 200 | application/json
          application/json                      | 200 | application/json
          APPLICATION/JSON                      | 200 | application/json
          application/*                         | 200 | application/json
          application/json;charset=utf-8        | 200 | application/json
          text/plain, application/json;q=0.1    | 200 | text/plain
          text/html,*/*;q=0.8                   | 200 | application/json
          application/octet-stream              | 200 | application/octet-stream
          text/plain                            | 200 | text/plain
          text/*                                | 200 | text/plain
          application/xml                       | 406 |
          application/json;q=0                  | 406 |
          nonsense                              | 406 |
          """)
  void accept_ofTypedEntry(String accept, int status, @Nullable String type) {
    client.put(PLAIN, "{}", "Content-Type: application/json");
    TestResponse get = client.get(PLAIN, "Accept: " + accept);
    assertEquals(status, get.status());
    if (status == 200) {
      assertEquals(type, get.header("content-type"));
      assertEquals("{}", get.text());
    } else {
      assertTrue(get.text().startsWith("ISPN012007: "), get.text());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | 200
          *  | 200
          *;q=.2, text/html;q=.1 | 200
          nonsense | 406
          nonsense, */* | 200
          /plain | 406
          """)
  void accept_ofNoMediaType_neverBecomesTheContentType(String accept, int status) {
    server.create("octets", OCTETS);
    client.put("/rest/v2/caches/octets/k", "1", "Content-Type: " + OCTETS);
    TestResponse get = client.get("/rest/v2/caches/octets/k", "Accept: " + accept);
    assertEquals(status, get.status());
    assertEquals(status == 200 ? OCTETS : "text/plain", get.header("content-type"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/xml", "text/html", "text/csv", "image/svg+xml"})
  void cacheOfAnotherType_hasKeysOfPlainText(String type) {
    server.create("typed", type);
    assertEquals(
        204, client.put("/rest/v2/caches/typed/k", "<a/>", "Content-Type: " + type).status());
    TestResponse get = client.get("/rest/v2/caches/typed/k");
    assertEquals("<a/>", get.text());
    assertEquals(type, get.header("content-type"));
    assertTrue(client.get("/rest/v2/caches/typed?action=keys").text().contains("\"k\""));
    assertTrue(client.get("/rest/v2/caches/typed?action=entries").text().contains("<a/>"));
    assertEquals(204, client.request("DELETE", "/rest/v2/caches/typed/k").status());
  }

  @Test
  void accept_ofEntryWithoutType_isOctetsOrPlainText() {
    client.put(PLAIN, "1");
    assertEquals("text/plain", client.get(PLAIN, "Accept: text/plain").header("content-type"));
    assertEquals(OCTETS, client.get(PLAIN, "Accept: " + OCTETS).header("content-type"));
    assertEquals(OCTETS, client.get(PLAIN, "Accept: text/html,*/*;q=.1").header("content-type"));
    assertEquals(406, client.get(PLAIN, "Accept: text/html").status());
    assertEquals(406, client.request("HEAD", PLAIN, "Accept: text/html").status());
  }

  @Test
  void accept_ofNothing_acceptsAnything() {
    client.put(PLAIN, "1", "Content-Type: image/png");
    assertEquals("image/png", client.get(PLAIN, "Accept: ").header("content-type"));
    assertEquals(406, client.get(PLAIN, "Accept: ", "Accept: text/html").status());
    String config = "/rest/v2/caches/plain?action=config";
    assertEquals(200, client.get(config, "Accept: ").status());
  }

  @Test
  void text_intoProtostream_isWhatHotRodClientsRead() {
    client.put(PROTO, "wörld", "Content-Type: text/plain; charset=utf-8");
    assertEquals("wörld", stored("k"));
    assertEquals("wörld", client.get(PROTO).text());
    assertEquals("text/plain; charset=utf-8", client.get(PROTO).header("content-type"));
    assertEquals("Accept", client.get(PROTO).header("vary"));
  }

  @Test
  void head_ofConvertedValue_hasItsLength() {
    client.put(PROTO, "four", "Content-Type: text/plain");
    assertEquals("4", client.request("HEAD", PROTO).header("content-length"));
    String raw = "Accept: " + PROTOSTREAM;
    assertEquals("6", client.request("HEAD", PROTO, raw).header("content-length"));
  }

  @Test
  void textOfOtherCharset_intoProtostream_isRecoded() {
    byte[] latin = "ä".getBytes(StandardCharsets.ISO_8859_1);
    client.request("PUT", PROTO, latin, "Content-Type: text/plain;charset=ISO-8859-1");
    assertEquals("ä", stored("k"));
    TestResponse get = client.get(PROTO);
    assertEquals("ä", get.text());
    assertEquals("text/plain; charset=utf-8", get.header("content-type"));
    assertEquals(400, client.put(PROTO, "x", "Content-Type: text/plain;charset=none").status());
  }

  @Test
  void charset_thatCannotBeWritten_isNotAcceptable() {
    client.put(PROTO, "a", "Content-Type: text/plain");
    for (String charset : new String[] {"ISO-2022-CN", "none"}) {
      String accept = "Accept: text/plain;charset=" + charset;
      assertEquals(406, client.get(PROTO, accept).status());
      assertEquals("a", client.get(PROTO, accept + ", */*;q=0.1").text());
    }
  }

  @Test
  void octets_intoProtostream_areWrappedBytes() {
    byte[] bytes = {1, 0, -1};
    client.request("PUT", PROTO, bytes, "Content-Type: " + OCTETS);
    assertArrayEquals(bytes, (byte[]) stored("k"));
    assertArrayEquals(bytes, client.get(PROTO, "Accept: " + OCTETS).body());
  }

  @Test
  void protostream_intoProtostream_isKeptAsItIs() {
    byte[] wrapped = ScalarMarshaller.INSTANCE.toBytes(42);
    client.request("PUT", PROTO, wrapped, "Content-Type: " + PROTOSTREAM);
    assertEquals(42, stored("k"));
    client.request("PUT", PROTO, wrapped);
    assertEquals(42, stored("k"));
    assertEquals("application/json", client.get(PROTO).header("content-type"));
    TestResponse get = client.get(PROTO, "Accept: " + PROTOSTREAM);
    assertEquals(PROTOSTREAM, get.header("content-type"));
    assertArrayEquals(wrapped, get.body());
    assertEquals("42", client.get(PROTO, "Accept: text/plain").text());
  }

  @Test
  void json_intoProtostream_is400() {
    TestResponse put = client.put(PROTO, "{}", "Content-Type: application/json");
    assertEquals(400, put.status());
    assertEquals(404, client.get(PROTO).status());
  }

  @Test
  void entryOfHotRodClient_isReadAsText() {
    store("key", "value");
    TestResponse get = client.get("/rest/v2/caches/proto/key", "Accept: text/plain");
    assertEquals("value", get.text());
    assertEquals("text/plain", get.header("content-type"));
    TestResponse json = client.get("/rest/v2/caches/proto/key");
    assertEquals("application/json", json.header("content-type"));
    assertEquals("{\"_type\":\"string\",\"_value\":\"value\"}", json.text());
    assertEquals(406, client.get("/rest/v2/caches/proto/key", "Accept: text/css").status());
  }

  @Test
  void messageOfHotRodClient_hasNoTextForm() {
    byte[] message = {(byte) 0x82, 1, 1, 'x', (byte) 0x8A, 1, 0}; // a type's name, and a message
    client.request("PUT", PROTO, message);
    assertEquals(400, client.get(PROTO, "Accept: text/plain").status());
    assertEquals(400, client.get(PROTO, "Accept: application/json").status());
    assertArrayEquals(message, client.get(PROTO, "Accept: " + OCTETS).body());
    assertArrayEquals(message, client.get(PROTO).body());
  }

  @Test
  void keyTypes_ofProtostreamCache_areThoseOfHotRodClients() {
    store(17L, "long");
    store(1.5, "double");
    store(true, "boolean");
    store(new byte[] {1, 2}, "bytes");
    assertEquals("long", byKey("17", "application/x-java-object; type=java.lang.Long"));
    assertEquals("double", byKey("1.5", "application/x-java-object;type=Double"));
    assertEquals("boolean", byKey("TRUE", "application/x-java-object;type=java.lang.Boolean"));
    assertEquals("bytes", byKey("AQI=", OCTETS));
    assertEquals("bytes", byKey("0x0102", OCTETS + ";encoding=hex"));
    String odd = "Key-Content-Type: application/x-java-object;type=java.util.Date";
    assertEquals(400, client.get(PROTO, odd).status());
    String noNumber = "Key-Content-Type: application/x-java-object;type=Long";
    assertEquals(400, client.get(PROTO, noNumber).status());
    assertEquals(400, client.get(PROTO, "Key-Content-Type: application/xml").status());
  }

  /** By the forms in which the console sends them: browsers take such a key out of a path. */
  @Test
  void keyThatAPathCannotEndWith_isReachedInAnotherForm() {
    String json = "%7B%22_type%22%3A%22string%22%2C%22_value%22%3A%22KEY%22%7D";
    for (String key : List.of("", ".", "..")) {
      store(key, "value of " + key);
      assertEquals("value of " + key, byKey(json.replace("KEY", key), "application/json"));
      String hex = "0x" + HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8));
      String keyType = "Key-Content-Type: application/octet-stream;encoding=hex";
      assertEquals(204, client.put("/rest/v2/caches/plain/" + hex, "in hex", keyType).status());
      if (!key.isEmpty()) {
        String escaped = "/rest/v2/caches/plain/" + key.replace(".", "%2E");
        assertEquals("in hex", client.get(escaped).text());
      }
      assertEquals("in hex", client.get("/rest/v2/caches/plain/" + hex, keyType).text());
    }
  }

  private String byKey(String path, String keyType) {
    return client
        .get("/rest/v2/caches/proto/" + path, "Key-Content-Type: " + keyType, "Accept: text/plain")
        .text();
  }

  private void store(Object key, Object value) {
    BinaryKey binary = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(key));
    Bytes bytes = Bytes.of(ScalarMarshaller.INSTANCE.toBytes(value));
    server
        .engine("proto")
        .write(binary, binary.hash(), new KeyWrite<BinaryKey, Bytes>().put(bytes));
  }

  private Object stored(Object key) {
    BinaryKey binary = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes(key));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean found =
        server
            .engine("proto")
            .peek(
                binary,
                binary.hash(),
                server.engine("proto").newView(),
                entry -> out.writeBytes(entry.value().toByteArray()));
    assertTrue(found, "no entry under the wrapped key");
    return ScalarMarshaller.INSTANCE.fromBytes(out.toByteArray());
  }

  @Test
  void vary_ofPlainCache_isAbsent() {
    client.put(PLAIN, "1");
    assertNull(client.get(PLAIN).header("vary"));
  }
}
