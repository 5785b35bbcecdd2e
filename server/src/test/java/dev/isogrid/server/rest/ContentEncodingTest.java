package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentEncodingTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] compressed(String encoding, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        encoding.equals("deflate")
            ? new DeflaterOutputStream(bytes)
            : new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private TestResponse put(String encoding, byte[] body) {
    return client.request("PUT", ENTRY, body, "Content-Encoding: " + encoding);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "deflate"})
  void put_ofCompressedBody_storesWhatWasMeant(String encoding) throws IOException {
    byte[] plain = "some text, ".repeat(20).getBytes(StandardCharsets.UTF_8);
    assertEquals(204, put(encoding, compressed(encoding, plain)).status());
    assertArrayEquals(plain, client.get(ENTRY).body());
  }

  @Test
  void put_ofIdentity_storesTheBody() {
    assertEquals(204, put("identity", new byte[] {1, 2}).status());
    assertArrayEquals(new byte[] {1, 2}, client.get(ENTRY).body());
  }

  @Test
  void post_ofCompressedConfiguration_createsTheCache() throws IOException {
    byte[] plain = "{\"local-cache\":{}}".getBytes(StandardCharsets.UTF_8);
    TestResponse response =
        client.request(
            "POST",
            "/rest/v2/caches/new",
            compressed("gzip", plain),
            "Content-Type: application/json",
            "Content-Encoding: gzip");
    assertEquals(200, response.status(), response::text);
  }

  @Test
  void put_ofUnknownEncoding_is415AndStoresNothing() {
    TestResponse put = put("br", new byte[] {1});
    assertEquals(415, put.status());
    assertEquals("unknown encoding: Content-Encoding=br; use gzip, deflate or none", put.text());
    assertEquals(404, client.get(ENTRY).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void put_ofBytesThatAreNotCompressed_is400(String encoding) throws IOException {
    assertEquals(400, put(encoding, "plain".getBytes(StandardCharsets.UTF_8)).status());
    byte[] whole = compressed(encoding, new byte[1000]);
    assertEquals(400, put(encoding, Arrays.copyOf(whole, whole.length / 2)).status());
    assertEquals(404, client.get(ENTRY).status());
    assertTrue(client.isOpen());
  }

  @Test
  void put_ofBodyThatGrowsBeyondTheLimit_is413() throws IOException {
    byte[] bomb = compressed("gzip", new byte[TestServer.CONTENT_LENGTH_MAX + 1]);
    assertEquals(413, put("gzip", bomb).status());
    byte[] most = new byte[TestServer.CONTENT_LENGTH_MAX];
    assertEquals(204, put("gzip", compressed("gzip", most)).status());
    assertArrayEquals(most, client.get(ENTRY).body());
  }
}
