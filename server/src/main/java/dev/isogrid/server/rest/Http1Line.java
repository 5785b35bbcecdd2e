package dev.isogrid.server.rest;

import dev.isogrid.server.net.PacedReading;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpRequest;
import java.util.concurrent.TimeUnit;

/** A socket with HTTP/1.1 or 1.0. For its event loop only. */
final class Http1Line implements HttpLine {
  /**
   * The time for which a client may continue a refused body. If the connection ended at once, the
   * client's system might discard the reply with the reason.
   */
  private static final long LINGER_MILLIS = 2000;

  private final RestEndpoint endpoint;
  private final RequestReader reader;
  private final Channel channel;

  /**
   * Begins with the first request.
   *
   * @param reader parses requests
   */
  Http1Line(RestEndpoint endpoint, RequestReader reader, Channel channel) {
    this.endpoint = endpoint;
    this.reader = reader;
    this.channel = channel;
  }

  @Override
  public boolean hasBegun() {
    return reader.hasBegun();
  }

  @Override
  public long bytesRead() {
    return reader.bytesRead();
  }

  @Override
  public long headMemory() {
    return reader.headMemory();
  }

  @Override
  public boolean isStream() {
    return false;
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public Channel connection() {
    return channel;
  }

  @Override
  public RestGuard guard() {
    return new RestGuard(endpoint.server(), channel);
  }

  @Override
  public void giveBack(RestGuard guard, boolean isIdle) {
    guard.close();
  }

  @Override
  public boolean canUpgrade(HttpRequest head) {
    return Http2Upgrade.isWanted(head, channel) && Http2Connection.hasRoom(endpoint.server());
  }

  @Override
  public void upgrade(ChannelHandlerContext context, HttpRequest request) {
    Http2Upgrade.perform(endpoint, context, reader, request);
  }

  @Override
  public void end(ChannelHandlerContext context, boolean unread, boolean isWhole) {
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(unread ? _ -> linger(context) : ChannelFutureListener.CLOSE);
  }

  private void linger(ChannelHandlerContext context) {
    if (!(channel instanceof DuplexChannel duplex) || duplex.isInputShutdown()) {
      context.close();
      return;
    }
    PacedReading.begin(duplex);
    duplex.shutdownOutput();
    context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }
}
