package dev.isogrid.server;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.TlsContext;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of a server, the threads that serve their connections, and the memory for input and
 * output. One thread accepts connections. Each connection whose client has sent something belongs
 * to one of the others; there is one per processor.
 */
final class Listeners {
  /** The connections that the system queues while all threads are busy; it may allow fewer. */
  private static final int BACKLOG = 1024;

  /**
   * The unsent output above which a connection's requests stop: some more replies than a socket
   * takes.
   */
  private static final int OUTPUT_HIGH_SIZE = 256 << 10;

  /** The unsent output below which they continue: still enough to keep the network busy. */
  private static final int OUTPUT_LOW_SIZE = 64 << 10;

  /** The time for threads to end their last tasks, which are short. */
  private static final long THREADS_END_SECONDS = 2;

  private final Connections connections;
  private final ConnectionTail tail;
  private final ProblemLog problems;
  private final @Nullable TlsContext tls;
  private final EventLoopGroup threads;

  /** Accepts connections, and has those whose clients have sent nothing. */
  private final EventLoopGroup accepting;

  private final String description;
  private final ServerBootstrap bootstrap;
  private final List<Channel> listening = new ArrayList<>();

  // written by: serve
  private volatile Services services = new Services(null, null, null);

  // written by: serve
  private volatile boolean isSecured = true;

  /**
   * Starts the threads.
   *
   * @param tls encrypts all connections, or null
   * @param perAddressMax the most connections from one address at the same time
   */
  Listeners(Traffic traffic, ProblemLog problems, @Nullable TlsContext tls, int perAddressMax) {
    this.problems = problems;
    this.tls = tls;
    this.connections = new Connections(Connections.OPEN_MAX, perAddressMax, traffic, problems);
    this.tail = new ConnectionTail(connections, problems);
    SocketTransport transport = SocketTransport.choose();
    int threadCount = Runtime.getRuntime().availableProcessors();
    this.threads = new IoThreads("isogrid-io", threadCount, transport.ioHandlers());
    this.accepting = new IoThreads("isogrid-accept", 1, transport.ioHandlers());
    this.description = "%s; threads=%d".formatted(transport.description(), threadCount);
    this.bootstrap =
        new ServerBootstrap()
            .group(accepting)
            .channelFactory(transport.serverChannels())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(
                ChannelOption.ALLOCATOR,
                new SocketMemory(threadCount, PlatformDependent.maxDirectMemory()))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(OUTPUT_LOW_SIZE, OUTPUT_HIGH_SIZE));
    transport.keepAlive(bootstrap);
  }

  /** The event loops. */
  Iterable<EventExecutor> threads() {
    return threads;
  }

  /** The chosen network transport, the reason, and the threads; for the log. */
  String description() {
    return description;
  }

  /** The handler after those of any protocol. */
  ChannelHandler tail() {
    return tail;
  }

  /**
   * Sets the services of connections from now on.
   *
   * @param areSecured whether clients must log in
   */
  void serve(Services now, boolean areSecured) {
    isSecured = areSecured;
    services = now;
  }

  /** Accepts connections on all ports, including those that wait at the port for memcached only. */
  void acceptAll() {
    listening.forEach(channel -> channel.config().setAutoRead(true));
  }

  /**
   * Opens a port for all protocols.
   *
   * @param option the option for messages
   * @return the address with the real port
   * @throws FatalGridException if that is not possible
   */
  InetSocketAddress listen(InetSocketAddress address, String option) {
    return listen(address, option, true, handlers());
  }

  /** Prepares a connection for all protocols. */
  ChannelInitializer<Channel> handlers() {
    return handlers(
        () -> false,
        channel ->
            channel
                .pipeline()
                .addLast(
                    new ProtocolDetector(services, problems, tls),
                    new FirstByteDeadline(problems),
                    tail));
  }

  /**
   * As {@link #listen}, for memcached's protocol only. If clients need no login, they may be silent
   * for any time: pools of memcached clients connect in advance. Connections wait in the system's
   * queue until {@link #acceptAll}.
   */
  InetSocketAddress listenToMemcached(InetSocketAddress address, String option) {
    return listen(address, option, false, memcachedHandlers());
  }

  /** Prepares a connection for memcached's protocol only. */
  ChannelInitializer<Channel> memcachedHandlers() {
    return handlers(
        () -> tls == null && !isSecured,
        channel -> {
          if (tls != null) {
            channel
                .pipeline()
                .addLast(tls.newHandler(channel.alloc()), new FirstByteDeadline(problems));
          }
          Objects.requireNonNull(services.memcachedAlone()).install(channel.pipeline());
        });
  }

  /**
   * Prepares a connection that its client has not used yet.
   *
   * @param mayBeSilent whether clients may send nothing for any time; asked for each connection
   * @param protocol prepares the connection for its first input
   */
  private ChannelInitializer<Channel> handlers(
      BooleanSupplier mayBeSilent, Consumer<Channel> protocol) {
    Consumer<Channel> served =
        channel -> {
          channel.pipeline().remove(tail); // each protocol has it behind its own handlers
          protocol.accept(channel);
          if (connections.isClosing()) { // its event came while the channel had no thread
            channel.pipeline().fireUserEventTriggered(ServerStopping.EVENT);
          }
        };
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        ProblemLog silence = mayBeSilent.getAsBoolean() ? null : problems;
        channel.pipeline().addLast(connections, new Anteroom(threads, served, silence), tail);
      }
    };
  }

  private InetSocketAddress listen(
      InetSocketAddress address,
      String option,
      boolean acceptsNow,
      ChannelInitializer<Channel> handlers) {
    ChannelFuture bound =
        bootstrap
            .clone()
            .option(ChannelOption.AUTO_READ, acceptsNow)
            .childHandler(handlers)
            .bind(address)
            .awaitUninterruptibly();
    Throwable cause = bound.cause();
    if (cause != null) {
      throw new FatalGridException(
          "can't listen on %s: %s".formatted(HostPort.of(address), reason(cause, option)), cause);
    }
    bound.channel().pipeline().addLast(new AcceptFailures(problems));
    listening.add(bound.channel());
    int port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
    return new InetSocketAddress(address.getAddress(), port); // the system may call it otherwise
  }

  /** Logs why connections are not accepted; Netty pauses and tries again. */
  private static final class AcceptFailures extends ChannelInboundHandlerAdapter {
    private final ProblemLog problems;

    AcceptFailures(ProblemLog problems) {
      this.problems = problems;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      problems.report(
          "can't accept connections",
          () -> cause + "; if it is for want of files, raise the limit of open files");
    }
  }

  /** The reason in common words: systems and transports word it differently. */
  private static String reason(Throwable cause, String option) {
    String message = String.valueOf(cause.getMessage());
    if (message.contains("in use")) {
      return "the port is taken; stop its user or choose another " + option;
    }
    if (message.contains("Permission denied")) {
      return "the system does not permit it; choose a " + option + " above 1023";
    }
    if (message.contains("annot assign") || cause instanceof java.net.UnknownHostException) {
      return "the address is not one of this machine; choose another --bind";
    }
    return message + "; choose another --bind or " + option;
  }

  /** Stops accepting connections, ends the existing ones, then the threads. Idempotent. */
  void close(NanoClock clock, long timeoutNanos) {
    listening.forEach(channel -> channel.close().awaitUninterruptibly());
    try {
      connections.closeAll(clock, timeoutNanos);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // so the rest is cut off
    }
    end(accepting);
    end(threads);
  }

  private static void end(EventLoopGroup loops) {
    loops
        .shutdownGracefully(0, THREADS_END_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(THREADS_END_SECONDS, TimeUnit.SECONDS);
  }
}
