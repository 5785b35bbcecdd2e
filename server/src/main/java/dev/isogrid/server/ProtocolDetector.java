package dev.isogrid.server;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.security.TlsContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects the protocol of a client by its first bytes, installs that protocol's handlers and
 * removes itself. A client that has sent nothing costs no buffer. A client that has begun a word
 * must end it soon.
 *
 * <p>With TLS, the first decrypted bytes show the protocol.
 *
 * <p>A protocol that is not served gets an answer that its clients understand, if a constant answer
 * suffices. For one connection.
 */
final class ProtocolDetector extends ChannelInboundHandlerAdapter {
  /**
   * The time for the rest of a word: clients send a word in one piece, and people need time to
   * type.
   */
  static final int WORD_TIMEOUT_SECONDS = 10;

  /**
   * The time for the last answer to arrive: closing at once, with unread input, would make the
   * client's system discard it.
   */
  static final int FAREWELL_SECONDS = 2;

  private static final byte[] BAD_REQUEST =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] RESP_ERROR =
      "-ERR RESP is not supported by this server\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NOTHING = {};
  private static final String TLS_HANDLER = "tls";

  private static final byte[] TLS_REQUIRED =
      ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 28\r\n"
              + "Connection: close\r\n\r\nTLS is required; use https\r\n")
          .getBytes(StandardCharsets.US_ASCII);

  private final Services services;
  private final ProblemLog problems;

  /** The encryption of connections, or null if it is disabled. */
  private final @Nullable TlsContext tls;

  /** The beginning of a word in pieces. */
  private byte[] held = NOTHING;

  private @Nullable Future<?> timeout;
  private boolean refused;

  ProtocolDetector(Services services, ProblemLog problems, @Nullable TlsContext tls) {
    this.services = services;
    this.problems = problems;
    this.tls = tls;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    if (refused) {
      input.release();
      return;
    }
    if (held.length > 0) {
      input = joined(context, input);
    }
    Detection detection = Detection.of(input);
    boolean clear = tls != null && context.pipeline().get(SslHandler.class) == null;
    if (tls != null && clear && detection == Detection.TLS) {
      encrypt(context, input, tls);
      return;
    }
    Services.@Nullable Service service = clear ? null : services.of(detection);
    if (service != null) {
      cancelTimeout();
      service.install(context.pipeline());
      context.fireChannelRead(input);
      if (!context.isRemoved()) {
        context.pipeline().remove(this);
      }
    } else if (detection == Detection.UNDECIDED) {
      hold(context, input);
    } else {
      input.release();
      if (clear) {
        refuse(
            context,
            "clear text where TLS is required",
            "let the client use TLS",
            detection == Detection.HTTP ? TLS_REQUIRED : NOTHING);
      } else {
        refuse(context, detection);
      }
    }
  }

  /** Continues with the output of a TLS handler before this one, which receives the input. */
  private void encrypt(ChannelHandlerContext context, ByteBuf input, TlsContext encryption) {
    cancelTimeout();
    held = NOTHING;
    SslHandler handler = encryption.newHandler(context.alloc());
    context.pipeline().addBefore(context.name(), TLS_HANDLER, handler);
    ChannelHandlerContext before = context.pipeline().context(handler);
    try {
      handler.channelRead(before, input);
    } catch (Exception failure) {
      before.fireExceptionCaught(failure);
    }
  }

  private ByteBuf joined(ChannelHandlerContext context, ByteBuf input) {
    try {
      return context
          .alloc()
          .ioBuffer(held.length + input.readableBytes())
          .writeBytes(held)
          .writeBytes(input);
    } finally {
      input.release();
    }
  }

  private void hold(ChannelHandlerContext context, ByteBuf input) {
    held = new byte[input.readableBytes()]; // less than Detection.LENGTH_MAX, or it were decided
    input.readBytes(held).release();
    if (timeout == null && held.length > 0) {
      timeout =
          context
              .executor()
              .schedule(() -> giveUp(context), WORD_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void giveUp(ChannelHandlerContext context) {
    problems.report(
        "unknown protocol",
        () ->
            "first word not ended: remote=%s, bytes=%d, timeoutSeconds=%d"
                .formatted(context.channel().remoteAddress(), held.length, WORD_TIMEOUT_SECONDS));
    context.close();
  }

  private void refuse(ChannelHandlerContext context, Detection detection) {
    switch (detection) {
      case UNKNOWN -> refuse(context, "unknown protocol", "use HTTP/1.1", BAD_REQUEST);
      case RESP ->
          refuse(context, "RESP is not supported", "use Hot Rod, memcached or REST", RESP_ERROR);
      case TLS ->
          refuse(context, "TLS is not configured", "connect without it, or configure it", NOTHING);
      case HTTP, HTTP2, HOT_ROD, MEMCACHED, MEMCACHED_BINARY, UNDECIDED ->
          refuse(
              context, "protocol is switched off", detection + ": see the configuration", NOTHING);
    }
  }

  private void refuse(
      ChannelHandlerContext context, String problem, String remedy, byte[] lastWords) {
    refused = true;
    cancelTimeout();
    Channel channel = context.channel();
    problems.report(problem, () -> "remote=" + channel.remoteAddress() + "; " + remedy);
    if (lastWords.length == 0 || !(channel instanceof DuplexChannel duplex)) {
      context
          .writeAndFlush(Unpooled.wrappedBuffer(lastWords))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context
        .writeAndFlush(Unpooled.wrappedBuffer(lastWords))
        .addListener(done -> duplex.shutdownOutput());
    Runnable close = channel::close;
    timeout = context.executor().schedule(close, FAREWELL_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    cancelTimeout();
  }

  private void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }
}
