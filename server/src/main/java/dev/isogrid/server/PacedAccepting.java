package dev.isogrid.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Accepts connections in small batches, so that a flood of them leaves the event loop time for the
 * clients that are there: {@value #BATCH} in {@value #PAUSE_MILLIS} ms at most. The others wait in
 * the system's backlog. For the pipeline of one listening socket, before all others.
 */
final class PacedAccepting extends ChannelInboundHandlerAdapter {
  /** A loop is away from its connections for less than a millisecond by as many. */
  static final int BATCH = 8;

  /** With the batch it allows 4,000 connections a second, more than any client's pool opens. */
  static final int PAUSE_MILLIS = 2;

  /** Connections since the period began; 0 between periods. Used by the event loop only. */
  private int accepted;

  @Override
  public void channelRead(ChannelHandlerContext context, Object connection) {
    accepted++;
    if (accepted == 1) {
      context.executor().schedule(() -> beginAnew(context), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    if (accepted == BATCH) {
      context.channel().config().setAutoRead(false);
    }
    context.fireChannelRead(connection);
  }

  private void beginAnew(ChannelHandlerContext context) {
    boolean isPaused = accepted >= BATCH;
    accepted = 0;
    if (isPaused) {
      context.channel().config().setAutoRead(true);
    }
  }
}
