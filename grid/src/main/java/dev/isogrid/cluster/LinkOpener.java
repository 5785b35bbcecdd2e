package dev.isogrid.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/** This node's end of a connection that it opened: says hello, and tells the link what happens. */
final class LinkOpener extends ChannelInboundHandlerAdapter {
  private final Link link;
  private final Function<Link, LinkHello> hello;
  private final LinkFrames.Handler troubles;
  private final boolean isSecured;

  /**
   * For one connection.
   *
   * @param isSecured whether there is a handshake to be waited for
   */
  LinkOpener(
      Link link, Function<Link, LinkHello> hello, LinkFrames.Handler troubles, boolean isSecured) {
    this.link = link;
    this.hello = hello;
    this.troubles = troubles;
    this.isSecured = isSecured;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (!isSecured) {
      greet(ctx);
    }
    ctx.fireChannelActive();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
      greet(ctx);
    }
    ctx.fireUserEventTriggered(event);
  }

  private void greet(ChannelHandlerContext ctx) {
    ByteBuf out = ctx.alloc().buffer(LinkFrames.HEADER_BYTES + LinkHello.BYTES_MAX);
    out.writeInt(0);
    hello.apply(link).write(out);
    out.setInt(0, out.readableBytes() - LinkFrames.HEADER_BYTES);
    ctx.writeAndFlush(out, ctx.voidPromise());
    link.opened(ctx.channel());
  }

  /** Nothing is said on these connections. */
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
    ctx.close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      link.writable();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    link.ended(ctx.channel());
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable reason = LinkFrames.reason(cause);
    boolean isTold = isOfCertificate(reason); // by the trust manager, which knows more
    if (!isTold && (reason instanceof SSLException || !(reason instanceof IOException))) {
      troubles.onFailure(String.valueOf(link.target().address()), reason.toString());
    }
    ctx.close();
  }

  private static boolean isOfCertificate(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }
}
