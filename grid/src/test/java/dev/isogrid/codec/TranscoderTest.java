package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TranscoderTest {
  private static final String TEXT = "text/plain";
  private static final String OCTETS = "application/octet-stream";
  private static final String PROTOSTREAM = "application/x-protostream";

  private static final String JSON = "application/json";
  private static final Transcoder TRANSCODER =
      new Transcoder(
          Schemas.of(
              Map.of(
                  "m.proto",
                  "package p; message M { optional string f = 1; optional int32 n = 2;"
                      + " optional M m = 3; }")));

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String asText(String wrappedHex) {
    return new String(
        TRANSCODER.convert(hex(wrappedHex), PROTOSTREAM, TEXT), StandardCharsets.UTF_8);
  }

  @Test
  void text_toProtoStream_isAWrappedString() {
    assertArrayEquals(
        hex("4a03e282ac"),
        TRANSCODER.convert("\u20ac".getBytes(StandardCharsets.UTF_8), TEXT, PROTOSTREAM));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 3_000_000})
  void textAndOctets_ofAnyLength_roundTrip(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + i % 26);
    }
    for (String type : new String[] {TEXT, OCTETS}) {
      byte[] wrapped = TRANSCODER.convert(bytes, type, PROTOSTREAM);
      assertArrayEquals(bytes, TRANSCODER.convert(wrapped, PROTOSTREAM, type));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2807, 7",
    "28ffffffffffffffffff01, -1",
    "1807, 7",
    "1880808080808080808001, -9223372036854775808",
    "4001, true",
    "4000, false",
    "090000000000000840, 3.0",
    "150000c03f, 1.5",
    "4a026869, hi",
    "52026869, hi",
    "a80105, 5",
    "b00105, 5"
  })
  void wrappedScalars_toText_areReadable(String wrapped, String text) {
    assertEquals(text, asText(wrapped));
  }

  @Test
  void wrappedStringAndBytes_toOctets_areTheirContent() {
    assertArrayEquals(hex("6869"), TRANSCODER.convert(hex("4a026869"), PROTOSTREAM, OCTETS));
    assertArrayEquals(hex("00ff"), TRANSCODER.convert(hex("520200ff"), PROTOSTREAM, OCTETS));
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, text/plain",
    "text/plain; charset=UTF-8, Text/Plain",
    "application/unknown, text/plain",
    "application/json, application/unknown",
    "a/b, a/b",
    "a/b, application/octet-stream",
    "application/octet-stream, a/b",
    "application/octet-stream, text/plain",
    "text/plain, application/octet-stream",
    "text/html, text/plain",
    "text/html, text/html;charset=utf-8",
    "application/json, text/plain",
    "application/json, application/octet-stream",
    "application/x-java-object, application/x-protostream",
    "application/x-protostream, application/x-java-object;type=X"
  })
  void sameTypes_andUnknownOnes_areLeftAlone(String from, String to) {
    byte[] bytes = {1, 2, 3};
    assertNull(TRANSCODER.find(from, to));
    assertSame(bytes, TRANSCODER.convert(bytes, from, to));
  }

  @ParameterizedTest
  @CsvSource({
    "a/b, application/x-protostream",
    "application/x-protostream, a/b",
    "a/b, text/plain",
    "text/plain, a/b",
    "text/plain, text/html",
    "application/json, text/html",
    "application/x-protostream, text/css",
    "application/json, a/b",
    "a/b, c/d"
  })
  void otherTypes_areRefusedByName(String from, String to) {
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> TRANSCODER.convert(new byte[1], from, to));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.contains("from=" + from) && message.contains("to=" + to), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "4a", "4a05", "4a036869", "4a02686900", "820103702e4d", "09", "28", "ff"})
  void bytesThatAreNoScalar_areRefused(String wrapped) {
    assertThrows(InvalidRequestException.class, () -> asText(wrapped));
  }

  @Test
  void numbers_toOctets_areRefused() {
    assertThrows(
        InvalidRequestException.class, () -> TRANSCODER.convert(hex("2807"), PROTOSTREAM, OCTETS));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String refusal(byte[] bytes, String from, String to) {
    return String.valueOf(
        assertThrows(InvalidRequestException.class, () -> TRANSCODER.convert(bytes, from, to))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "820103702e4d8a01050a01611001 | {\"_type\":\"p.M\",\"f\":\"a\",\"n\":1}",
        "4a026869 | {\"_type\":\"string\",\"_value\":\"hi\"}",
        "2805 | {\"_type\":\"int32\",\"_value\":5}",
        "4001 | {\"_type\":\"bool\",\"_value\":true}",
        "520201ff | {\"_type\":\"bytes\",\"_value\":\"Af8=\"}"
      })
  void messagesAndScalars_toJsonAndBack_areTheSame(String wrapped, String json) {
    assertEquals(json, text(TRANSCODER.convert(hex(wrapped), PROTOSTREAM, JSON)));
    assertArrayEquals(hex(wrapped), TRANSCODER.convert(utf8(json), JSON, PROTOSTREAM));
  }

  @Test
  void commonJavaTypes_areKnownWithoutAFile() {
    String uuid = "9801ed078a011219ab40cd491b317d9421852b659709b4ada9";
    assertTrue(text(TRANSCODER.convert(hex(uuid), PROTOSTREAM, JSON)).contains("UUID"));
    assertTrue(text(TRANSCODER.convert(hex("b80105"), PROTOSTREAM, JSON)).contains("_type"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "\"x\"",
        "[1]",
        "{\"a\":1}",
        "{\"_type\":\"no.Such\"}",
        "{\"_type\":\"p.M\",\"unknown\":1}",
        "{\"_type\":\"p.M\"} {}",
        "{\"_type\":\"p.M\""
      })
  void otherJson_intoProtoStream_isRefused(String json) {
    String message = refusal(utf8(json), JSON, PROTOSTREAM);
    assertTrue(message.contains("from=application/json, to=application/x-protostream"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ff",
        "0a",
        "4a05",
        "98010a",
        "98010b8a0100",
        "4a01784a0178",
        "820103702e4e8a0100",
        "82010478787878"
      })
  void otherBytes_toJson_areRefused(String wrapped) {
    assertTrue(
        refusal(hex(wrapped), PROTOSTREAM, JSON).contains("JSON")
            || refusal(hex(wrapped), PROTOSTREAM, JSON).contains("json"));
  }

  @Test
  void messagesNestedTooDeeply_areRefused() {
    byte[] inner = {};
    for (int i = 0; i < 20_000; i++) {
      inner = delimited(new byte[] {0x1a}, inner);
    }
    byte[] wrapped = delimited(hex("820103702e4d8a01"), inner);
    assertTrue(refusal(wrapped, PROTOSTREAM, JSON).contains("deep"));
  }

  private static byte[] delimited(byte[] head, byte[] content) {
    ByteBuffer out = ByteBuffer.allocate(head.length + 5 + content.length).put(head);
    int length = content.length;
    while (length > 127) {
      out.put((byte) ((length & 127) | 128));
      length >>>= 7;
    }
    out.put((byte) length).put(content).flip();
    byte[] whole = new byte[out.remaining()];
    out.get(whole);
    return whole;
  }

  @Test
  void text_toJson_mustBeJson() {
    byte[] json = utf8("{\"a\":[1,2,{\"b\":null}]}");
    assertSame(json, TRANSCODER.convert(json, TEXT, JSON));
    assertSame(json, TRANSCODER.convert(json, OCTETS, JSON));
    for (String other : new String[] {"tv", "", "{} {}", "{\"a\":}", "[", "1 2"}) {
      assertTrue(refusal(utf8(other), TEXT, JSON).startsWith("not JSON"), other);
    }
  }

  @Test
  void text_ofAnotherCharacterSet_isRecoded() {
    byte[] latin = {(byte) 0xE4};
    String latinText = "text/plain; charset=ISO-8859-1";
    assertArrayEquals(utf8("\u00e4"), TRANSCODER.convert(latin, latinText, TEXT));
    assertArrayEquals(latin, TRANSCODER.convert(utf8("\u00e4"), TEXT, latinText));
    assertArrayEquals(hex("4a02c3a4"), TRANSCODER.convert(latin, latinText, PROTOSTREAM));
    assertArrayEquals(latin, TRANSCODER.convert(hex("4a02c3a4"), PROTOSTREAM, latinText));
    assertTrue(refusal(latin, TEXT, latinText).contains("malformed text"));
    assertTrue(refusal(latin, "text/plain;charset=nonsense", TEXT).contains("character set"));
    String unwritable = "text/plain;charset=ISO-2022-CN";
    assertTrue(refusal(utf8("a"), TEXT, unwritable).contains("can't be written"));
  }

  @Test
  void randomBytes_areConvertedOrRefused() {
    SplittableRandom random = new SplittableRandom(Long.getLong("seed", 3));
    int refused = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      try {
        TRANSCODER.convert(bytes, PROTOSTREAM, i % 3 == 0 ? TEXT : i % 3 == 1 ? OCTETS : JSON);
      } catch (InvalidRequestException refusal) {
        refused++;
      }
    }
    assertTrue(refused > 0);
  }
}
