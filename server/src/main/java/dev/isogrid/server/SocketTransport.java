package dev.isogrid.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/**
 * The server's access to the operating system's sockets.
 *
 * @param description its name and the reason for it; for one line of the log
 * @param ioHandlers for event loops
 * @param serverChannels makes a channel that accepts connections
 * @param keepAlive the options for probes of silent connections
 */
record SocketTransport(
    String description,
    IoHandlerFactory ioHandlers,
    ChannelFactory<? extends ServerSocketChannel> serverChannels,
    Map<ChannelOption<Integer>, Integer> keepAlive) {
  /*
   * A connection whose client has vanished ends about 2 minutes after its last sign of life. The
   * probes cost one empty packet per minute and connection.
   */

  /** The silence before the first probe. */
  private static final int IDLE_SECONDS = 60;

  /** The pause between probes without an answer. */
  private static final int INTERVAL_SECONDS = 15;

  /** The probes without an answer that end the connection. */
  private static final int PROBES_MAX = 4;

  /** The native transport if this machine supports it, else the JDK's. */
  static SocketTransport choose() {
    if (Epoll.isAvailable()) {
      return new SocketTransport(
          "epoll, since its native library is available",
          SteadyEpoll.newFactory(),
          EpollServerSocketChannel::new,
          Map.of(
              EpollChannelOption.TCP_KEEPIDLE,
              IDLE_SECONDS,
              EpollChannelOption.TCP_KEEPINTVL,
              INTERVAL_SECONDS,
              EpollChannelOption.TCP_KEEPCNT,
              PROBES_MAX));
    }
    Throwable reason = Epoll.unavailabilityCause();
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new SocketTransport(
        "NIO, since epoll is not available: " + reason,
        NioIoHandler.newFactory(),
        NioServerSocketChannel::new,
        Map.of(
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
            IDLE_SECONDS,
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
            INTERVAL_SECONDS,
            NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT),
            PROBES_MAX));
  }

  /** Lets the system probe silent connections. */
  void keepAlive(ServerBootstrap bootstrap) {
    bootstrap.childOption(ChannelOption.SO_KEEPALIVE, true);
    keepAlive.forEach(bootstrap::childOption);
  }
}
