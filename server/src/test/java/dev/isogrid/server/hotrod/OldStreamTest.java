package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of 2.6 to 4.0 that carry a value in chunks within one request. */
class OldStreamTest {
  private static final int GET = 0x03;
  private static final int GET_METADATA = 0x1B;
  private static final int OLD_GET = 0x37;
  private static final int OLD_PUT = 0x39;
  private static final long ANY = 0;
  private static final long ABSENT = -1;

  private final TestServer server = new TestServer().with("c");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private String plainGet(String key) {
    return connection.call(new RequestBytes(41, GET).string(key)).field("value");
  }

  private long version(String key) {
    Response response = connection.call(new RequestBytes(41, GET_METADATA).string(key));
    return Long.parseLong(response.field("version"));
  }

  @ParameterizedTest
  @ValueSource(ints = {26, 29, 31, 40, 41})
  void oldOperations_inEveryVersion_work(int version) {
    byte[] value = bytes(300_000);
    RequestBytes put = new RequestBytes(version, OLD_PUT).string("k").u8(0x88).i64(ANY);
    for (int from = 0; from < value.length; from += 50_000) {
      put.bytes(Arrays.copyOfRange(value, from, from + 50_000));
    }
    connection.send(put.vInt(0).bytes(), 30_001);
    assertEquals(0, connection.response(put).status());
    for (int offset : List.of(0, 1, 299_999, 300_000)) {
      Response got = connection.call(new RequestBytes(version, OLD_GET).string("k").vInt(offset));
      assertEquals(hex(Arrays.copyOfRange(value, offset, value.length)), got.field("value"));
      assertTrue(got.has("version"));
    }
    Response beyond = connection.call(new RequestBytes(version, OLD_GET).string("k").vInt(300_001));
    assertEquals("offset beyond the value: offset=300001, size=300000", beyond.field("message"));
    assertEquals(
        2, connection.call(new RequestBytes(version, OLD_GET).string("none").vInt(0)).status());
  }

  @Test
  void oldPut_withConditions_followsThem() {
    assertEquals(0, oldPut("k", ABSENT, "c").status());
    assertEquals(1, oldPut("k", ABSENT, "c").status());
    assertEquals(1, oldPut("k", version("k") + 1, "c").status());
    assertEquals(0, oldPut("k", version("k"), "c").status());
    assertEquals(2, oldPut("none", 5, "c").status());
  }

  private Response oldPut(String key, long version, String cache) {
    return connection.call(
        new RequestBytes(31, OLD_PUT)
            .cache(cache)
            .string(key)
            .u8(0x88)
            .i64(version)
            .string("ab")
            .string("c")
            .vInt(0));
  }

  @Test
  void oldPut_thatFails_isReadToItsEnd() {
    Response unknown = oldPut("k", ANY, "nowhere");
    assertEquals(0x84, unknown.status());
    assertTrue(unknown.field("message").contains("CacheNotFoundException"));
    RequestBytes large = new RequestBytes(31, OLD_PUT).string("k").u8(0x88).i64(ANY);
    for (int i = 0; i < 17; i++) {
      large.bytes(new byte[1_000_000]);
    }
    connection.send(large.vInt(0).bytes(), 300_000);
    Response refused = connection.response(large);
    assertEquals(0x85, refused.status());
    assertTrue(refused.field("message").startsWith("streamed value too large"));
    assertEquals(0, oldPut("k", ANY, "c").status());
    assertEquals("616263", plainGet("k"));
  }

  @Test
  void oldPut_withANonsenseChunk_endsTheConnection() {
    RequestBytes put = new RequestBytes(31, OLD_PUT).string("k").u8(0x88).i64(ANY).vInt(-1);
    assertEquals(0x84, connection.call(put).status());
    connection.passFarewell();
    assertFalse(connection.channel.isOpen());
  }

  @Test
  void oldPut_ofALongValue_keepsNoInput() {
    byte[] head = new RequestBytes(31, OLD_PUT).string("k").u8(0x88).i64(ANY).bytes();
    connection.send(head);
    for (int i = 0; i < 80; i++) {
      ByteArrayOutputStream chunk = new ByteArrayOutputStream();
      chunk.writeBytes(new byte[] {(byte) 0xC0, (byte) 0x9A, 0x0C}); // 200,000
      chunk.writeBytes(new byte[200_000]);
      connection.send(chunk.toByteArray(), 50_000);
      assertTrue(connection.usedMemory() < 1000);
    }
    connection.send(new byte[] {0});
    assertEquals(1, connection.responses(31).size());
    assertEquals(2 * 16_000_000, plainGet("k").length());
  }
}
