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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of every connection: counts connections and bytes, refuses connections above
 * the limit, and ends them all when the server stops. Shared by all connections; thread-safe.
 */
@Sharable
final class Connections extends ChannelDuplexHandler {
  /** The most connections at the same time. */
  static final int OPEN_MAX = Traffic.CONNECTIONS_MAX;

  /**
   * The default of the most connections from one address at the same time, half of all. Load
   * generators with thousands of connections from one machine still work, and one machine can't
   * keep all others out.
   */
  static final int PER_ADDRESS_MAX = OPEN_MAX / 2;

  /** The counted bytes of an IPv6 address: a single machine often has all of the rest. */
  private static final int NETWORK_BYTES = 8;

  private final int openMax;
  private final int perAddressMax;
  private final Traffic traffic;
  private final ProblemLog problems;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  /** Open connections by address. */
  private final Map<ByteBuffer, Integer> byAddress = new ConcurrentHashMap<>();

  /** Written by {@link #closeAll}. */
  private volatile boolean closing;

  /**
   * Begins without connections.
   *
   * @param openMax the most connections at the same time
   * @param perAddressMax the most of them from one address
   */
  Connections(int openMax, int perAddressMax, Traffic traffic, ProblemLog problems) {
    this.openMax = openMax;
    this.perAddressMax = perAddressMax;
    this.traffic = traffic;
    this.problems = problems;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    traffic.opened();
    open.add(context.channel());
    int ofAddress = count(context.channel(), 1);
    if (closing) {
      context.close();
    } else if (open.size() > openMax) {
      refuse(context, "too many connections", openMax);
    } else if (ofAddress > perAddressMax) {
      refuse(context, "too many connections from one address", perAddressMax);
    } else {
      context.fireChannelActive();
    }
  }

  private void refuse(ChannelHandlerContext context, String cause, int limit) {
    traffic.refused();
    problems.report(
        cause,
        () -> "remote=%s, limit=%d; refused".formatted(context.channel().remoteAddress(), limit));
    context.close();
  }

  /** Counts connections from an address; returns their number. */
  private int count(Channel channel, int change) {
    ByteBuffer address = address(channel.remoteAddress());
    Integer after =
        byAddress.merge(
            address, change, (before, more) -> before + more == 0 ? null : before + more);
    return after == null ? 0 : after;
  }

  private static ByteBuffer address(@Nullable SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return ByteBuffer.allocate(0);
    }
    byte[] bytes = inet.getAddress().getAddress();
    return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, NETWORK_BYTES));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (open.remove(context.channel())) {
      traffic.closed();
      count(context.channel(), -1);
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

  /** Whether the server stops, so that connections end. */
  boolean isClosing() {
    return closing;
  }

  /** Closes a connection when all its output is sent. Any thread. */
  void closeWhenSent(Channel channel) {
    ChannelHandlerContext context = channel.pipeline().context(this);
    if (context != null) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Closes all connections, existing and later ones. Requests in progress are answered first, if
   * they end and the peers take the replies in time; then the connections are closed by force.
   * Blocks until then.
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
