package dev.isogrid.server.rest;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.HeldSegment;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Connections of one event loop, which is the test's thread, while another thread holds a segment.
 * A test that waits for the segment never ends.
 */
class HeldSegmentTest {
  private static final String HELD = "held";
  private static final String CACHE = "/rest/v2/caches/plain/";

  private final TestServer server = new TestServer();
  private final CacheEngine<BinaryKey, Bytes> engine = requireNonNull(server.node.engine("plain"));
  private final String free = CACHE + HeldSegment.elsewhere(engine, HELD);
  private final TestClient client = server.connect();
  private final TestClient other = server.connect();

  HeldSegmentTest() {
    server.holding = true;
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void finishOne() {
    server.held.remove().run();
    client.collect();
  }

  @Test
  void put_ofAHeldSegment_doesNotHoldUpOtherConnections() throws Exception {
    assertEquals(204, other.put(CACHE + HELD, "before").status());
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      client.send("PUT %s HTTP/1.1\r\nContent-Length: 5\r\n\r\nafter".formatted(CACHE + HELD));
      assertEquals(0, client.received().length);
      assertEquals(204, other.put(free, "x").status());
      assertEquals("before", other.get(CACHE + HELD).text());
    }
    finishOne();
    assertEquals(204, client.next(false).status());
    assertEquals("after", other.get(CACHE + HELD).text());
  }

  @Test
  void delete_ofAHeldSegment_doesNotHoldUpOtherConnections() throws Exception {
    assertEquals(204, other.put(CACHE + HELD, "before").status());
    try (HeldSegment _ = new HeldSegment(engine, HELD)) {
      client.send("DELETE %s HTTP/1.1\r\n\r\n".formatted(CACHE + HELD));
      assertEquals(0, client.received().length);
      assertEquals(204, other.put(free, "x").status());
    }
    finishOne();
    assertEquals(204, client.next(false).status());
    assertEquals(404, other.get(CACHE + HELD).status());
  }
}
