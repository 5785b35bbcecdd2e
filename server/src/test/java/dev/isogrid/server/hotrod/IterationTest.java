package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheMode;
import dev.isogrid.wire.KeyHash;
import dev.isogrid.wire.Segments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IterationTest {
  private static final int START = 0x31;
  private static final int NEXT = 0x33;
  private static final int END = 0x35;
  private static final int SEGMENTS = 8;
  private static final int ENTRIES = 100;
  private static final String EMPTY_VALUES =
      "org.infinispan.server.hotrod.HotRodServer$ToEmptyBytesKeyValueFilterConverter";

  private final TestServer server =
      new TestServer(1 << 24).with("c", CacheMode.DIST_SYNC, SEGMENTS);
  private final TestServer.Connection connection = server.connect();

  @BeforeEach
  void store() {
    for (int i = 0; i < ENTRIES; i++) {
      connection.call(new RequestBytes(41, 0x01).string("k" + i).u8(0x88).string("v" + i));
    }
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static String entry(int i) {
    return hex("k" + i) + "=" + hex("v" + i);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A start for all segments without filter. */
  private static RequestBytes start(int version, int batch) {
    RequestBytes start = new RequestBytes(version, START).vInt(1).vInt(1).vInt(batch);
    return version >= 24 ? start.u8(0) : start;
  }

  private Response next(int version, String id) {
    return connection.call(new RequestBytes(version, NEXT).string(id));
  }

  /** Notes the segments that an answer reports as finished, each once. */
  private static void finish(BitSet finished, Response response) {
    BitSet told = BitSet.valueOf(HexFormat.of().parseHex(response.field("finished")));
    assertFalse(told.intersects(finished));
    finished.or(told);
  }

  private static int segmentOf(String entry) {
    byte[] key = HexFormat.of().parseHex(entry.substring(0, entry.indexOf('=')));
    return new Segments(SEGMENTS).of(KeyHash.hash(key));
  }

  /** All entries of an iteration, in order; checks the batches. */
  private List<String> iterate(RequestBytes start, int batch) {
    String id = connection.call(start).field("iteration id");
    List<String> entries = new ArrayList<>();
    BitSet finished = new BitSet();
    while (true) {
      Response response = next(start.version, id);
      assertEquals(0, response.status());
      int count = Integer.parseInt(response.field("count"));
      assertTrue(count <= batch);
      if (count == 0) {
        assertFalse(response.has("projections"));
        finish(finished, response);
        break;
      }
      assertEquals(start.version >= 24, response.has("projections"));
      assertEquals(count, response.all("entry").size());
      response.all("entry").forEach(entry -> assertFalse(finished.get(segmentOf(entry))));
      finish(finished, response);
      entries.addAll(response.all("entry"));
    }
    Response end = connection.call(new RequestBytes(start.version, END).string(id));
    assertEquals(0, end.status());
    entries.forEach(entry -> assertTrue(finished.get(segmentOf(entry))));
    return entries;
  }

  private static void assertAll(List<String> entries) {
    assertEquals(ENTRIES, entries.size());
    TreeSet<String> expected = new TreeSet<>();
    for (int i = 0; i < ENTRIES; i++) {
      expected.add(entry(i));
    }
    assertEquals(expected, new TreeSet<>(entries));
  }

  @ParameterizedTest
  @ValueSource(ints = {23, 24, 25, 28, 31, 41})
  void iterate_inEveryVersion_findsEachEntryOnce(int version) {
    assertAll(iterate(start(version, 7), 7));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, ENTRIES, 10_000})
  void iterate_inBatchesOfAnySize_findsEachEntryOnce(int batch) {
    assertAll(iterate(start(41, batch), batch));
  }

  @Test
  void iterate_overSomeSegments_findsTheirEntries() {
    byte[] wanted = {0b0100_0101};
    RequestBytes start = new RequestBytes(41, START).vInt(2).u8(wanted[0]).vInt(1).vInt(1000).u8(0);
    Segments segments = new Segments(SEGMENTS);
    TreeSet<String> expected = new TreeSet<>();
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = ("k" + i).getBytes(StandardCharsets.UTF_8);
      if ((wanted[0] >> segments.of(KeyHash.hash(key)) & 1) == 1) {
        expected.add(entry(i));
      }
    }
    assertFalse(expected.isEmpty());
    assertEquals(expected, new TreeSet<>(iterate(start, 1000)));
  }

  @Test
  void answers_nameEachWantedSegmentAsFinishedOnce() {
    RequestBytes start = new RequestBytes(41, START).vInt(2).u8(0x05).vInt(1).vInt(1000).u8(0);
    String id = connection.call(start).field("iteration id");
    BitSet finished = new BitSet();
    finish(finished, next(41, id));
    finish(finished, next(41, id));
    assertEquals(BitSet.valueOf(new byte[] {0x05}), finished);
  }

  @Test
  void segments_beyondTheCachesOwn_areIgnored() {
    RequestBytes start =
        new RequestBytes(41, START)
            .vInt(2 * 4)
            .u8(0xFF)
            .u8(0xFF)
            .u8(0xFF)
            .u8(0xFF)
            .vInt(1)
            .vInt(1000)
            .u8(0);
    assertAll(iterate(start, 1000));
    assertEquals(
        List.of(), iterate(new RequestBytes(41, START).vInt(0).vInt(1).vInt(1000).u8(0), 1000));
  }

  @Test
  void iterate_withMetadata_tellsTimesAndVersions() {
    connection.call(new RequestBytes(41, 0x13));
    connection.call(new RequestBytes(41, 0x01).string("k").u8(0x08).vInt(9).string("v"));
    RequestBytes start = new RequestBytes(41, START).vInt(1).vInt(1).vInt(10).u8(1);
    Response response = next(41, connection.call(start).field("iteration id"));
    assertEquals("9", response.field("entry lifespan"));
    assertFalse(response.has("entry max idle"));
    assertEquals(
        connection.call(new RequestBytes(41, 0x11).string("k")).field("version"),
        response.field("entry version"));
    assertEquals("6b=76", response.field("entry"));
  }

  @ParameterizedTest
  @ValueSource(ints = {23, 24, 41})
  void iterate_withTheKnownConverter_leavesValuesOut(int version) {
    RequestBytes start = new RequestBytes(version, START).vInt(1).vInt(2L * EMPTY_VALUES.length());
    for (int i = 0; i < EMPTY_VALUES.length(); i++) {
      start.u8(EMPTY_VALUES.charAt(i));
    }
    if (version >= 24) {
      start.u8(1).string("parameter");
    }
    start.vInt(1000);
    if (version >= 24) {
      start.u8(0);
    }
    List<String> entries = iterate(start, 1000);
    assertEquals(ENTRIES, entries.size());
    assertTrue(entries.stream().allMatch(entry -> entry.endsWith("=")));
  }

  @Test
  void start_withAnUnknownFilter_isRefused() {
    Response response =
        connection.call(new RequestBytes(41, START).vInt(1).vInt(2).u8('x').u8(0).vInt(10).u8(0));
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").startsWith("unknown filter or converter"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "77", "nonsense", "99999999999999999999999999999999999999"})
  void unknownIteration_isAnsweredSo(String id) {
    Response response = next(41, id);
    assertEquals(5, response.status());
    assertEquals("", response.field("finished"));
    assertEquals("0", response.field("count"));
    Response end = connection.call(new RequestBytes(41, END).string(id));
    assertEquals(5, end.status());
  }

  @Test
  void endedIteration_isUnknown() {
    String id = connection.call(start(41, 5)).field("iteration id");
    connection.call(new RequestBytes(41, END).string(id));
    assertEquals(5, next(41, id).status());
  }

  @Test
  void iterationOfARemovedCache_isUnknown() {
    String id = connection.call(start(41, 5)).field("iteration id");
    server.node.removeCache("c");
    server.with("c");
    assertEquals(5, next(41, id).status());
  }

  @Test
  void tooManyIterations_areRefused() {
    for (int i = 0; i < Iterations.OPEN_MAX; i++) {
      assertEquals(0, connection.call(start(41, 5)).status());
    }
    Response response = connection.call(start(41, 5));
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").contains("limit=256"));
    connection.call(new RequestBytes(41, END).string("1"));
    assertEquals(0, connection.call(start(41, 5)).status());
  }

  @Test
  void idleIteration_isGivenUp() {
    String idle = connection.call(start(41, 5)).field("iteration id");
    String used = connection.call(start(41, 5)).field("iteration id");
    for (int i = 0; i < 2; i++) {
      assertEquals(0, next(41, used).status());
      connection.channel.advanceTimeBy(Iterations.IDLE_MINUTES, TimeUnit.MINUTES);
      connection.channel.runScheduledPendingTasks();
    }
    assertEquals(5, next(41, idle).status());
    assertEquals(0, next(41, used).status());
  }

  @Test
  void entriesWrittenMeanwhile_doNotDisturb() {
    String id = connection.call(start(41, 10)).field("iteration id");
    TreeSet<String> found = new TreeSet<>();
    for (int round = 0; ; round++) {
      Response response = next(41, id);
      if (response.field("count").equals("0")) {
        break;
      }
      found.addAll(response.all("entry"));
      for (int i = 0; i < 20; i++) {
        connection.call(
            new RequestBytes(41, 0x01).string("new" + round + "-" + i).u8(0x88).string("n"));
      }
      connection.call(new RequestBytes(41, 0x0B).string("new" + round + "-1"));
    }
    for (int i = 0; i < ENTRIES; i++) {
      assertTrue(found.contains(entry(i)));
    }
  }

  @Test
  void largeEntries_comeInSmallerAnswers() {
    byte[] large = new byte[3 << 20];
    for (int i = 0; i < 4; i++) {
      connection.call(new RequestBytes(41, 0x01).string("k" + i).u8(0x88).bytes(large));
    }
    String id = connection.call(start(41, 1000)).field("iteration id");
    int entries = 0;
    int answers = 0;
    for (int count = -1; count != 0; answers++) {
      count = Integer.parseInt(next(41, id).field("count"));
      entries += count;
    }
    assertEquals(ENTRIES, entries);
    assertTrue(answers > 2);
  }
}
