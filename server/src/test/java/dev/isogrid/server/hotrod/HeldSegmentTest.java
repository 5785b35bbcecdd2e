package dev.isogrid.server.hotrod;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.isogrid.api.CacheMode;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.HeldSegment;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Connections of one event loop, which is the test's thread, while another thread holds a segment.
 * A test that waits for the segment never ends.
 */
class HeldSegmentTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PUT_ALL = 0x2D;
  private static final int PUT_MULTIMAP = 0x6B;
  private static final String HELD = "held";

  private final TestServer server = new TestServer().with("c", CacheMode.LOCAL, 8);
  private final CacheEngine<BinaryKey, Bytes> engine = requireNonNull(server.node.engine("c"));
  private final String free = HeldSegment.elsewhere(engine, HELD);
  private final TestServer.Connection connection = server.connect();
  private final TestServer.Connection other = server.connect();

  HeldSegmentTest() {
    server.runsAsideAtOnce = false;
  }

  @AfterEach
  void close() {
    connection.close();
    other.close();
    server.close();
  }

  private static RequestBytes put(String key, String value) {
    return new RequestBytes(41, PUT).string(key).u8(0x88).string(value);
  }

  private static RequestBytes get(String key) {
    return new RequestBytes(41, GET).string(key);
  }

  private void finish() {
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
      connection.runPendingTasks();
    }
  }

  @Test
  void write_ofAHeldSegment_doesNotHoldUpOtherConnections() throws Exception {
    assertEquals(0, other.call(put(HELD, "before")).status());
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      connection.send(put(HELD, "after").id(7).bytes());
      assertEquals(List.of(), connection.responses(41));
      assertEquals(0, other.call(put(free, "x")).status());
      assertEquals("x", other.call(get(free)).text("value"));
      assertEquals("before", other.call(get(HELD)).text("value"));
    }
    finish();
    assertEquals(7, connection.responses(41).getFirst().id());
    assertEquals("after", other.call(get(HELD)).text("value"));
  }

  @Test
  void numberedWrite_ofAHeldSegment_isDoneOnce() throws Exception {
    RequestBytes request = put(HELD, "once").session(5, 1, -1);
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      connection.send(request.bytes());
      assertEquals(List.of(), connection.responses(41));
    }
    finish();
    assertEquals(0, connection.responses(41).getFirst().status());
    assertEquals(0, other.call(put(HELD, "later")).status());
    connection.send(put(HELD, "once").session(5, 1, 20).bytes());
    finish();
    assertEquals(0, connection.responses(41).getFirst().status());
    assertEquals("later", other.call(get(HELD)).text("value"));
  }

  @Test
  void requestsAfterAWriteThatIsHeldUp_doNotOvertakeIt() throws Exception {
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      connection.send(put(HELD, "1").id(1).bytes());
      connection.send(put(free, "2").id(2).bytes());
      connection.send(get(HELD).id(3).bytes());
      assertEquals(List.of(), connection.responses(41));
      assertEquals(1, server.aside.size());
    }
    finish();
    List<Response> responses = connection.responses(41);
    assertEquals(List.of(1L, 2L, 3L), responses.stream().map(Response::id).toList());
    assertEquals("1", responses.getLast().text("value"));
  }

  @Test
  void putAll_thatIsHeldUpHalfway_storesEachEntryOnce() throws Exception {
    RequestBytes request = new RequestBytes(41, PUT_ALL).u8(0x88).vInt(3);
    request.string(free).string("1").string(HELD).string("2").string(free).string("3");
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      connection.send(request.bytes());
      assertEquals(List.of(), connection.responses(41));
      assertEquals("1", other.call(get(free)).text("value"));
      assertEquals(0, other.call(put(free, "between")).status());
    }
    finish();
    assertEquals(0, connection.responses(41).getFirst().status());
    assertEquals("3", other.call(get(free)).text("value"));
    assertEquals("2", other.call(get(HELD)).text("value"));
  }

  @Test
  void multimap_ofAHeldSegment_goesAside() throws Exception {
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      connection.send(
          new RequestBytes(41, PUT_MULTIMAP).string(HELD).u8(0x88).string("v").u8(0).bytes());
      assertEquals(List.of(), connection.responses(41));
      assertEquals(0, other.call(put(free, "x")).status());
    }
    assertFalse(server.aside.isEmpty());
    finish();
    assertEquals(0, connection.responses(41).getFirst().status());
  }
}
