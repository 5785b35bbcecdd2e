package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SteadyEpollTest {
  /** More than the buffers of both sockets hold. */
  private static final int REPLY_SIZE = 32 << 20;

  private static final int READ_TIMEOUT_MILLIS = 30_000;

  /** Replies after the client has ended its side and the channel has no interest left. */
  private static final class LateReply extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        context
            .executor()
            .execute(() ->
                context
                    .writeAndFlush(Unpooled.wrappedBuffer(new byte[REPLY_SIZE]))
                    .addListener(ChannelFutureListener.CLOSE));
      }
    }
  }

  @Test
  void submit_replyAfterInputIsOver_arrivesWhole() throws IOException {
    assumeTrue(Epoll.isAvailable());
    try (var threads = new MultiThreadIoEventLoopGroup(1, SteadyEpoll.newFactory())) {
      Channel listening =
          new ServerBootstrap()
              .group(threads)
              .channelFactory(EpollServerSocketChannel::new)
              .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new LateReply());
                    }
                  })
              .bind("127.0.0.1", 0)
              .syncUninterruptibly()
              .channel();
      assertEquals(REPLY_SIZE, countReply((InetSocketAddress) listening.localAddress()));
      threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static long countReply(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
