package dev.isogrid.server;

import dev.isogrid.server.net.ProblemLog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client sends nothing, or does not end its TLS handshake. Removes itself
 * with the first message, which is the first one of a protocol. For one connection.
 */
final class FirstByteDeadline extends ChannelInboundHandlerAdapter {
  /**
   * The time-out. Clients that connect in advance send something within seconds, if only to check
   * the server; late ones connect again.
   */
  static final int TIMEOUT_SECONDS = 30;

  private final ProblemLog problems;
  private @Nullable Future<?> timeout;

  FirstByteDeadline(ProblemLog problems) {
    this.problems = problems;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    timeout = begin(context, problems);
  }

  /** Closes a connection soon, unless the result is cancelled. */
  static Future<?> begin(ChannelHandlerContext context, ProblemLog problems) {
    Runnable giveUp = () -> giveUp(context, problems);
    return context.executor().schedule(giveUp, TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private static void giveUp(ChannelHandlerContext context, ProblemLog problems) {
    problems.report(
        "silent connection closed",
        () ->
            "no request in time: remote=%s, timeoutSeconds=%d"
                .formatted(context.channel().remoteAddress(), TIMEOUT_SECONDS));
    context.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.fireChannelRead(message);
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    Future<?> pending = timeout;
    if (pending != null) {
      timeout = null;
      pending.cancel(false);
    }
  }
}
