package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerStopping;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands the events of a channel to its {@link RestConnection}. */
final class RestHandler extends ChannelInboundHandlerAdapter {
  private final RestEndpoint endpoint;
  private final HttpLine line;

  /** Written by {@link #handlerAdded}. */
  private @Nullable RestConnection connection;

  RestHandler(RestEndpoint endpoint, HttpLine line) {
    this.endpoint = endpoint;
    this.line = line;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    connection = new RestConnection(endpoint, line, context);
  }

  private RestConnection connection() {
    return Objects.requireNonNull(connection);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpObject object) {
      connection().read(object);
    } else {
      context.fireChannelRead(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    connection().flush();
    context.fireChannelReadComplete();
  }

  /** Not passed on while replies are missing: later handlers might end the connection. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      connection().resume();
    }
    if (!connection().owesReplies()) {
      context.fireChannelWritabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE && connection().endInput()) {
      return;
    }
    if (event == ServerStopping.EVENT && connection().stop()) {
      return;
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    connection().release();
  }
}
