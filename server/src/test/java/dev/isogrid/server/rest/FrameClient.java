package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An HTTP/2 connection to a {@link TestServer} with individually made and parsed frames. */
final class FrameClient implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  /** The first stream: the number 1 is a request before an upgrade. */
  static final int FIRST_STREAM = 3;

  private static final int FRAME_HEAD_SIZE = 9;

  /** A frame that the server sent. */
  record Frame(int type, int flags, int stream, String payload) {}

  /**
   * Receives the output of the server. The channel itself would run tasks within each write, and so
   * put the frames of one stream into those of another, which no other channel does.
   */
  private final class Outlet extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ByteBuf part = (ByteBuf) message;
      byte[] bytes = new byte[part.readableBytes()];
      part.readBytes(bytes).release();
      sent.writeBytes(bytes);
      if (!promise.isVoid()) {
        promise.setSuccess();
      }
    }
  }

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  final EmbeddedChannel channel = new EmbeddedChannel(new Outlet());
  private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
  private final List<Frame> frames = new ArrayList<>();

  /** Begins a connection, by the preface and empty settings. */
  FrameClient(TestServer server, RestProtocol protocol) {
    channel.freezeTime();
    channel.config().setAllocator(server.allocator);
    protocol.install(channel.pipeline());
    ByteArrayOutputStream begin = new ByteArrayOutputStream();
    begin.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    begin.writeBytes(asBytes(SETTINGS, 0, 0, new byte[0]));
    bytes(begin.toByteArray());
  }

  /** Sends bytes unchanged. */
  void bytes(byte[] sent) {
    channel.writeInbound(Unpooled.wrappedBuffer(sent));
    collect();
  }

  /** Sends a frame. */
  FrameClient frame(int type, int flags, int stream, byte[] payload) {
    bytes(asBytes(type, flags, stream, payload));
    return this;
  }

  static byte[] asBytes(int type, int flags, int stream, byte[] payload) {
    ByteBuf frame = Unpooled.buffer();
    frame.writeMedium(payload.length).writeByte(type).writeByte(flags).writeInt(stream);
    frame.writeBytes(payload);
    byte[] bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    return bytes;
  }

  FrameClient data(int stream, boolean isLast, String latin1) {
    byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    return frame(DATA, isLast ? END_STREAM : 0, stream, bytes);
  }

  FrameClient reset(int stream) {
    return frame(RESET, 0, stream, new byte[] {0, 0, 0, 8});
  }

  /** Opens the windows of a stream and of the connection. */
  FrameClient widen(int stream, int bytes) {
    byte[] size = Unpooled.buffer(4).writeInt(bytes).array();
    return frame(WINDOW_UPDATE, 0, 0, size).frame(WINDOW_UPDATE, 0, stream, size);
  }

  /** Sends the head of a request without a body. */
  FrameClient get(int stream, String path, String... fields) {
    return head(stream, true, "GET", path, fields);
  }

  /** Sends the head of a request, with pairs of names and values behind the usual ones. */
  FrameClient head(int stream, boolean isLast, String method, String path, String... fields) {
    Http2Headers head = new DefaultHttp2Headers(false);
    head.method(method).path(path).scheme("http").authority("here");
    for (int i = 0; i < fields.length; i += 2) {
      if (fields[i].startsWith(":")) {
        head.set(fields[i], fields[i + 1]);
      } else {
        head.add(fields[i], fields[i + 1]);
      }
    }
    return frame(HEADERS, END_HEADERS | (isLast ? END_STREAM : 0), stream, encoded(stream, head));
  }

  byte[] encoded(int stream, Http2Headers head) {
    ByteBuf block = Unpooled.buffer();
    try {
      encoder.encodeHeaders(stream, head, block);
    } catch (Http2Exception e) {
      throw new AssertionError(e);
    }
    byte[] bytes = new byte[block.readableBytes()];
    block.readBytes(bytes);
    return bytes;
  }

  /** Advances the time by single seconds. */
  void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }
    collect();
  }

  /** Collects the output of the server. */
  void collect() {
    channel.runPendingTasks();
    ByteBuf in = Unpooled.wrappedBuffer(sent.toByteArray());
    while (in.readableBytes() >= FRAME_HEAD_SIZE
        && in.readableBytes() >= FRAME_HEAD_SIZE + in.getMedium(in.readerIndex())) {
      read(in);
    }
    sent.reset();
    byte[] unread = new byte[in.readableBytes()];
    in.readBytes(unread);
    sent.writeBytes(unread);
  }

  private void read(ByteBuf in) {
    int length = in.readMedium();
    int type = in.readByte();
    int flags = in.readByte();
    int stream = in.readInt();
    ByteBuf payload = in.readSlice(length);
    frames.add(
        new Frame(
            type,
            flags,
            stream,
            type == HEADERS
                ? decoded(stream, payload)
                : payload.toString(StandardCharsets.ISO_8859_1)));
  }

  private String decoded(int stream, ByteBuf block) {
    try {
      StringBuilder text = new StringBuilder();
      decoder
          .decodeHeaders(stream, block)
          .forEach(field ->
              text.append(field.getKey()).append('=').append(field.getValue()).append('\n'));
      return text.toString();
    } catch (Http2Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The received frames of a kind on a stream, in order. */
  List<Frame> frames(int type, int stream) {
    return frames.stream().filter(f -> f.type() == type && f.stream() == stream).toList();
  }

  /** The status of the reply on a stream; empty if there is none. */
  String status(int stream) {
    List<Frame> heads = frames(HEADERS, stream);
    if (heads.isEmpty()) {
      return "";
    }
    String head = heads.getLast().payload();
    assertTrue(head.startsWith(":status="), head);
    return head.substring(":status=".length(), head.indexOf('\n'));
  }

  /** The field of a reply. */
  String field(int stream, String name) {
    return frames(HEADERS, stream)
        .getLast()
        .payload()
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .findFirst()
        .orElse("");
  }

  /** The received body on a stream. */
  String body(int stream) {
    StringBuilder body = new StringBuilder();
    frames(DATA, stream).forEach(frame -> body.append(frame.payload()));
    return body.toString();
  }

  /** Whether the reply on a stream is complete. */
  boolean isWhole(int stream) {
    return frames.stream()
        .anyMatch(f ->
            f.stream() == stream
                && (f.type() == DATA || f.type() == HEADERS)
                && (f.flags() & END_STREAM) != 0);
  }

  /** The error by which the server has ended a stream, or -1. */
  int resetBy(int stream) {
    List<Frame> resets = frames(RESET, stream);
    return resets.isEmpty() ? -1 : resets.getFirst().payload().charAt(3);
  }

  /** The error by which the server has ended the connection, or -1. */
  int goneBy() {
    List<Frame> ends = frames(GO_AWAY, 0);
    return ends.isEmpty() ? -1 : ends.getLast().payload().charAt(7);
  }

  @Override
  public void close() {
    channel.close();
    channel.runPendingTasks();
    collect();
    channel.checkException();
  }
}
