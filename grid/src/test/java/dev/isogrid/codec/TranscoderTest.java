package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TranscoderTest {
  private static final String TEXT = "text/plain";
  private static final String OCTETS = "application/octet-stream";
  private static final String PROTOSTREAM = "application/x-protostream";

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String asText(String wrappedHex) {
    return new String(
        Transcoder.convert(hex(wrappedHex), PROTOSTREAM, TEXT), StandardCharsets.UTF_8);
  }

  @Test
  void text_toProtoStream_isAWrappedString() {
    assertArrayEquals(
        hex("4a03e282ac"),
        Transcoder.convert("\u20ac".getBytes(StandardCharsets.UTF_8), TEXT, PROTOSTREAM));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 3_000_000})
  void textAndOctets_ofAnyLength_roundTrip(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + i % 26);
    }
    for (String type : new String[] {TEXT, OCTETS}) {
      byte[] wrapped = Transcoder.convert(bytes, type, PROTOSTREAM);
      assertArrayEquals(bytes, Transcoder.convert(wrapped, PROTOSTREAM, type));
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
    assertArrayEquals(hex("6869"), Transcoder.convert(hex("4a026869"), PROTOSTREAM, OCTETS));
    assertArrayEquals(hex("00ff"), Transcoder.convert(hex("520200ff"), PROTOSTREAM, OCTETS));
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, text/plain",
    "text/plain; charset=UTF-8, Text/Plain",
    "application/unknown, text/plain",
    "application/json, application/unknown",
    "a/b, a/b"
  })
  void sameTypes_andUnknownOnes_areLeftAlone(String from, String to) {
    byte[] bytes = {1, 2, 3};
    assertTrue(Transcoder.isIdentity(from, to));
    assertSame(bytes, Transcoder.convert(bytes, from, to));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, application/x-protostream",
    "application/x-protostream, application/json",
    "text/plain, application/json",
    "a/b, c/d"
  })
  void otherTypes_areRefusedByName(String from, String to) {
    assertFalse(Transcoder.isIdentity(from, to));
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> Transcoder.convert(new byte[1], from, to));
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
        InvalidRequestException.class, () -> Transcoder.convert(hex("2807"), PROTOSTREAM, OCTETS));
  }

  @Test
  void randomBytes_areConvertedOrRefused() {
    SplittableRandom random = new SplittableRandom(Long.getLong("seed", 3));
    int refused = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      try {
        Transcoder.convert(bytes, PROTOSTREAM, i % 2 == 0 ? TEXT : OCTETS);
      } catch (InvalidRequestException refusal) {
        refused++;
      }
    }
    assertTrue(refused > 0);
  }
}
