package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkOperationsTest {
  private static final int GET_WITH_METADATA = 0x1B;
  private static final int PUT_ALL = 0x2D;
  private static final int GET_ALL = 0x2F;
  private static final int BULK_GET = 0x19;
  private static final int BULK_GET_KEYS = 0x1D;

  private final TestServer server =
      new TestServer(1 << 24)
          .with("c", CacheMode.LOCAL, 8)
          .withEncoding("ps", "application/x-protostream");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RequestBytes putAll(int version, int count) {
    RequestBytes request = new RequestBytes(version, PUT_ALL).defaultExpiry().vInt(count);
    for (int i = 0; i < count; i++) {
      request.string("k" + i).string("v" + i);
    }
    return request;
  }

  private static RequestBytes getAll(int version, List<String> keys) {
    RequestBytes request = new RequestBytes(version, GET_ALL).vInt(keys.size());
    keys.forEach(request::string);
    return request;
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21, 22, 28, 31, 41})
  void putAllAndGetAll_inEveryVersion_roundTrip(int version) {
    assertEquals(0, connection.call(putAll(version, 100)).status());
    Response response = connection.call(getAll(version, List.of("k99", "none", "k0")));
    assertEquals(
        List.of(hex("k0") + "=" + hex("v0"), hex("k99") + "=" + hex("v99")), response.all("entry"));
  }

  @Test
  void putAllAndGetAll_ofNothing_work() {
    assertEquals(0, connection.call(putAll(41, 0)).status());
    assertEquals(List.of(), connection.call(getAll(41, List.of())).fields());
    assertEquals(List.of(), connection.call(getAll(41, List.of("none"))).fields());
  }

  @Test
  void putAll_withATime_isForAllEntries() {
    connection.call(
        new RequestBytes(41, PUT_ALL)
            .u8(0x08)
            .vInt(9)
            .vInt(2)
            .string("a")
            .string("1")
            .string("b")
            .string("2"));
    for (String key : List.of("a", "b")) {
      Response response = connection.call(new RequestBytes(41, GET_WITH_METADATA).string(key));
      assertEquals("9", response.field("lifespan"));
    }
  }

  @Test
  void getAll_ofRepeatedKeys_namesEachOnce() {
    connection.call(putAll(41, 40));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      keys.add("k" + i % 50);
    }
    assertEquals(40, connection.call(getAll(41, keys)).all("entry").size()); // fails on duplicates
  }

  @Test
  void getAll_ofConvertedKeys_answersInTheKeysAsSent() {
    int text = 13;
    connection.call(
        new RequestBytes(41, PUT_ALL)
            .cache("ps")
            .types(text, text)
            .u8(0x88)
            .vInt(1)
            .string("k")
            .string("v"));
    Response asText =
        connection.call(
            new RequestBytes(41, GET_ALL).cache("ps").types(text, text).vInt(1).string("k"));
    assertEquals(hex("k") + "=" + hex("v"), asText.field("entry"));
    Response raw =
        connection.call(
            new RequestBytes(41, GET_ALL).cache("ps").vInt(1).bytes(new byte[] {0x4a, 1, 'k'}));
    assertEquals("4a016b=4a0176", raw.field("entry"));
  }

  @Test
  void putAll_withOneValueThatCanNotBeConverted_storesNothing() {
    server.withEncoding("text", "text/plain");
    int protoStream = 12;
    Response response =
        connection.call(
            new RequestBytes(41, PUT_ALL)
                .cache("text")
                .types(protoStream, protoStream)
                .u8(0x88)
                .vInt(2)
                .bytes(new byte[] {0x4a, 1, 'a'})
                .bytes(new byte[] {0x4a, 1, '1'})
                .bytes(new byte[] {0x4a, 1, 'b'})
                .bytes(new byte[] {9, 9, 9}));
    assertEquals(0x85, response.status());
    assertEquals("0", connection.call(new RequestBytes(41, 0x29).cache("text")).field("size"));
  }

  @Test
  void getAll_ofLargeValues_answersAll() {
    byte[] large = new byte[1_000_000];
    for (int i = 0; i < 6; i++) {
      connection.call(new RequestBytes(41, 0x01).string("k" + i).u8(0x88).bytes(large));
    }
    Response response = connection.call(getAll(41, List.of("k0", "k1", "k2", "k3", "k4", "k5")));
    assertEquals(6, response.all("entry").size());
    assertTrue(response.all("entry").stream().allMatch(e -> e.length() == 5 + 2 * large.length));
  }

  @Test
  void bulkGet_withAndWithoutLimit_answersEntries() {
    connection.call(putAll(41, 100));
    Set<String> all = new TreeSet<>();
    for (int i = 0; i < 100; i++) {
      all.add(hex("k" + i) + "=" + hex("v" + i));
    }
    assertEquals(
        all, new TreeSet<>(connection.call(new RequestBytes(20, BULK_GET).vInt(0)).all("entry")));
    List<String> some = connection.call(new RequestBytes(20, BULK_GET).vInt(30)).all("entry");
    assertEquals(30, some.size());
    assertTrue(all.containsAll(some));
  }

  @Test
  void bulkGetKeys_leavesExpiredOnesOut() {
    connection.call(putAll(41, 10));
    connection.call(new RequestBytes(41, 0x01).string("gone").u8(0x08).vLong(1).string("v"));
    server.nowMillis += 1000;
    List<String> keys = connection.call(new RequestBytes(20, BULK_GET_KEYS).vInt(0)).all("entry");
    assertEquals(10, keys.size());
    assertFalse(keys.contains(hex("gone")));
  }

  /** The answers before any request was executed aside. */
  private int answeredOnTheLoop(RequestBytes request) {
    server.runsAsideAtOnce = false;
    connection.send(request.bytes());
    int answers = connection.responses(41).size();
    server.runsAsideAtOnce = true;
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
      connection.runPendingTasks();
    }
    return answers + 10 * connection.responses(41).size();
  }

  @Test
  void operationsOnWholeCaches_areNeverDoneOnTheEventLoop() {
    connection.call(putAll(41, 10));
    assertEquals(10, answeredOnTheLoop(new RequestBytes(41, BULK_GET).vInt(1)));
    assertEquals(10, answeredOnTheLoop(new RequestBytes(41, BULK_GET_KEYS).vInt(0)));
    RequestBytes start = new RequestBytes(41, 0x31).vInt(1).vInt(1).vInt(100).u8(0);
    String iteration = connection.call(start).field("iteration id");
    assertEquals(10, answeredOnTheLoop(new RequestBytes(41, 0x33).string(iteration)));
  }

  @Test
  void answersOfSeveralParts_areWhole() {
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      value.append("%05d".formatted(i).repeat(10_000));
      RequestBytes put =
          new RequestBytes(41, 0x01).string("k" + i).u8(0x88).string(value.substring(50_000 * i));
      assertEquals(0, connection.call(put).status());
    }
    Response all = connection.call(new RequestBytes(41, BULK_GET).vInt(0));
    List<String> expected = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      keys.add("k" + i);
      expected.add(hex("k" + i) + "=" + hex(value.substring(50_000 * i, 50_000 * (i + 1))));
    }
    assertEquals(new TreeSet<>(expected), new TreeSet<>(all.all("entry")));
    Response asked = connection.call(getAll(41, keys));
    assertEquals(new TreeSet<>(expected), new TreeSet<>(asked.all("entry")));
  }

  @Test
  void operationsOnFewKeys_areDoneOnTheEventLoopUnlessTheyAreMuch() {
    int few = BulkOperations.LOOP_KEYS_MAX;
    assertEquals(1, answeredOnTheLoop(putAll(41, few)));
    assertEquals(10, answeredOnTheLoop(putAll(41, few + 1)));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < few; i++) {
      keys.add("k" + i);
    }
    assertEquals(1, answeredOnTheLoop(getAll(41, keys)));
    keys.add("none");
    assertEquals(10, answeredOnTheLoop(getAll(41, keys)));
    RequestBytes large =
        new RequestBytes(41, PUT_ALL)
            .defaultExpiry()
            .vInt(2)
            .string("k0")
            .bytes(new byte[BulkOperations.LOOP_SIZE_MAX / 2 + 1])
            .string("k1")
            .bytes(new byte[BulkOperations.LOOP_SIZE_MAX / 2 + 1]);
    assertEquals(10, answeredOnTheLoop(large));
    assertEquals(1, answeredOnTheLoop(getAll(41, List.of("k0", "k2"))));
    assertEquals(10, answeredOnTheLoop(getAll(41, List.of("k0", "k1"))));
  }
}
