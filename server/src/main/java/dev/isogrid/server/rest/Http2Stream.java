package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerStopping;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stream of HTTP/2, which carries a request and its reply. Hands the request on in the form of
 * HTTP/1.1. Makes frames of the reply, which has the form of HTTP/1.0: its end is the end of the
 * stream. For the connection's event loop only.
 */
final class Http2Stream extends ChannelDuplexHandler implements HttpLine {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** The length of a body that ends with the stream. */
  private static final long UNKNOWN = -1;

  private final Http2Connection connection;

  /** Written by {@link #handlerAdded}. */
  private @Nullable ChannelHandlerContext context;

  private int id;

  /** Whether there is no memory for the stream. */
  private boolean isRefused;

  private boolean hasBegun;
  private boolean inputEnded;
  private boolean isHead;
  private long bytesRead;

  private boolean headSent;
  private boolean outputEnded;

  /** The remaining bytes of the body, or {@link #UNKNOWN}. */
  private long left = UNKNOWN;

  /** Done when all written bytes are sent. */
  private @Nullable ChannelFuture lastWrite;

  Http2Stream(Http2Connection connection) {
    this.connection = connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    isRefused = !connection.opened(this);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    connection.closed(this);
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  /** The number of the stream; 0 before its head has arrived. */
  int id() {
    return id;
  }

  @Override
  public void channelRead(ChannelHandlerContext from, Object message) {
    if (isRefused) {
      ReferenceCountUtil.release(message);
      reset(from, Http2Error.REFUSED_STREAM);
      return;
    }
    switch (message) {
      case Http2HeadersFrame frame -> readHead(from, frame);
      case Http2DataFrame frame -> readData(from, frame);
      default -> ReferenceCountUtil.release(message); // frames of other kinds mean nothing here
    }
  }

  private void readHead(ChannelHandlerContext from, Http2HeadersFrame frame) {
    inputEnded = frame.isEndStream();
    if (!hasBegun) {
      hasBegun = true;
      id = Objects.requireNonNull(frame.stream()).id();
      HttpRequest request = Http2Heads.request(frame.headers());
      isHead = Verb.of(request.method()) == Verb.HEAD;
      from.fireChannelRead(request);
    }
    if (inputEnded) { // with trailers, or without a body; nothing reads trailers
      from.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
    }
  }

  private void readData(ChannelHandlerContext from, Http2DataFrame frame) {
    bytesRead += frame.initialFlowControlledBytes();
    inputEnded = frame.isEndStream();
    ByteBuf content = frame.content();
    from.fireChannelRead(
        inputEnded ? new DefaultLastHttpContent(content) : new DefaultHttpContent(content));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext from, Object event) {
    if (event instanceof Http2ResetFrame) {
      from.close();
    } else if (event == ServerStopping.EVENT) {
      from.fireUserEventTriggered(event);
    }
  }

  /** Takes a part of the reply: its head in the form of HTTP/1.1, and its body. */
  @Override
  public void write(ChannelHandlerContext from, Object message, ChannelPromise promise) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      while (!headSent && bytes.isReadable()) {
        writeHead(from, Http2Heads.reply(bytes));
      }
      if (bytes.isReadable() && !outputEnded) {
        int length = bytes.readableBytes();
        left = left == UNKNOWN ? UNKNOWN : left - length;
        send(from, new DefaultHttp2DataFrame(bytes.retain(), left == 0), length);
      }
    } finally {
      bytes.release();
    }
  }

  private void writeHead(ChannelHandlerContext from, Http2Headers head) {
    int status = Integer.parseInt(head.status().toString());
    headSent = status >= OK;
    if (headSent) {
      boolean isBodiless = isHead || status == NO_CONTENT || status == NOT_MODIFIED;
      left = isBodiless ? 0 : head.getLong(HttpHeaderNames.CONTENT_LENGTH, UNKNOWN);
    }
    send(from, new DefaultHttp2HeadersFrame(head, left == 0), 0);
  }

  private void send(ChannelHandlerContext to, Http2StreamFrame frame, int size) {
    outputEnded = left == 0;
    ChannelFuture written = to.write(frame);
    lastWrite = written;
    if (size > 0 && !written.isDone()) {
      connection.queued(size);
      written.addListener(_ -> connection.queued(-size));
    }
  }

  @Override
  public boolean hasBegun() {
    return hasBegun && !inputEnded;
  }

  @Override
  public long bytesRead() {
    return bytesRead + connection.arrived(id);
  }

  /** The connection's decoder limits heads, one of which arrives at a time. */
  @Override
  public long headMemory() {
    return 0;
  }

  @Override
  public boolean isStream() {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return connection.hasRoom();
  }

  @Override
  public Channel connection() {
    return connection.channel();
  }

  @Override
  public RestGuard guard() {
    return connection.guard();
  }

  @Override
  public void giveBack(RestGuard guard, boolean isIdle) {
    connection.giveBack(guard, isIdle);
  }

  @Override
  public boolean canUpgrade(HttpRequest head) {
    return false;
  }

  @Override
  public void upgrade(ChannelHandlerContext from, HttpRequest request) {
    throw new IllegalStateException("HTTP/2 is spoken already: stream=" + id);
  }

  /** Notifies the handlers of the stream that there is room for replies again. */
  void resume() {
    context().pipeline().fireChannelWritabilityChanged();
  }

  /** Notifies the handlers that a part of a frame has arrived. */
  void progressed() {
    context().fireChannelReadComplete();
  }

  /** Notifies the handlers that the server stops. */
  void stop() {
    context().fireUserEventTriggered(ServerStopping.EVENT);
  }

  @Override
  public void end(ChannelHandlerContext from, boolean unread, boolean isWhole) {
    ChannelHandlerContext own = context();
    if (!isWhole || !headSent) {
      reset(own, Http2Error.INTERNAL_ERROR);
      return;
    }
    if (!outputEnded) {
      left = 0;
      send(own, new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true), 0);
    }
    own.flush();
    Objects.requireNonNull(lastWrite)
        .addListener(_ -> {
          if (inputEnded) {
            own.close();
          } else { // the reply is whole, the client need not send the rest
            reset(own, Http2Error.NO_ERROR);
          }
        });
  }

  private static void reset(ChannelHandlerContext own, Http2Error error) {
    own.writeAndFlush(new DefaultHttp2ResetFrame(error)).addListener(_ -> own.close());
  }
}
