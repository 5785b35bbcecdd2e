package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
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
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Answers HTTP while the server waits for its cluster: the server lives, but is not ready. Each
 * connection gets one answer. For one connection.
 */
public final class WaitingRest extends SimpleChannelInboundHandler<FullHttpRequest> {
  /** Far more than a probe sends. */
  private static final int CONTENT_SIZE_MAX = 8 << 10;

  private static final String NOT_READY =
      "not ready: the server waits for its cluster; try again, or see its log\n";

  private WaitingRest() {}

  /** Makes a connection speak HTTP. */
  public static void install(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpServerCodec(), new HttpObjectAggregator(CONTENT_SIZE_MAX), new WaitingRest());
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
