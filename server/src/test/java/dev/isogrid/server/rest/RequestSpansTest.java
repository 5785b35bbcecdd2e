package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.RecordedSpans;
import dev.isogrid.server.net.RequestSpans;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of requests for entries by REST. */
class RequestSpansTest {
  private static final String TRACE_PARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final RecordedSpans spans = new RecordedSpans();
  private final List<RequestSpans.Ended> ended = spans.ended();
  private final TestServer server = new TestServer();
  private final TestClient client = connect();

  private TestClient connect() {
    server.context().traffic().spans(spans);
    return server.connect();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private RequestSpans.Ended last() {
    assertEquals(1, ended.size());
    return ended.removeLast();
  }

  @Test
  void request_withATrace_isReportedWithIt() {
    String entry = "/rest/v2/caches/plain/k";
    assertEquals(
        404, client.get(entry, "traceparent: " + TRACE_PARENT, "tracestate: vendor=1").status());
    RequestSpans.Ended get = last();
    assertEquals("http", get.protocol());
    assertEquals("GET", get.operation());
    assertEquals("plain", get.cache());
    assertEquals(TRACE_PARENT, get.traceParent());
    assertEquals("vendor=1", get.traceState());
    assertNull(get.error());
    client.request("PUT", entry);
    RequestSpans.Ended put = last();
    assertEquals("PUT", put.operation());
    assertNull(put.traceParent());
    assertNull(put.traceState());
  }

  @Test
  void request_forAnEntryThatFails_isReportedAsFailed() {
    assertEquals(404, client.get("/rest/v2/caches/none/k").status());
    RequestSpans.Ended failed = last();
    assertEquals("404", failed.error());
    assertEquals("none", failed.cache());
  }

  @Test
  void request_whoseCacheIsMalformed_isAnsweredAndReported() {
    assertEquals(400, client.get("/rest/v2/caches/%zz/k").status());
    RequestSpans.Ended failed = last();
    assertEquals("400", failed.error());
    assertEquals("", failed.cache());
  }

  @Test
  void changeByTheAdministration_isReported() {
    String cache = "/rest/v2/caches/made";
    assertEquals(200, client.request("POST", cache, "traceparent: " + TRACE_PARENT).status());
    RequestSpans.Ended created = last();
    assertEquals("http", created.protocol());
    assertEquals("POST /rest/v2/caches/*", created.operation());
    assertEquals("made", created.cache());
    assertEquals(TRACE_PARENT, created.traceParent());
    assertNull(created.error());
    assertEquals(204, client.request("POST", cache + "?action=clear").status());
    RequestSpans.Ended cleared = last();
    assertEquals("POST /rest/v2/caches/*?action=clear", cleared.operation());
    assertNull(cleared.traceParent());
    assertEquals(200, client.request("DELETE", cache).status());
    assertEquals("DELETE /rest/v2/caches/*", last().operation());
    assertEquals(404, client.request("DELETE", cache).status());
    assertEquals("404", last().error());
    assertEquals(404, client.request("DELETE", "/rest/v2/counters/none").status());
    RequestSpans.Ended counter = last();
    assertEquals("DELETE /rest/v2/counters/*", counter.operation());
    assertEquals("", counter.cache());
  }

  @Test
  void look_byTheAdministration_isNotReported() {
    client.get("/rest/v2/caches");
    client.get("/rest/v2/caches/none?action=size");
    assertTrue(ended.isEmpty());
  }
}
