package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Answers HTTP while the server waits for its cluster: the server is alive, but not ready. Each
 * connection gets one answer. For one connection.
 */
public final class WaitingRest extends SimpleChannelInboundHandler<FullHttpRequest> {
  /** The limit of content, far above a probe's. */
  private static final int CONTENT_SIZE_MAX = 8 << 10;

  /** Empty settings, then a GOAWAY with HTTP_1_1_REQUIRED: two frames of HTTP/2. */
  private static final byte[] HTTP1_REQUIRED = {
    0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13
  };

  private static final String NOT_READY =
      "not ready: the server waits for its cluster; try again, or see its log\n";

  private WaitingRest() {}

  /** Installs HTTP on a connection. */
  public static void install(ChannelPipeline pipeline) {
    pipeline.addLast(new HttpVersionChoice(WaitingRest::installHttp1, WaitingRest::refuseHttp2));
  }

  private static void installHttp1(ChannelHandlerContext after) {
    String name = after.name();
    after.pipeline().addAfter(name, null, new WaitingRest());
    after.pipeline().addAfter(name, null, new HttpObjectAggregator(CONTENT_SIZE_MAX));
    after.pipeline().addAfter(name, null, new HttpServerCodec());
  }

  /** Refuses HTTP/2: its clients use the other version, or try again. */
  private static void refuseHttp2(ChannelHandlerContext after) {
    after.pipeline().addAfter(after.name(), null, new Http2Refusal());
  }

  private static final class Http2Refusal extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
      context
          .writeAndFlush(Unpooled.wrappedBuffer(HTTP1_REQUIRED))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    boolean isRead =
        request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    String path = isRead ? new QueryStringDecoder(request.uri()).path() : "";
    FullHttpResponse response = answer(context, path);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (request.method().equals(HttpMethod.HEAD)) {
      response.content().clear();
    }
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  private static FullHttpResponse answer(ChannelHandlerContext context, String path) {
    if (path.equals("/health/live")) {
      return answer(context, HttpResponseStatus.OK, "");
    }
    boolean isStatus = path.startsWith("/rest/") && path.endsWith("/health/status");
    return isStatus
        ? answer(context, HttpResponseStatus.OK, "INITIALIZING")
        : answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, NOT_READY);
  }

  private static FullHttpResponse answer(
      ChannelHandlerContext context, HttpResponseStatus status, String text) {
    ByteBuf content =
        ByteBufUtil.encodeString(context.alloc(), CharBuffer.wrap(text), StandardCharsets.US_ASCII);
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
  }
}
