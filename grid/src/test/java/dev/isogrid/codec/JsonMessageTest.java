package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that a message can't hold as it is, and repeated numbers. */
class JsonMessageTest {
  private static final String SCHEMA =
      """
      package p;
      enum E { A = 0; B = 1; }
      message M {
        optional string f = 1;
        repeated int32 i = 2 [packed=true];
        repeated double d = 3 [packed=true];
        repeated sint64 s = 4;
        repeated E e = 5 [packed=true];
        repeated M m = 6;
        map<string, M> named = 7;
        repeated fixed32 x = 8 [packed=true];
        repeated bool b = 9 [packed=true];
        optional M one = 10;
        map<string, string> words = 11;
      }
      """;

  private static final Schemas SCHEMAS = Schemas.of(Map.of("m.proto", SCHEMA));

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  /** A wrapped M with some fields, of less than 128 bytes. */
  private static byte[] wrapped(String fields) {
    return hex("820103702e4d8a01" + delimited(fields));
  }

  private static String delimited(String hex) {
    return "%02x".formatted(hex.length() / 2) + hex;
  }

  private static String refusal(String json) {
    return String.valueOf(
        assertThrows(InvalidRequestException.class, () -> SCHEMAS.fromJson(json)).getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1204 01027f05 | \"i\":[1,2,127,5]",
        "1203 ac0201 | \"i\":[300,1]",
        "1a10 000000000000f03f 0000000000000040 | \"d\":[1.0,2.0]",
        "2203 01020b | \"s\":[-1,1,-6]",
        "2a02 0100 | \"e\":[\"B\",\"A\"]",
        "4208 0100000002000000 | \"x\":[1,2]",
        "4a02 0100 | \"b\":[true,false]",
        "0a0161 1202 0102 | \"f\":\"a\",\"i\":[1,2]",
        "1002 1202 0301 | \"i\":[2,3,1]",
        "1202 0102 4a01 01 | \"i\":[1,2],\"b\":[true]",
      })
  void packedNumbers_areReadAsJson_andComeBack(String fields, String json) {
    String whole = "{\"_type\":\"p.M\"," + json + "}";
    byte[] wrapped = wrapped(fields.replace(" ", ""));
    assertEquals(whole, SCHEMAS.toJson(wrapped));
    assertEquals(whole, SCHEMAS.toJson(SCHEMAS.fromJson(whole)));
  }

  @Test
  void packedNumbers_inNestedMessages_areReadAsJson() {
    String inner = "12020102";
    String numbers = "\"i\":[1,2]";
    for (String nested :
        new String[] {
          "32" + delimited(inner),
          "52" + delimited(inner),
          "3a" + delimited("0a016b12" + delimited(inner))
        }) {
      String json = SCHEMAS.toJson(wrapped(nested + "0a0161"));
      // The library writes no arrays in the messages of maps.
      boolean hasNumbers = json.contains(numbers) || json.contains("{\"i\":1,\"i\":2}");
      assertTrue(hasNumbers && json.contains("\"f\":\"a\""), json);
      assertEquals(json, SCHEMAS.toJson(SCHEMAS.fromJson(json)));
    }
  }

  @Test
  void messagesWithoutPackedNumbers_stayAsTheyAre() {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    for (byte[] bytes :
        new byte[][] {{}, hex("4a026869"), wrapped("0a0161"), hex("8a01"), hex("ff")}) {
      assertSame(bytes, PackedFields.unpacked(context, bytes, 1000));
    }
  }

  @Test
  void packedNumbers_thatAreNotWhole_orTooMany_areRefused() throws IOException {
    for (String fields : new String[] {"120180", "1a03000000", "420500000000ff"}) {
      byte[] wrapped = wrapped(fields);
      String message =
          String.valueOf(
              assertThrows(InvalidRequestException.class, () -> SCHEMAS.toJson(wrapped))
                  .getMessage());
      assertTrue(message.contains("not whole"), message);
    }
    SerializationContext context = ProtobufUtil.newSerializationContext();
    context.registerProtoFiles(
        org.infinispan.protostream.FileDescriptorSource.fromString("m.proto", SCHEMA));
    byte[] three = wrapped("1203010203");
    long limit = 3L * JsonWeight.FIELD_BYTES + 40;
    byte[] single = wrapped("100110021003");
    assertArrayEquals(single, PackedFields.unpacked(context, three, limit));
    InvalidRequestException tooMany =
        assertThrows(
            InvalidRequestException.class,
            () -> PackedFields.unpacked(context, wrapped("120401020304"), limit));
    assertTrue(String.valueOf(tooMany.getMessage()).contains("too much memory"), tooMany::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_type\":\"p.M\",\"f\":\"a\\ud800\"}",
        "{\"_type\":\"p.M\",\"f\":\"\\udc00\\ud800\"}",
        "{\"_type\":\"p.M\",\"m\":[{\"_type\":\"p.M\",\"f\":\"\\ud800x\"}]}",
        "{\"_type\":\"p.M\",\"named\":{\"\\ud800\":{\"_type\":\"p.M\"}}}",
        "{\"_type\":\"string\",\"_value\":\"\\udfff\"}"
      })
  void halfOfASurrogatePair_isRefused(String json) {
    String message = refusal(json);
    assertTrue(message.contains("surrogate pair"), message);
  }

  @Test
  void surrogatePair_isText() {
    String json = "{\"_type\":\"p.M\",\"f\":\"\\ud83d\\ude00\"}";
    assertEquals(
        "{\"_type\":\"p.M\",\"f\":\"\ud83d\ude00\"}", SCHEMAS.toJson(SCHEMAS.fromJson(json)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_type\":\"p.M\",\"f\":\"a\",\"f\":\"b\"}",
        "{\"_type\":\"p.M\",\"f\":\"a\",\"i\":[1],\"\\u0066\":\"a\"}",
        "{\"_type\":\"p.M\",\"f\":null,\"f\":\"b\"}",
        "{\"_type\":\"p.M\",\"one\":{\"f\":\"a\"},\"one\":{\"f\":\"b\"}}",
        "{\"_type\":\"p.M\",\"m\":[{\"_type\":\"p.M\",\"f\":\"a\",\"f\":\"b\"}]}",
        "{\"_type\":\"p.M\",\"named\":{\"k\":{\"_type\":\"p.M\"},\"k\":{\"_type\":\"p.M\"}}}",
        "{\"_type\":\"string\",\"_value\":\"a\",\"_value\":\"b\"}",
      })
  void nameTwice_isRefused(String json) {
    assertTrue(refusal(json).contains("name twice in one object: name="), refusal(json));
  }

  @Test
  void mapInALargeMessage_isReadAsJson() {
    String text = "a".repeat(JsonWeight.LENGTH_UNCHECKED);
    String json = "{\"_type\":\"p.M\",\"words\":{\"k\":\"%s\"}}".formatted(text);
    assertEquals(json, SCHEMAS.toJson(SCHEMAS.fromJson(json)));
  }

  @Test
  void repeatedField_thatComesTwice_isOne() {
    String inMap = "{\"_type\":\"p.M\",\"named\":{\"k\":{\"i\":1,\"i\":2}}}";
    assertArrayEquals(wrapped("3a09" + "0a016b1204" + "10011002"), SCHEMAS.fromJson(inMap));
    String json = "{\"_type\":\"p.M\",\"i\":[1],\"f\":\"a\",\"i\":[2]}";
    assertArrayEquals(wrapped("10010a01611002"), SCHEMAS.fromJson(json));
  }
}
