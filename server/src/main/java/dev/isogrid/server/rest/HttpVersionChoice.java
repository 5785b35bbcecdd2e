package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;

/**
 * Detects by the first bytes whether a client begins with HTTP/2, installs the handlers of its
 * version and removes itself. For one connection.
 */
final class HttpVersionChoice extends ChannelInboundHandlerAdapter {
  /**
   * The beginning of HTTP/2. No method of HTTP/1.1 begins like this, and the protocol's detection
   * waits for more bytes.
   */
  private static final byte[] PREFACE = {'P', 'R', 'I', ' '};

  private final Consumer<ChannelHandlerContext> http1;
  private final Consumer<ChannelHandlerContext> http2;

  /**
   * Begins undecided.
   *
   * @param http1 installs handlers behind the given one
   * @param http2 installs handlers behind the given one
   */
  HttpVersionChoice(Consumer<ChannelHandlerContext> http1, Consumer<ChannelHandlerContext> http2) {
    this.http1 = http1;
    this.http2 = http2;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    boolean isHttp2 = message instanceof ByteBuf bytes && begins(bytes);
    (isHttp2 ? http2 : http1).accept(context);
    context.fireChannelRead(message);
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }

  private static boolean begins(ByteBuf bytes) {
    if (bytes.readableBytes() < PREFACE.length) {
      return false;
    }
    for (int i = 0; i < PREFACE.length; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != PREFACE[i]) {
        return false;
      }
    }
    return true;
  }
}
