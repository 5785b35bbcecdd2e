package dev.isogrid.server;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.net.Traffic;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The first handler of every connection: counts connections and bytes, refuses connections above
 * the limit, and ends them all when the server stops. Shared by all connections; thread-safe.
 */
@Sharable
final class Connections extends ChannelDuplexHandler {
  /**
   * Connections at the same time. An idle one costs 1 to 5 KiB of heap, so this many take 100 MB at
   * most. Where the system allows fewer open files, its limit comes first.
   */
  static final int OPEN_MAX = 20_000;

  private final int openMax;
  private final Traffic traffic;
  private final ProblemLog problems;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  /** Written by {@link #closeAll}. */
  private volatile boolean closing;

  Connections(int openMax, Traffic traffic, ProblemLog problems) {
    this.openMax = openMax;
    this.traffic = traffic;
    this.problems = problems;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    traffic.opened();
    open.add(context.channel());
    if (closing) {
      context.close();
    } else if (open.size() > openMax) {
      problems.report(
          "too many connections",
          () ->
              "remote=%s, limit=%d; refused".formatted(context.channel().remoteAddress(), openMax));
      context.close();
    } else {
      context.fireChannelActive();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (open.remove(context.channel())) {
      traffic.closed();
    }
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    traffic.read(((ByteBuf) message).readableBytes());
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      traffic.written(bytes.readableBytes());
    }
    context.write(message, promise);
  }

  /** Closes a connection when everything that was written to it is sent. Any thread. */
  void closeWhenSent(Channel channel) {
    ChannelHandlerContext context = channel.pipeline().context(this);
    if (context != null) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Closes all connections, now and those still to come. Requests that are under way are answered
   * before, if that is done and the peers take it in time; then they are cut off. Blocks until
   * then.
   */
  void closeAll(NanoClock clock, long timeoutNanos) throws InterruptedException {
    closing = true;
    List<ChannelFuture> ends = new ArrayList<>();
    for (Channel channel : open) {
      channel.config().setAutoRead(false);
      channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
      ends.add(channel.closeFuture());
    }
    long startNanos = clock.nanoTime();
    for (ChannelFuture end : ends) {
      long leftNanos = Math.max(0, timeoutNanos - (clock.nanoTime() - startNanos));
      if (!end.await(leftNanos, TimeUnit.NANOSECONDS)) {
        end.channel().close();
      }
    }
  }
}
