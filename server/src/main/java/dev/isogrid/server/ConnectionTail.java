package dev.isogrid.server;

import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerStopping;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;

/**
 * The last handler of every connection. It closes the connection after events that the protocol did
 * not handle: a failure, the end of the client's requests, silence for too long. Shared by all
 * connections.
 *
 * <p>A client may end its side of the connection and still expect the replies. So a protocol that
 * owes replies at that moment keeps {@link ChannelInputShutdownEvent} to itself and closes later.
 */
@Sharable
final class ConnectionTail extends ChannelInboundHandlerAdapter {
  private static final System.Logger log = System.getLogger(ConnectionTail.class.getName());

  private final Connections connections;
  private final ProblemLog problems;

  ConnectionTail(Connections connections, ProblemLog problems) {
    this.connections = connections;
    this.problems = problems;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    String type = message.getClass().getSimpleName();
    ReferenceCountUtil.release(message);
    problems.report("message that no protocol took", () -> describe(context) + ", type=" + type);
    context.close();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      closeAfterReplies(context);
    } else if (event == ServerStopping.EVENT) {
      connections.closeWhenSent(context.channel());
    } else if (event instanceof IdleStateEvent) {
      log.log(Level.DEBUG, () -> "idle for too long, closing: " + describe(context));
      context.close();
    }
  }

  /** The protocol comes first: if there is room left, it has nothing more to send. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel() instanceof DuplexChannel channel && channel.isInputShutdown()) {
      closeAfterReplies(context);
    }
  }

  private void closeAfterReplies(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      connections.closeWhenSent(context.channel());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable actual = unwrapped(cause);
    if (isDisconnection(actual)) {
      log.log(Level.DEBUG, () -> "client is gone: " + describe(context) + ", cause=" + actual);
    } else if (actual instanceof SSLException) {
      problems.report("TLS failed", () -> describe(context) + ", cause=" + actual.getMessage());
    } else if (actual instanceof IOException) {
      problems.report("connection failed", () -> describe(context) + ", cause=" + actual);
    } else {
      problems.reportFailure("request failed, closing", cause, () -> describe(context));
    }
    context.close();
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wraps = failure instanceof UncheckedIOException || cause instanceof SSLException;
    return wraps && cause != null ? cause : failure;
  }

  private static boolean isDisconnection(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return cause instanceof ClosedChannelException
        || (cause instanceof IOException
            && (message.contains("Connection reset") || message.contains("Broken pipe")));
  }

  private static String describe(ChannelHandlerContext context) {
    return "remote=" + context.channel().remoteAddress();
  }
}
