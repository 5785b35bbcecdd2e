package dev.isogrid.cluster;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * The access of {@link Links} to the operating system's sockets.
 *
 * @param name for the log
 * @param ioHandlers for event loops
 * @param channel of a connection to another node
 * @param serverChannel accepts connections
 */
record LinkSockets(
    String name,
    IoHandlerFactory ioHandlers,
    Class<? extends Channel> channel,
    Class<? extends ServerChannel> serverChannel) {
  /**
   * The native transport if its library is there, else the JDK's. A program that does not allow
   * native access gets the JDK's as well: loading a library would make the JVM print a warning.
   */
  static LinkSockets choose() {
    boolean isAllowed = Epoll.class.getModule().isNativeAccessEnabled();
    return isAllowed && Epoll.isAvailable()
        ? new LinkSockets(
            "epoll",
            EpollIoHandler.newFactory(),
            EpollSocketChannel.class,
            EpollServerSocketChannel.class)
        : new LinkSockets(
            "NIO", NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
  }
}
