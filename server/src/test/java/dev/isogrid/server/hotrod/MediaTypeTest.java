package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int START_GET = 0xE9;
  private static final int OCTETS = 3;
  private static final int PROTOSTREAM = 12;
  private static final int TEXT = 13;
  private static final int UNKNOWN = 17;

  private static final String WRAPPED_K = "4a016b";
  private static final String WRAPPED_HELLO = "4a0568656c6c6f";

  private final TestServer server =
      new TestServer()
          .with("c")
          .withEncoding("ps", "application/x-protostream")
          .withEncoding("text", "text/plain");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private Response put(String cache, int type, String keyHex, String valueHex) {
    return connection.call(
        new RequestBytes(41, PUT)
            .cache(cache)
            .types(type, type)
            .bytes(hex(keyHex))
            .u8(0x88)
            .bytes(hex(valueHex)));
  }

  private Response get(String cache, int type, String keyHex) {
    return connection.call(
        new RequestBytes(41, GET).cache(cache).types(type, type).bytes(hex(keyHex)));
  }

  private String storedMediaType(String cache, String key) {
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(server.node.engine(cache));
    BinaryKey binary = BinaryKey.of(key.getBytes(StandardCharsets.UTF_8));
    String[] type = {"no entry"};
    engine.peek(
        binary,
        binary.hash(),
        engine.newView(),
        entry -> type[0] = String.valueOf(entry.mediaType()));
    return type[0];
  }

  @Test
  void text_intoProtoStream_isAWrappedString() {
    assertEquals(0, put("ps", TEXT, "6b", "68656c6c6f").status());
    assertEquals(WRAPPED_HELLO, get("ps", PROTOSTREAM, WRAPPED_K).field("value"));
    assertEquals(WRAPPED_HELLO, get("ps", 0, WRAPPED_K).field("value"));
    assertEquals("hello", get("ps", TEXT, "6b").text("value"));
  }

  @ParameterizedTest
  @CsvSource({"2807, 7", "1807, 7", "4001, true", "52026869, hi", "09000000000000f83f, 1.5"})
  void protoStreamScalars_asText_areReadable(String wrapped, String text) {
    put("ps", PROTOSTREAM, WRAPPED_K, wrapped);
    assertEquals(text, get("ps", TEXT, "6b").text("value"));
  }

  private void finishAside(int expected) {
    assertEquals(expected, server.aside.size());
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
      connection.runPendingTasks();
    }
  }

  @Test
  void largeValues_areConvertedAside_inTheOrderOfTheRequests() {
    server.runsAsideAtOnce = false;
    byte[] large = "a".repeat(LongConversion.LOOP_BYTES_MAX + 1).getBytes(StandardCharsets.UTF_8);
    RequestBytes put = new RequestBytes(41, PUT).cache("ps").types(TEXT, TEXT).string("k").u8(0x88);
    RequestBytes get = new RequestBytes(41, GET).cache("ps").types(TEXT, TEXT).string("k").id(2);
    connection.send(put.bytes(large).id(1).bytes());
    connection.send(get.bytes());
    assertEquals(0, connection.responses(41).size());
    finishAside(1);
    List<Response> both = connection.responses(41);
    assertEquals(List.of(1L, 2L), both.stream().map(Response::id).toList());
    assertEquals(HexFormat.of().formatHex(large), both.getLast().field("value"));
    RequestBytes start = new RequestBytes(41, START_GET).cache("ps").types(TEXT, TEXT);
    connection.send(start.string("k").vInt(10).bytes());
    finishAside(1);
    assertEquals(0, connection.responses(41).getFirst().status());
    connection.send(
        new RequestBytes(41, GET).cache("ps").types(TEXT, PROTOSTREAM).string("k").bytes());
    assertEquals(1, connection.responses(41).size()); // needs no conversion
    assertEquals(0, put("ps", TEXT, "6b", "68656c6c6f").status());
    assertEquals("hello", get("ps", TEXT, "6b").text("value"));
  }

  @Test
  void octets_intoProtoStream_areWrappedBytes() {
    put("ps", OCTETS, "00ff", "0102");
    assertEquals("52020102", get("ps", PROTOSTREAM, "520200ff").field("value"));
    assertEquals("0102", get("ps", OCTETS, "00ff").field("value"));
  }

  @Test
  void protoStream_intoText_isUnwrapped() {
    put("text", PROTOSTREAM, WRAPPED_K, "1807");
    assertEquals("7", get("text", TEXT, "6b").text("value"));
    assertEquals("4a0137", get("text", PROTOSTREAM, WRAPPED_K).field("value"));
  }

  @Test
  void conversion_thatDoesNotExist_failsAndTheConnectionGoesOn() {
    int json = 2;
    Response response = put("ps", json, "6b", "7b7d");
    assertEquals(0x85, response.status());
    String message = response.field("message");
    assertTrue(message.contains("application/json"), message);
    assertTrue(message.contains("application/x-protostream"), message);
    assertEquals(2, get("ps", TEXT, "6b").status());
  }

  @Test
  void read_ofWhatCanNotBeConverted_failsWithoutATraceInTheReply() {
    put("ps", PROTOSTREAM, WRAPPED_K, "820103702e4d8a0100");
    Response response = get("ps", TEXT, "6b");
    assertEquals(0x85, response.status());
    assertEquals(0x50, response.operation());
  }

  @Test
  void failedConversion_ofThePreviousValue_leavesTheEntry() {
    put("ps", PROTOSTREAM, WRAPPED_K, "820103702e4d8a0100");
    Response response =
        connection.call(
            new RequestBytes(41, PUT)
                .cache("ps")
                .types(TEXT, TEXT)
                .flags(1)
                .string("k")
                .u8(0x88)
                .string("new"));
    assertEquals(0x85, response.status());
    assertEquals("820103702e4d8a0100", get("ps", PROTOSTREAM, WRAPPED_K).field("value"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3, 12, 13, 17})
  void cacheOfOpaqueBytes_neverConverts(int type) {
    put("c", TEXT, "6b", "ff00");
    assertEquals("ff00", get("c", type, "6b").field("value"));
  }

  @Test
  void cacheOfOpaqueBytes_keepsTheTypeOfTheValue() {
    put("c", TEXT, "6b", "00");
    assertEquals("text/plain", storedMediaType("c", "k"));
    put("c", 0, "6b", "00");
    assertEquals("null", storedMediaType("c", "k"));
    put("c", UNKNOWN, "6b", "00");
    assertEquals("null", storedMediaType("c", "k"));
    String longest = "x/" + "y".repeat(125);
    connection.call(new RequestBytes(41, PUT).valueType(longest).string("k").u8(0x88).string("v"));
    assertEquals(longest, storedMediaType("c", "k"));
    connection.call(
        new RequestBytes(41, PUT).valueType("Text/PLAIN").string("k").u8(0x88).string("v"));
    assertEquals("text/plain", storedMediaType("c", "k"));
  }

  @Test
  void cacheWithAnEncoding_keepsNoTypeOfItsOwn() {
    put("text", TEXT, "6b", "00");
    assertEquals("null", storedMediaType("text", "k"));
  }

  @Test
  void before28_nothingIsConvertedNorKept() {
    connection.call(new RequestBytes(25, PUT).cache("ps").string("k").u8(0x88).string("v"));
    assertEquals(
        "v", connection.call(new RequestBytes(25, GET).cache("ps").string("k")).text("value"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "\u00e4/b"})
  void customType_ofOtherCharacters_isRefusedAndTheConnectionGoesOn(String type) {
    RequestBytes put = new RequestBytes(41, PUT).valueType(type).string("k").u8(0x88).string("v");
    assertEquals(0x85, connection.call(put).status());
    assertEquals(2, get("c", 0, "6b").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "/plain", "a/b\r\nSet-Cookie: c", "a/\u00fc"})
  void customType_thatIsNone_isRefusedAndTheConnectionGoesOn(String type) {
    RequestBytes put = new RequestBytes(41, PUT).valueType(type).string("k").u8(0x88).string("v");
    assertEquals(0x85, connection.call(put).status());
    assertEquals(2, get("c", 0, "6b").status());
  }

  @Test
  void customType_tooLong_isRefusedAndTheConnectionGoesOn() {
    RequestBytes put =
        new RequestBytes(41, PUT)
            .valueType("x/" + "y".repeat(126))
            .string("k")
            .u8(0x88)
            .string("v");
    assertEquals(0x85, connection.call(put).status());
    assertEquals(2, get("c", 0, "6b").status());
  }

  @Test
  void numberWithoutType_isRefusedAndTheConnectionGoesOn() {
    assertEquals(0x85, get("c", 99, "6b").status());
    assertEquals(0x85, get("c", 16, "6b").status());
    assertEquals(2, get("c", 0, "6b").status());
  }

  @Test
  void typeThatLeadsInOnly_isWritten_andRefusedWhenRead() {
    int html = 14;
    assertEquals(0, put("ps", html, "6b", "68656c6c6f").status());
    assertEquals(WRAPPED_HELLO, get("ps", PROTOSTREAM, WRAPPED_K).field("value"));
    assertEquals(0x85, get("ps", html, "6b").status());
  }

  @Test
  void parameters_countOnlyIfTheyNameACharacterSet() {
    RequestBytes put =
        new RequestBytes(41, PUT)
            .cache("text")
            .typeWithParameters(TEXT, "q", "1", "Charset", "ISO-8859-1")
            .bytes(hex("e4"))
            .u8(0x88)
            .bytes(hex("e4"));
    assertEquals(0, connection.call(put).status());
    assertEquals("c3a4", get("text", TEXT, "c3a4").field("value"));
    RequestBytes get =
        new RequestBytes(41, GET)
            .cache("text")
            .typeWithParameters(TEXT, "charset", "UTF-8", "x", "y")
            .bytes(hex("c3a4"));
    assertEquals("c3a4", connection.call(get).field("value"));
    RequestBytes unknown =
        new RequestBytes(41, GET)
            .cache("text")
            .typeWithParameters(TEXT, "charset", "nonsense")
            .bytes(hex("c3a4"));
    assertEquals(0x85, connection.call(unknown).status());
  }

  @Test
  void cacheInAnotherCharacterSet_keepsThat() {
    server.withEncoding("latin", "text/plain; charset=ISO-8859-1");
    assertEquals(0, put("latin", TEXT, "c3a4", "c3b6").status());
    assertEquals("f6", get("latin", 0, "e4").field("value"));
    assertEquals("c3b6", get("latin", TEXT, "c3a4").field("value"));
    assertEquals("4a02c3b6", get("latin", PROTOSTREAM, "4a02c3a4").field("value"));
  }
}
