package dev.isogrid.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Event loops and sockets: the native ones where this machine has them, and its JVM lets them be
 * loaded. Thread-safe.
 */
final class Transport {
  private static final long CLOSE_SECONDS = 5;

  private final ClientConfig config;
  private final EventLoopGroup loops;
  private final AddressLookup lookup = new AddressLookup();
  private final ChannelFactory<Channel> channels;
  private final @Nullable TlsHandlers tls;

  Transport(ClientConfig config) {
    this.config = config;
    TlsConfig wanted = config.tls();
    tls = wanted == null ? null : new TlsHandlers(wanted, config.connectTimeoutMillis());
    boolean isNative = NativeAccess.isQuiet() && Epoll.isAvailable();
    IoHandlerFactory handlers = isNative ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    channels = isNative ? EpollSocketChannel::new : NioSocketChannel::new;
    loops = new MultiThreadIoEventLoopGroup(config.eventLoops(), new LoopThreads(), handlers);
  }

  /** A thread that must not wait for answers, since it is the one that reads them. */
  private static final class LoopThread extends FastThreadLocalThread {
    LoopThread(ThreadGroup group, Runnable task, String name) {
      super(group, task, name);
    }
  }

  private static final class LoopThreads extends DefaultThreadFactory {
    LoopThreads() {
      super("isogrid-client", true);
    }

    @Override
    protected Thread newThread(Runnable task, String name) {
      return new LoopThread(threadGroup, task, name);
    }
  }

  /** Whether this thread reads answers. */
  static boolean inEventLoop() {
    return Thread.currentThread() instanceof LoopThread;
  }

  EventLoop nextLoop() {
    return loops.next();
  }

  /** Connects; the connection's handler gets to know of all that happens. */
  ChannelFuture connect(Connection connection, EventLoop loop) {
    ServerAddress address = connection.address();
    return new Bootstrap()
        .group(loop)
        .channelFactory(channels)
        .resolver(lookup)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, config.connectTimeoutMillis())
        .option(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
        .option(ChannelOption.SO_KEEPALIVE, config.tcpKeepAlive())
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) throws SSLException {
                if (tls != null) {
                  channel.pipeline().addLast(tls.handler(channel, address));
                }
                channel.pipeline().addLast(connection);
              }
            })
        .connect(address.host(), address.port());
  }

  /** Ends the threads; waits for them unless this is one of them. */
  void close() {
    lookup.close();
    var ending = loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    if (!inEventLoop()) {
      ending.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
