package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SocketTransportTest {
  @Test
  void connections_areProbedWhileTheyAreSilent() throws Exception {
    SocketTransport transport = SocketTransport.choose();
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    try (EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, transport.ioHandlers())) {
      ServerBootstrap bootstrap =
          new ServerBootstrap()
              .group(threads)
              .channelFactory(transport.serverChannels())
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      accepted.complete(channel);
                    }
                  });
      transport.keepAlive(bootstrap);
      Channel server = bootstrap.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
      InetSocketAddress address = (InetSocketAddress) server.localAddress();
      try (Socket client = new Socket(address.getAddress(), address.getPort())) {
        Channel channel = accepted.get(30, TimeUnit.SECONDS);
        assertEquals(true, channel.config().getOption(ChannelOption.SO_KEEPALIVE));
        transport
            .keepAlive()
            .forEach((option, value) -> assertEquals(value, channel.config().getOption(option)));
        assertNotNull(client.getInetAddress());
      }
    }
  }
}
