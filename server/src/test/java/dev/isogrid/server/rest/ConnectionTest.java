package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void pipelinedRequests_areAnsweredInOrder() {
    client.send(
        "PUT "
            + ENTRY
            + " HTTP/1.1\r\nContent-Length: 1\r\n\r\n1"
            + "GET "
            + ENTRY
            + " HTTP/1.1\r\n\r\n"
            + "GET /rest/v2/caches HTTP/1.1\r\n\r\n"
            + "DELETE "
            + ENTRY
            + " HTTP/1.1\r\n\r\n"
            + "GET /rest/v2/caches/plain?action=keys HTTP/1.1\r\n\r\n"
            + "GET "
            + ENTRY
            + " HTTP/1.1\r\n\r\n");
    assertEquals(204, client.next(false).status());
    assertEquals("1", client.next(false).text());
    assertEquals("[\"plain\",\"proto\"]", client.next(false).text());
    assertEquals(204, client.next(false).status());
    assertEquals("[]", client.next(false).text());
    assertEquals(404, client.next(false).status());
    assertEquals(0, client.received().length);
  }

  @Test
  void requestsBehindASlowOne_waitForIt() {
    server.holding = true;
    client.send("GET /rest/v2/caches HTTP/1.1\r\n\r\nPUT " + ENTRY + " HTTP/1.1\r\n\r\n");
    assertEquals(0, client.received().length);
    assertEquals(0, server.engine("plain").size());
    assertFalse(client.channel.config().isAutoRead());
    server.held.remove().run();
    client.collect();
    assertEquals(200, client.next(false).status());
    assertEquals(204, client.next(false).status());
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void answer_afterTheClientWentAway_isDropped() {
    server.holding = true;
    client.send("GET /rest/v2/caches HTTP/1.1\r\n\r\nGET " + ENTRY + " HTTP/1.1\r\n\r\n");
    client.close();
    server.held.remove().run();
    client.channel.runPendingTasks();
    assertEquals(0, client.received().length);
  }

  @Test
  void requests_splitAnywhere_areTheSame() {
    byte[] bytes =
        ("PUT "
                + ENTRY
                + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nvalue"
                + "POST /rest/v2/caches/plain/l HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nab\r\n1;x=y\r\nc\r\n0\r\nTrailer: t\r\n\r\n"
                + "GET "
                + ENTRY
                + " HTTP/1.1\r\n\r\n"
                + "GET /rest/v2/caches/plain/l HTTP/1.1\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (int split = 0; split <= bytes.length; split++) {
      TestClient each = server.connect();
      each.send(Arrays.copyOfRange(bytes, 0, split));
      each.send(Arrays.copyOfRange(bytes, split, bytes.length));
      assertEquals(204, each.next(false).status());
      assertEquals(204, each.next(false).status());
      assertEquals("value", each.next(false).text());
      assertEquals("abc", each.next(false).text());
      server.engine("plain").clear();
    }
  }

  @Test
  void body_inManySmallPieces_isKeptToTheByte() {
    byte[] value = new byte[TestServer.CONTENT_LENGTH_MAX];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i * 7 / 3);
    }
    for (int piece : new int[] {1, 7, 1000, 65_536, value.length}) {
      client.send("PUT " + ENTRY + " HTTP/1.1\r\nContent-Length: " + value.length + "\r\n\r\n");
      for (int at = 0; at < value.length; at += piece) {
        client.send(Arrays.copyOfRange(value, at, Math.min(at + piece, value.length)));
      }
      assertEquals(204, client.next(false).status());
      assertArrayEquals(value, client.get(ENTRY).body());
    }
  }

  @Test
  void body_announcedTooLong_is413AndClose() {
    int length = TestServer.CONTENT_LENGTH_MAX + 1;
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\nxxx");
    assertClosedWith(413);
  }

  @Test
  void body_announcedHuge_isRefusedBeforeMemoryIsTaken() {
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n");
    assertClosedWith(413);
  }

  @Test
  void body_announcedAndNotSent_takesNoMemory() {
    int length = TestServer.CONTENT_LENGTH_MAX;
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\nx");
    long used =
        server.allocator.metric().usedDirectMemory() + server.allocator.metric().usedHeapMemory();
    assertTrue(used < 10_000, "used: " + used);
  }

  @Test
  void body_inPieces_takesMemoryForWhatCame() {
    int length = TestServer.CONTENT_LENGTH_MAX;
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\n");
    client.send("x");
    client.send("x");
    long used =
        server.allocator.metric().usedDirectMemory() + server.allocator.metric().usedHeapMemory();
    assertTrue(used < 80_000, "used: " + used);
  }

  @Test
  void chunkedBody_tooLong_is413AndClose() {
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    String chunk = "c350\r\n" + "x".repeat(50_000) + "\r\n";
    client.send(chunk);
    client.send(chunk);
    assertEquals(0, client.received().length);
    client.send("1\r\nx\r\n");
    assertClosedWith(413);
  }

  @Test
  void chunkedBody_ofExactlyTheLimit_isStored() {
    String chunk = "c350\r\n" + "x".repeat(50_000) + "\r\n";
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk);
    client.send(chunk + "0\r\n\r\n");
    assertEquals(204, client.next(false).status());
    assertEquals(100_000, client.get(ENTRY).body().length);
  }

  @Test
  void expectation_isAnsweredBeforeTheBody() {
    client.send("PUT " + ENTRY + " HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
    assertEquals(100, client.next(false).status());
    assertEquals(0, client.received().length);
    client.send("x");
    assertEquals(204, client.next(false).status());
  }

  @Test
  void expectation_ofTooLongBody_is413() {
    client.send(
        "PUT " + ENTRY + " HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 100001\r\n\r\n");
    assertClosedWith(413);
  }

  @Test
  void expectation_ofAnythingElse_is417() {
    client.send("GET " + ENTRY + " HTTP/1.1\r\nExpect: miracles\r\n\r\n");
    assertClosedWith(417);
  }

  @Test
  void requestLine_tooLong_is414() {
    String key = "k".repeat(RequestReader.REQUEST_LINE_SIZE_MAX);
    client.send("GET /rest/v2/caches/plain/" + key + " HTTP/1.1\r\n\r\n");
    assertClosedWith(414, "request line too long: limit=4096; ");
  }

  @Test
  void hosts_twoOfThem_are400AndClose() {
    String host = "Host: localhost\r\n";
    client.send("GET " + ENTRY + " HTTP/1.1\r\n" + host + host + "\r\n");
    assertClosedWith(400, "several fields Host; ");
  }

  @Test
  void headers_tooLong_are431() {
    String value = "v".repeat(RequestReader.HEADERS_SIZE_MAX);
    client.send("GET " + ENTRY + " HTTP/1.1\r\nX: " + value + "\r\n\r\n");
    assertClosedWith(431, "header fields too long: limit=8192, fields=100; ");
  }

  @Test
  void key_asLongAsTheRequestLineAllows_isStored() {
    String target = "/rest/v2/caches/plain/" + "k".repeat(4000);
    assertEquals(204, client.put(target, "1").status());
    assertEquals("1", client.get(target).text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET  \r\n\r\n",
        "GET " + ENTRY + " HTTP/1.1\r\nno colon\r\n\r\n",
        "GET " + ENTRY + " HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "GET " + ENTRY + " HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET " + ENTRY + " HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "PUT " + ENTRY + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "PUT " + ENTRY + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
      })
  void malformedRequest_is400AndClose(String request) {
    client.send(request);
    assertClosedWith(400);
    assertEquals(0, server.engine("plain").size());
  }

  @Test
  void malformedRequest_afterGoodOnes_comesInOrder() {
    client.send("PUT " + ENTRY + " HTTP/1.1\r\n\r\nGARBAGE\r\n\r\n");
    assertEquals(204, client.next(false).status());
    assertClosedWith(400);
  }

  @Test
  void otherVersion_is505() {
    client.send("GET / HTTP/2.0\r\n\r\n");
    assertClosedWith(505);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          1.1 | -          | true  | -
          1.1 | close      | false | close
          1.0 | -          | false | close
          1.0 | keep-alive | true  | keep-alive
          """)
  void connection_isKeptAsAskedFor(String version, String asked, boolean open, String answered) {
    String header = asked == null ? "" : "Connection: " + asked + "\r\n";
    client.send("GET " + ENTRY + " HTTP/" + version + "\r\n" + header + "\r\n");
    TestResponse response = client.next(false);
    assertEquals(answered, response.header("connection"));
    assertEquals(open, client.isOpen());
  }

  @Test
  void requests_afterClose_areNotDone() {
    client.send(
        "GET "
            + ENTRY
            + " HTTP/1.1\r\nConnection: close\r\n\r\nPUT "
            + ENTRY
            + " HTTP/1.1\r\n\r\n");
    assertEquals(404, client.next(false).status());
    assertEquals(0, client.received().length);
    assertEquals(0, server.engine("plain").size());
  }

  @Test
  void inputEnd_whileRepliesAreOwed_endsAfterThem() {
    server.holding = true;
    client.send("GET /rest/v2/caches HTTP/1.1\r\n\r\nGET " + ENTRY + " HTTP/1.1\r\n\r\n");
    client.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertTrue(client.isOpen());
    server.held.remove().run();
    client.collect();
    assertEquals(200, client.next(false).status());
    assertEquals(404, client.next(false).status());
    assertFalse(client.isOpen());
  }

  @Test
  void inputEnd_whenNothingIsOwed_isPassedOn() {
    AtomicInteger passed = new AtomicInteger();
    client.channel.pipeline().addLast(new EventCounter(passed));
    client.get(ENTRY);
    client.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertEquals(1, passed.get());
  }

  private static final class EventCounter extends ChannelInboundHandlerAdapter {
    private final AtomicInteger passed;

    EventCounter(AtomicInteger passed) {
      this.passed = passed;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      passed.incrementAndGet();
    }
  }

  @Test
  void replies_whenClientTakesNothing_wait() {
    client.put(ENTRY, "x".repeat(50_000));
    var buffer = client.channel.unsafe().outboundBuffer();
    buffer.setUserDefinedWritability(1, false);
    String get = "GET " + ENTRY + " HTTP/1.1\r\n\r\n";
    client.send(get.repeat(100));
    assertEquals(0, client.received().length);
    assertFalse(client.channel.config().isAutoRead());
    long used = server.allocator.metric().usedDirectMemory();
    assertTrue(used < 10_000, "used: " + used);
    buffer.setUserDefinedWritability(1, true);
    client.collect();
    for (int i = 0; i < 100; i++) {
      assertEquals(50_000, client.next(false).body().length);
    }
    assertTrue(client.channel.config().isAutoRead());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://here:11222      | 404
          HTTP://HERE:11222      | 404
          http://page.example    | 404
          HTTP://Page.Example    | 404
          https://page.example   | 403
          http://page.example:80 | 403
          http://localhost:9000  | 403
          http://localhost:8080  | 403
          http://localhost       | 403
          http://localhost:90000 | 403
          https://here:11222     | 403
          http://elsewhere       | 403
          http://localhost.evil:9000 | 403
          null                   | 403
          -                      | 403
          localhost:9000         | 403
          """)
  void origin_decides(String origin, int status) {
    TestResponse response = client.get(ENTRY, "Origin: " + origin);
    assertEquals(status, response.status());
    String allowed = status == 403 ? null : origin;
    assertEquals(allowed, response.header("access-control-allow-origin"));
    assertEquals(status == 403 ? 403 : 204, client.put(ENTRY, "1", "Origin: " + origin).status());
    assertEquals(status == 403 ? 0 : 1, server.engine("plain").size());
  }

  @Test
  void preflight_is200WithHeadersOnMatchOnly() {
    String method = "Access-Control-Request-Method: PUT";
    TestResponse match = client.request("OPTIONS", ENTRY, "Origin: http://page.example", method);
    assertEquals(200, match.status());
    assertEquals("http://page.example", match.header("access-control-allow-origin"));
    assertTrue(match.field("access-control-allow-methods").contains("PUT"));
    TestResponse other = client.request("OPTIONS", ENTRY, "Origin: http://elsewhere", method);
    assertEquals(200, other.status());
    assertNull(other.header("access-control-allow-origin"));
    assertNull(other.header("access-control-allow-methods"));
  }

  @Test
  void browser_getsItsHeaders() {
    TestResponse browser = client.get(ENTRY, "User-Agent: Mozilla/5.0");
    assertEquals("nosniff", browser.header("x-content-type-options"));
    assertNull(client.get(ENTRY, "User-Agent: curl/8").header("x-content-type-options"));
  }

  @Test
  void entry_isKeptFromRunningInABrowser() {
    client.put(ENTRY, "<script>alert(1)</script>", "Content-Type: text/html");
    for (String agent : new String[] {"Mozilla/5.0", "curl/8"}) {
      TestResponse entry = client.get(ENTRY, "User-Agent: " + agent);
      assertEquals("text/html", entry.header("content-type"));
      assertEquals("nosniff", entry.header("x-content-type-options"));
      assertEquals("sandbox", entry.header("content-security-policy"));
    }
    TestResponse list = client.get("/rest/v2/caches", "User-Agent: Mozilla/5.0");
    assertTrue(list.field("content-security-policy").startsWith("default-src 'self'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          localhost           | 404
          LOCALHOST:11222     | 404
          localhost.:11222    | 404
          127.0.0.1:11222     | 404
          192.0.2.1           | 404
          [::1]:11222         | 404
          [2001:db8::1]       | 404
          Here.:1             | 404
          evil.example        | 421
          evil.example:11222  | 421
          localhost.evil      | 421
          127.0.0.1.evil:80   | 421
          [::1].evil          | 421
          [evil]              | 421
          localhost:evil      | 421
          ::1                 | 421
          1                   | 421
          """)
  void host_thatOthersMayOwn_is421(String host, int status) {
    client.send("GET " + ENTRY + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertEquals(status, client.next(false).status());
    client.send("GET /rest/v2/caches HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertEquals(status == 421 ? 421 : 200, client.next(false).status());
    assertTrue(client.isOpen());
  }

  @Test
  void host_missing_isNoBrowser() {
    client.send("GET " + ENTRY + " HTTP/1.0\r\n\r\n");
    assertEquals(404, client.next(false).status());
  }

  @Test
  void fields_tooMany_is431AndClose() {
    client.send("GET " + ENTRY + " HTTP/1.1\r\n" + "a:\r\n".repeat(102));
    assertClosedWith(431);
  }

  private void assertClosedWith(int status) {
    assertClosedWith(status, "");
  }

  private void assertClosedWith(int status, String beginning) {
    TestResponse response = client.next(false);
    assertEquals(status, response.status());
    assertTrue(response.text().startsWith(beginning), response.text());
    assertEquals("close", response.header("connection"));
    assertFalse(client.isOpen());
    assertEquals(0, client.received().length);
  }
}
