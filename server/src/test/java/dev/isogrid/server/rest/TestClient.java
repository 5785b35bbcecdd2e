package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A connection to a {@link TestServer}, with a small HTTP parser of its own. */
final class TestClient {
  final EmbeddedChannel channel = new EmbeddedChannel();
  private byte[] received = {};

  TestClient(TestServer server) {
    this(server, server.protocol);
  }

  TestClient(TestServer server, RestProtocol protocol) {
    channel.freezeTime();
    channel.config().setAllocator(server.allocator);
    protocol.install(channel.pipeline());
  }

  /** Sends text, one character per byte. */
  void send(String latin1) {
    send(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    collect();
  }

  /** Advances the time on the connection by single seconds. */
  void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }
    collect();
  }

  /** Collects the output of the server so far. */
  void collect() {
    channel.runPendingTasks();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(received);
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      byte[] bytes = new byte[part.readableBytes()];
      part.readBytes(bytes);
      part.release();
      all.writeBytes(bytes);
    }
    received = all.toByteArray();
  }

  byte[] received() {
    return received;
  }

  /** Drops the received output. */
  void forget() {
    received = new byte[0];
  }

  /** Sends a request without a body and returns its response. */
  TestResponse request(String method, String target, String... headers) {
    return request(method, target, new byte[0], headers);
  }

  /** Sends a request, with a body if that is not empty, and returns its response. */
  TestResponse request(String method, String target, byte[] body, String... headers) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: here:11222\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    if (body.length > 0) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    send(all);
    TestResponse response = next(method.equals("HEAD"));
    assertEquals(0, received.length, "bytes after the response");
    return response;
  }

  TestResponse get(String target, String... headers) {
    return request("GET", target, headers);
  }

  TestResponse put(String target, String body, String... headers) {
    return request("PUT", target, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  TestResponse post(String target, String body, String... headers) {
    return request("POST", target, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** The next response, which must be complete. */
  TestResponse next(boolean toHead) {
    int end = indexOf("\r\n\r\n", 0);
    assertTrue(end >= 0, () -> "no response: " + new String(received, StandardCharsets.UTF_8));
    String[] lines = new String(received, 0, end, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    assertTrue(lines[0].startsWith("HTTP/1.1 "), lines[0]);
    int status = Integer.parseInt(lines[0].substring(9, 12));
    TreeMap<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(": ");
      assertTrue(colon > 0, lines[i]);
      String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
      String before = headers.put(name, lines[i].substring(colon + 2));
      assertTrue(
          before == null || name.equals("vary") || name.equals("www-authenticate"),
          "twice: " + name);
    }
    int start = end + 4;
    boolean bodiless = toHead || status == 204 || status == 304 || status < 200;
    if (bodiless) {
      drop(start);
      return new TestResponse(status, headers, new byte[0]);
    }
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      return new TestResponse(status, headers, chunks(start));
    }
    String length = headers.get("content-length");
    int stop = length == null ? received.length : start + Integer.parseInt(length);
    assertTrue(stop <= received.length, "body is cut");
    byte[] body = Arrays.copyOfRange(received, start, stop);
    drop(stop);
    return new TestResponse(status, headers, body);
  }

  private byte[] chunks(int start) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int at = start;
    while (true) {
      int lineEnd = indexOf("\r\n", at);
      assertTrue(lineEnd > 0, "no chunk");
      String digits = new String(received, at, lineEnd - at, StandardCharsets.ISO_8859_1);
      int length = Integer.parseInt(digits, 16);
      body.write(received, lineEnd + 2, length);
      at = lineEnd + 2 + length + 2;
      if (length == 0) {
        drop(at);
        return body.toByteArray();
      }
    }
  }

  private void drop(int count) {
    received = Arrays.copyOfRange(received, count, received.length);
  }

  private int indexOf(String text, int from) {
    return new String(received, StandardCharsets.ISO_8859_1).indexOf(text, from);
  }

  /** Fires an event on the connection. */
  void fire(Object event) {
    channel.pipeline().fireUserEventTriggered(event);
    channel.runPendingTasks();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  void close() {
    channel.finishAndReleaseAll();
    channel.checkException();
  }
}
