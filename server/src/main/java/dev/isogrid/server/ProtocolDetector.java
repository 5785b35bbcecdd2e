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
 * Finds out which protocol a client speaks, from the first bytes that it sends, installs that
 * protocol's handlers and goes away. A client that has sent nothing costs no buffer; one that has
 * begun a word must end it soon.
 *
 * <p>Where TLS is spoken, it comes first: then the first bytes that are decrypted tell the
 * protocol.
 *
 * <p>A protocol that is not served gets an answer that its clients understand, if that takes no
 * more than a constant. For one connection.
 */
final class ProtocolDetector extends ChannelInboundHandlerAdapter {
  /** A word is sent in one piece; this leaves time to type one. */
  static final int WORD_TIMEOUT_SECONDS = 10;

  /**
   * The time for the last words to arrive: closing at once, with input unread, would make the
   * client's system discard them.
   */
  static final int FAREWELL_SECONDS = 2;

  private static final byte[] BAD_REQUEST =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** No settings, then going away because of HTTP_1_1_REQUIRED: two frames of HTTP/2. */
  private static final byte[] HTTP1_REQUIRED = {
    0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13
  };

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

  /** What encrypts connections, or null if that is not wanted. */
  private final @Nullable TlsContext tls;

  /** The begin of a word, if it came in pieces. */
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

  /** Goes on with what comes out of a handler before this one, which gets the input. */
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
      case HTTP2 ->
          refuse(context, "HTTP/2 is not supported", "let the client use 1.1", HTTP1_REQUIRED);
      case RESP ->
          refuse(context, "RESP is not supported", "use Hot Rod, memcached or REST", RESP_ERROR);
      case MEMCACHED_BINARY ->
          refuse(
              context,
              "memcached's binary protocol is not supported",
              "let the client use the text protocol",
              NOTHING);
      case TLS ->
          refuse(context, "TLS is not configured", "connect without it, or configure it", NOTHING);
      case HTTP, HOT_ROD, MEMCACHED, UNDECIDED ->
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
