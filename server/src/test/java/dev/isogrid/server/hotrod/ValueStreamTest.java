package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.engine.StandInEngine;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that are written and read in chunks, by the operations of 4.1 and the older ones. */
class ValueStreamTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int REMOVE = 0x0B;
  private static final int GET_METADATA = 0x1B;
  private static final int OLD_PUT = 0x39;
  private static final int END_GET = 0xE5;
  private static final int NEXT_GET = 0xE7;
  private static final int START_GET = 0xE9;
  private static final int END_PUT = 0xEB;
  private static final int NEXT_PUT = 0xED;
  private static final int START_PUT = 0xEF;
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

  private int startPut(String key, long version) {
    Response response =
        connection.call(new RequestBytes(41, START_PUT).string(key).u8(0x88).i64(version));
    assertEquals(0, response.status());
    return Integer.parseInt(response.field("stream id"));
  }

  private static RequestBytes chunk(int id, boolean isLast, byte[] chunk) {
    return new RequestBytes(41, NEXT_PUT).i32(id).u8(isLast ? 1 : 0).bytes(chunk);
  }

  private int put(String key, long version, byte[] value, int chunkSize) {
    int id = startPut(key, version);
    int from = 0;
    for (; from + chunkSize < value.length; from += chunkSize) {
      byte[] chunk = Arrays.copyOfRange(value, from, from + chunkSize);
      assertEquals(0, connection.call(chunk(id, false, chunk)).status());
    }
    return connection.call(chunk(id, true, Arrays.copyOfRange(value, from, value.length))).status();
  }

  private Response startGet(String key, int chunkSize) {
    return connection.call(new RequestBytes(41, START_GET).string(key).vInt(chunkSize));
  }

  private Response nextGet(int id) {
    return connection.call(new RequestBytes(41, NEXT_GET).i32(id));
  }

  private byte[] get(String key, int chunkSize) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Response response = startGet(key, chunkSize);
    int id = Integer.parseInt(response.field("stream id"));
    while (true) {
      byte[] chunk = HexFormat.of().parseHex(response.field("chunk"));
      assertTrue(chunk.length <= chunkSize);
      all.writeBytes(chunk);
      if (response.field("complete").equals("1")) {
        return all.toByteArray();
      }
      assertEquals(Math.min(chunkSize, TestServer.CONTENT_LENGTH_MAX), chunk.length);
      response = nextGet(id);
    }
  }

  private String plainGet(String key) {
    Response response = connection.call(new RequestBytes(41, GET).string(key));
    return response.status() == 0 ? response.field("value") : "";
  }

  private long version(String key) {
    Response response = connection.call(new RequestBytes(41, GET_METADATA).string(key));
    return Long.parseLong(response.field("version"));
  }

  private long allocatedBytes() {
    return server.node.offHeapUse().allocatedBytes();
  }

  @ParameterizedTest
  @CsvSource({
    "0,1",
    "1,1",
    "10,4",
    "12,4",
    "100000,8192",
    "5000000,70000",
    "5000000,1000000",
    "65536,65536"
  })
  void value_inChunksOfAnySize_comesBackTheSame(int size, int chunkSize) {
    byte[] value = bytes(size);
    assertEquals(0, put("k", ANY, value, chunkSize));
    assertEquals(hex(value), plainGet("k"));
    assertEquals(hex(value), hex(get("k", chunkSize)));
    assertEquals(hex(value), hex(get("k", Math.max(1, size))));
    assertEquals(hex(value), hex(get("k", 1 + size / 3)));
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageType.class,
      names = {"OFF_HEAP", "HEAP_BINARY"})
  void value_inEveryStorage_works(StorageType storage) {
    server.with("c2", CacheConfig.builder().storage(storage));
    byte[] value = bytes(3_000_000);
    RequestBytes start = new RequestBytes(41, START_PUT).cache("c2").string("k").u8(0x88).i64(ANY);
    int id = Integer.parseInt(connection.call(start).field("stream id"));
    byte[] half = Arrays.copyOf(value, 1_000_000);
    byte[] second = Arrays.copyOfRange(value, 1_000_000, 2_000_000);
    byte[] rest = Arrays.copyOfRange(value, 2_000_000, 3_000_000);
    assertEquals(0, connection.call(chunk(id, false, half).cache("c2")).status());
    assertEquals(0, connection.call(chunk(id, false, second).cache("c2")).status());
    assertEquals(0, connection.call(chunk(id, true, rest).cache("c2")).status());
    Response whole = connection.call(new RequestBytes(41, GET).cache("c2").string("k"));
    assertEquals(hex(value), whole.field("value"));
    Response first =
        connection.call(new RequestBytes(41, START_GET).cache("c2").string("k").vInt(500_000));
    int read = Integer.parseInt(first.field("stream id"));
    connection.call(new RequestBytes(41, PUT).cache("c2").string("k").u8(0x88).bytes(new byte[1]));
    Response next = connection.call(new RequestBytes(41, NEXT_GET).cache("c2").i32(read));
    assertEquals(hex(Arrays.copyOfRange(value, 500_000, 1_000_000)), next.field("chunk"));
  }

  @Test
  void condition_ofAPut_isThatOfItsVersion() {
    assertEquals(0, put("k", ABSENT, new byte[] {1}, 1));
    assertEquals(1, put("k", ABSENT, new byte[] {2}, 1));
    assertEquals("01", plainGet("k"));
    long version = version("k");
    assertEquals(1, put("k", version + 1, new byte[] {3}, 1));
    assertEquals(0, put("k", version, new byte[] {4, 5}, 1));
    assertEquals("0405", plainGet("k"));
    assertEquals(2, put("none", version, new byte[] {6}, 1));
    assertEquals(0, put("k", ANY, new byte[] {7}, 1));
    assertEquals("07", plainGet("k"));
  }

  @Test
  void put_withTimes_expires() {
    RequestBytes start =
        new RequestBytes(41, START_PUT).string("k").u8(0x00).vLong(10).vLong(5).i64(ANY);
    int id = Integer.parseInt(connection.call(start).field("stream id"));
    connection.call(chunk(id, true, bytes(3_000_000 / 4)));
    Response read = startGet("k", 10);
    assertEquals("10", read.field("lifespan"));
    assertEquals("5", read.field("max idle"));
    server.nowMillis += 5_000;
    assertEquals(2, startGet("k", 10).status());
  }

  @Test
  void value_isSeenWhenAllOfItIsThere() {
    put("k", ANY, new byte[] {1}, 1);
    int id = startPut("k", ANY);
    connection.call(chunk(id, false, new byte[] {2}));
    assertEquals("01", plainGet("k"));
    connection.call(chunk(id, true, new byte[0]));
    assertEquals("02", plainGet("k"));
    assertUnknown(connection.call(chunk(id, true, new byte[0])), id);
  }

  private static void assertUnknown(Response response, int id) {
    assertEquals(0x84, response.status());
    assertTrue(response.field("message").startsWith("unknown stream: id=" + id));
  }

  @Test
  void overwriteWhileItIsRead_doesNotTearIt() {
    byte[] value = bytes(5_000_000);
    put("k", ANY, value, 1_000_000);
    Response response = startGet("k", 1_000_000);
    int id = Integer.parseInt(response.field("stream id"));
    put("k", ANY, bytes(4_000_001), 1_000_000);
    connection.call(new RequestBytes(41, REMOVE).string("k"));
    for (int i = 1; i < 5; i++) {
      byte[] expected = Arrays.copyOfRange(value, i * 1_000_000, (i + 1) * 1_000_000);
      response = nextGet(id);
      assertEquals(hex(expected), response.field("chunk"));
      assertEquals(i == 4 ? "1" : "0", response.field("complete"));
    }
    assertTrue(allocatedBytes() < 100_000, () -> "left: " + allocatedBytes());
    response = nextGet(id);
    assertEquals("1", response.field("complete"));
    assertEquals("", response.field("chunk"));
    connection.call(new RequestBytes(41, END_GET).i32(id));
    assertUnknown(nextGet(id), id);
  }

  @Test
  void manyStreams_onOneConnection_areApart() {
    int first = startPut("a", ANY);
    int second = startPut("b", ANY);
    assertEquals(first + 1, second);
    connection.call(chunk(first, false, new byte[] {1}));
    connection.call(chunk(second, false, new byte[] {2}));
    connection.call(chunk(second, true, new byte[] {3}));
    connection.call(chunk(first, true, new byte[] {4}));
    assertEquals("0104", plainGet("a"));
    assertEquals("0203", plainGet("b"));
    try (TestServer.Connection other = server.connect()) {
      int id = startPut("c", ANY);
      assertUnknown(other.call(chunk(id, true, new byte[] {1})), id);
      assertUnknown(other.call(new RequestBytes(41, NEXT_GET).i32(id)), id);
      assertUnknown(nextGet(id), id);
    }
  }

  @Test
  void end_isAlwaysAnsweredAndFreesMemory() {
    int id = startPut("k", ANY);
    connection.call(chunk(id, false, bytes(900_000)));
    assertTrue(allocatedBytes() > 900_000);
    assertTrue(
        Objects.requireNonNull(server.node.engine("c")).memoryUse().allocatedBytes() > 900_000);
    assertEquals(0, connection.call(new RequestBytes(41, END_PUT).i32(id)).status());
    assertEquals(0, connection.call(new RequestBytes(41, END_PUT).i32(id)).status());
    assertEquals(0, connection.call(new RequestBytes(41, END_GET).i32(4711)).status());
    assertUnknown(connection.call(chunk(id, false, new byte[1])), id);
    assertEquals(0, allocatedBytes());
    assertEquals("", plainGet("k"));
  }

  @Test
  void connectionThatEnds_freesItsStreams() {
    put("k", ANY, bytes(3_000_000), 1_000_000);
    long before = allocatedBytes();
    int tasks = server.periodic.size();
    TestServer.Connection other = server.connect();
    RequestBytes start = new RequestBytes(41, START_PUT).string("x").u8(0x88).i64(ANY);
    int id = Integer.parseInt(other.call(start).field("stream id"));
    other.call(chunk(id, false, bytes(900_000)));
    other.call(new RequestBytes(41, START_GET).string("k").vInt(10));
    other.send(new RequestBytes(31, OLD_PUT).string("y").u8(0x88).i64(ANY).bytes(bytes(5)).bytes());
    assertTrue(allocatedBytes() > before);
    other.close();
    assertEquals(before, allocatedBytes());
    assertEquals(tasks, server.periodic.size());
    connection.call(new RequestBytes(41, REMOVE).string("k"));
    assertTrue(allocatedBytes() < 1000);
  }

  @Test
  void idleStream_isGivenUp() {
    int tasks = server.periodic.size();
    put("k", ANY, bytes(100), 100);
    int idle = startPut("x", ANY);
    connection.call(chunk(idle, false, bytes(900_000)));
    int used = Integer.parseInt(startGet("k", 1).field("stream id"));
    for (int i = 0; i < 5; i++) {
      server.nowMillis += TimeUnit.MINUTES.toMillis(1);
      assertEquals(0, nextGet(used).status());
      runPeriodic();
    }
    assertUnknown(connection.call(chunk(idle, true, new byte[1])), idle);
    assertTrue(allocatedBytes() < 10_000);
    assertEquals(0, nextGet(used).status());
    server.nowMillis += TimeUnit.MINUTES.toMillis(ValueStreams.IDLE_MINUTES);
    runPeriodic();
    assertUnknown(nextGet(used), used);
    assertEquals(tasks, server.periodic.size());
  }

  @Test
  void streamThatGetsTooFewBytes_isGivenUp() {
    int id = startPut("x", ANY);
    connection.call(chunk(id, false, bytes(900_000)));
    for (int i = 0; i < 4; i++) {
      server.nowMillis += TimeUnit.MINUTES.toMillis(1);
      assertEquals(0, connection.call(chunk(id, false, bytes(100_000))).status());
      runPeriodic();
    }
    for (int i = 0; i < 5; i++) {
      server.nowMillis += TimeUnit.MINUTES.toMillis(1);
      assertEquals(0, connection.call(chunk(id, false, new byte[1])).status());
      runPeriodic();
    }
    assertUnknown(connection.call(chunk(id, true, new byte[1])), id);
    assertTrue(allocatedBytes() < 10_000);
  }

  @Test
  void oldPutWhoseChunksDoNotCome_freesItsMemory() {
    RequestBytes put = new RequestBytes(31, OLD_PUT).string("k").u8(0x88).i64(ANY);
    connection.send(put.bytes(bytes(900_000)).bytes());
    assertTrue(allocatedBytes() > 900_000);
    server.nowMillis += TimeUnit.MINUTES.toMillis(ValueStreams.IDLE_MINUTES);
    runPeriodic();
    assertTrue(allocatedBytes() < 10_000);
    connection.send(new byte[] {1, 7, 0});
    Response refused = connection.response(put);
    assertEquals(0x85, refused.status());
    assertTrue(refused.field("message").contains("given up"), refused.field("message"));
  }

  private void runPeriodic() {
    server.periodic.forEach(Runnable::run);
    connection.runPendingTasks();
  }

  @Test
  void tooManyStreams_areRefused() {
    for (int i = 0; i < ValueStreams.OPEN_MAX; i++) {
      startPut("k", ANY);
    }
    Response response =
        connection.call(new RequestBytes(41, START_PUT).string("k").u8(0x88).i64(ANY));
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").contains("limit=256"));
    put("full", ABSENT);
    assertEquals(0x85, startGet("full", 1).status());
    connection.call(new RequestBytes(41, END_PUT).i32(7));
    assertEquals(0, startGet("full", 1).status());
  }

  private void put(String key, long version) {
    connection.call(
        new RequestBytes(31, OLD_PUT)
            .string(key)
            .u8(0x88)
            .i64(version)
            .bytes(new byte[] {1, 2})
            .vInt(0));
  }

  @Test
  void valueAboveTheLimit_isRefusedAndFreed() {
    int id = startPut("k", ANY);
    byte[] chunk = new byte[1_000_000];
    Response response = connection.call(chunk(id, false, chunk));
    for (int i = 1; response.status() == 0; i++) {
      assertTrue(i < 17);
      response = connection.call(chunk(id, false, chunk));
    }
    assertEquals(0x85, response.status());
    assertEquals(
        "streamed value too large: cache=c, size=17000000 or more, limit=16777216;"
            + " split it, or raise --streamed-value-max",
        response.field("message"));
    assertEquals(0, allocatedBytes());
    assertEquals(response, connection.call(chunk(id, false, new byte[1])));
    assertEquals(response, connection.call(chunk(id, true, new byte[1])));
    assertUnknown(connection.call(chunk(id, true, chunk)), id);
    assertEquals("", plainGet("k"));
  }

  @Test
  void chunkSizeOfZero_isRefused() {
    put("k", ANY);
    assertEquals(0x85, startGet("k", 0).status());
    assertEquals(0x85, startGet("k", -1).status());
  }

  @Test
  void flagForThePreviousValue_isNotAnswered() {
    put("k", ANY);
    RequestBytes start = new RequestBytes(41, START_PUT).string("k").u8(0x88).i64(ANY).flags(1);
    int id = Integer.parseInt(connection.call(start).field("stream id"));
    assertEquals(0, connection.call(chunk(id, true, new byte[] {3}).flags(1)).status());
    assertEquals("03", plainGet("k"));
  }

  @Test
  void streamOfARemovedCache_isUnknown() {
    int id = startPut("k", ANY);
    connection.call(chunk(id, false, bytes(900_000)));
    server.node.removeCache("c");
    server.with("c");
    assertUnknown(connection.call(chunk(id, true, new byte[1])), id);
  }

  @Test
  void clusteredCache_thatHasToWait_commitsAside() {
    StandInEngine engine = server.clustered("far");
    engine.letAllWait();
    server.runsAsideAtOnce = false;
    RequestBytes start = new RequestBytes(41, START_PUT).cache("far").string("k").u8(0x88).i64(0);
    int id = Integer.parseInt(connection.call(start).field("stream id"));
    connection.send(chunk(id, false, new byte[] {1}).cache("far").bytes());
    connection.send(chunk(id, true, new byte[] {2}).cache("far").bytes());
    connection.send(chunk(id, false, new byte[] {3}).cache("far").bytes());
    List<Response> first = connection.responses(41);
    assertEquals(0, first.get(0).status());
    assertUnknown(first.get(1), id);
    assertEquals("[]", finishAside().toString());
    connection.send(oldPutTo("far"));
    assertEquals("[]", finishAside().toString());
    connection.send(new RequestBytes(41, START_GET).cache("far").string("k").vInt(2).bytes());
    connection.runPendingTasks();
    server.aside.remove().run();
    connection.runPendingTasks();
    Response got = connection.responses(41).get(0);
    assertEquals("01", got.field("chunk").substring(0, 2));
    assertEquals("1", got.field("complete"));
  }

  private static byte[] oldPutTo(String cache) {
    return new RequestBytes(31, OLD_PUT)
        .cache(cache)
        .string("old")
        .u8(0x88)
        .i64(ANY)
        .string("abc")
        .vInt(0)
        .bytes();
  }

  /** The fields of the answers to tasks that run now. */
  private List<Response.Field> finishAside() {
    assertEquals(1, server.aside.size());
    server.aside.remove().run();
    connection.runPendingTasks();
    return connection.responses(41).stream().flatMap(r -> r.fields().stream()).toList();
  }

  @Test
  void connectionThatEnds_whileAStreamCommits_losesNothing() {
    StandInEngine engine = server.clustered("far");
    engine.letAllWait();
    server.runsAsideAtOnce = false;
    TestServer.Connection other = server.connect();
    RequestBytes start = new RequestBytes(41, START_PUT).cache("far").string("k").u8(0x88).i64(0);
    int id = Integer.parseInt(other.call(start).field("stream id"));
    other.send(chunk(id, true, new byte[] {2}).cache("far").bytes());
    other.send(oldPutTo("far"));
    other.channel.close();
    other.runPendingTasks();
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
    }
    other.runPendingTasks();
    other.close();
    assertEquals(0, engine.memoryUse().allocatedBytes() - engine.memoryUse().indexBytes());
  }

  @Test
  void plainGet_ofALargeValue_isSentFromWhereItIs() {
    byte[] value = bytes(5_000_000);
    put("k", ANY, value, 1_000_000);
    connection.send(new RequestBytes(41, GET).string("k").bytes());
    assertTrue(connection.usedMemory() < 100_000, () -> "used: " + connection.usedMemory());
    connection.send(new RequestBytes(41, REMOVE).string("k").bytes());
    assertTrue(allocatedBytes() > value.length);
    List<Response> responses = connection.responses(41);
    assertEquals(hex(value), responses.get(0).field("value"));
    assertEquals(2, responses.size());
    assertTrue(allocatedBytes() < 100_000, () -> "left: " + allocatedBytes());
  }
}
