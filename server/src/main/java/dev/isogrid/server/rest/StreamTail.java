package dev.isogrid.server.rest;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerStopping;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;

/**
 * The last handler of a stream of HTTP/2: ends it after events that no earlier handler has handled.
 */
final class StreamTail extends ChannelInboundHandlerAdapter {
  private final ProblemLog problems;

  StreamTail(ProblemLog problems) {
    this.problems = problems;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ServerStopping.EVENT) {
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof Http2Exception) && !(cause instanceof IOException)) {
      problems.reportFailure(
          "request failed, ending its stream",
          cause,
          () -> "remote=" + context.channel().remoteAddress());
    }
    context.close();
  }
}
