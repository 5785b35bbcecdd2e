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
   * The time in which a client must continue a refused body, or else the connection ends. If it
   * ended at once, the client's system might discard the reply with the reason.
   */
  private static final long LINGER_MILLIS = 2000;

  /**
   * The most such times. Some clients read no reply before they have sent the whole body; in this
   * time they can send several bodies of the default limit.
   */
  private static final int LINGER_TIMES_MAX = 5;

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
    linger(context, LINGER_TIMES_MAX);
  }

  private void linger(ChannelHandlerContext context, int times) {
    long bytesBefore = reader.bytesRead();
    context
        .executor()
        .schedule(
            () -> {
              if (times > 1 && reader.bytesRead() > bytesBefore) {
                linger(context, times - 1);
              } else {
                context.close();
              }
            },
            LINGER_MILLIS,
            TimeUnit.MILLISECONDS);
  }
}
