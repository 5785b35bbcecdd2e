package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static final int PART_BYTES = 16;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String whole(JsonText text) {
    ByteBuf out = Unpooled.buffer();
    text.writeAll(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String inParts(JsonText text) {
    ByteBuf out = Unpooled.buffer();
    boolean isDone = false;
    while (!isDone) {
      int before = out.writerIndex();
      isDone = text.writePart(out, PART_BYTES);
      int written = out.writerIndex() - before;
      assertTrue(written <= PART_BYTES + 4, "bytes of a part: " + written);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void text_isQuotedAndEscaped() {
    byte[] bytes = utf8("a\"b\\c\n\u0000d\u00e4\ud83d\ude00".repeat(9));
    String expected = '"' + "a\\\"b\\\\c\\u000a\\u0000d\u00e4\ud83d\ude00".repeat(9) + '"';
    assertEquals(expected, whole(JsonText.of(bytes)));
    assertEquals(expected, inParts(JsonText.of(bytes)));
    assertEquals("\"\"", whole(JsonText.of(new byte[0])));
  }

  @Test
  void otherBytes_areHexDigits() {
    byte[] bytes = new byte[50];
    Arrays.fill(bytes, (byte) 0xfa);
    String expected = "\"0x" + "fa".repeat(50) + '"';
    assertEquals(expected, whole(JsonText.of(bytes)));
    assertEquals(expected, inParts(JsonText.of(bytes)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 12, 13, 100})
  void base64_isPaddedAtTheEndOnly(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    String expected = '"' + Base64.getEncoder().encodeToString(bytes) + '"';
    assertEquals(expected, whole(JsonText.base64(bytes)));
    assertEquals(expected, inParts(JsonText.base64(bytes)));
  }

  @Test
  void raw_isWrittenAsItIs() {
    String json = "{\"a\":" + "1".repeat(100) + "}";
    assertEquals(json, inParts(JsonText.raw(utf8(json))));
  }

  /** Bytes are text if Java decodes and encodes them without a change. */
  @Test
  void bytes_areTextOrHex_asJavaSeesThem() {
    int[] some = {0, 'a', 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0xef, 0xf0, 0x90, 0xf4};
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(5)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) some[random.nextInt(some.length)];
      }
      byte[] again = utf8(new String(bytes, StandardCharsets.UTF_8));
      assertEquals(
          !Arrays.equals(bytes, again),
          whole(JsonText.of(bytes)).startsWith("\"0x"),
          () -> Arrays.toString(bytes));
    }
  }
}
