package dev.isogrid.server;

import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * The server's access to the operating system's sockets.
 *
 * @param description its name and the reason for it; for one line of the log
 * @param ioHandlers for event loops
 * @param serverChannels makes a channel that accepts connections
 */
record SocketTransport(
    String description,
    IoHandlerFactory ioHandlers,
    ChannelFactory<? extends ServerSocketChannel> serverChannels) {
  /** The native transport if this machine supports it, else the JDK's. */
  static SocketTransport choose() {
    if (Epoll.isAvailable()) {
      return new SocketTransport(
          "epoll, since its native library is available",
          SteadyEpoll.newFactory(),
          EpollServerSocketChannel::new);
    }
    Throwable reason = Epoll.unavailabilityCause();
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new SocketTransport(
        "NIO, since epoll is not available: " + reason,
        NioIoHandler.newFactory(),
        NioServerSocketChannel::new);
  }
}
