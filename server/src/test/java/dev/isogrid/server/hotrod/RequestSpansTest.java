package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.WhenFull;
import dev.isogrid.server.net.RecordedSpans;
import dev.isogrid.server.net.RequestSpans;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of requests of Hot Rod. */
class RequestSpansTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int SIZE = 0x29;
  private static final int EXEC = 0x2B;

  /** As {@link RequestBytes} writes it from version 40 on. */
  private static final String TRACE_PARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final RecordedSpans spans = new RecordedSpans();
  private final List<RequestSpans.Ended> ended = spans.ended();
  private final TestServer server =
      new TestServer()
          .with("c")
          .with("full", TestServer.config().maxCount(1).whenFull(WhenFull.EXCEPTION));
  private TestServer.Connection connection = connect();

  private TestServer.Connection connect() {
    server.context.traffic().spans(spans);
    return server.connect();
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private RequestSpans.Ended last() {
    return ended.removeLast();
  }

  @Test
  void request_ofAClientWithATrace_isReportedWithIt() {
    connection.call(new RequestBytes(41, PUT).string("k").defaultExpiry().string("v"));
    RequestSpans.Ended put = last();
    assertEquals("hotrod", put.protocol());
    assertEquals("put", put.operation());
    assertEquals("c", put.cache());
    assertEquals(TRACE_PARENT, put.traceParent());
    assertNull(put.traceState());
    assertNull(put.error());
    connection.call(new RequestBytes(41, GET).string("k"));
    assertEquals(TRACE_PARENT, ended.getFirst().traceParent()); // the header is the same
    assertEquals("get", last().operation());
    connection.call(new RequestBytes(41, SIZE));
    assertEquals("size", last().operation());
    assertTrue(ended.isEmpty());
  }

  @Test
  void requests_ofOlderVersionsOnTheSameConnection_haveNoTrace() {
    connection.call(new RequestBytes(41, GET).string("k"));
    assertEquals(TRACE_PARENT, last().traceParent());
    for (int i = 0; i < 3; i++) { // the header is remembered
      connection.call(new RequestBytes(31, GET).string("k"));
      assertNull(last().traceParent());
    }
  }

  @Test
  void request_thatFails_isReportedAsFailed() {
    for (String key : List.of("a", "b")) {
      connection.call(
          new RequestBytes(41, PUT).cache("full").string(key).defaultExpiry().string("v"));
    }
    assertEquals(2, ended.size());
    RequestSpans.Ended refused = last();
    assertEquals(CacheFullException.class.getName(), refused.error());
    assertEquals("full", refused.cache());
    assertEquals(TRACE_PARENT, refused.traceParent());
    assertNull(last().error());
  }

  @Test
  void administration_isReportedWithItsTask() {
    server.withSchemas();
    for (int i = 0; i < 2; i++) { // the second time it is refused
      RequestBytes create = new RequestBytes(41, EXEC).string("@@cache@create").vInt(1);
      connection.call(create.string("name").string("made"));
    }
    RequestSpans.Ended refused = last();
    assertEquals("exec @@cache@create", refused.operation());
    assertNotNull(refused.error());
    RequestSpans.Ended created = last();
    assertEquals("exec @@cache@create", created.operation());
    assertEquals("", created.cache());
    assertEquals(TRACE_PARENT, created.traceParent());
    assertNull(created.error());
    assertTrue(ended.isEmpty());
  }

  @Test
  void request_whileNobodyWantsSpans_isNotReported() {
    connection.close();
    server.context.traffic().spans(null);
    connection = server.connect();
    connection.call(new RequestBytes(41, GET).string("k"));
    assertTrue(ended.isEmpty());
  }
}
