package dev.isogrid.server.net;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;

/** Connections whose peer is gone without a word. */
public final class VanishedPeers {
  private static final int MILLIS_PER_SECOND = 1000;

  private VanishedPeers() {}

  /**
   * Lets the system end a connection whose peer acknowledges no data for some time. Without this,
   * Linux tries for about 15 minutes. Does nothing with a transport that has no such option.
   *
   * @param channel of the connection, or of a stream on it; its event loop calls this
   */
  public static void endAfter(Channel channel, int seconds) {
    Channel socket = channel.parent() instanceof SocketChannel connection ? connection : channel;
    if (socket instanceof EpollSocketChannel epoll && epoll.isActive()) {
      epoll.config().setTcpUserTimeout(seconds * MILLIS_PER_SECOND);
    }
  }
}
