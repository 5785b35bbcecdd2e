package dev.isogrid.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Event loops, and sockets for connections. Thread-safe. */
final class Transport {
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ClientConfig config;
  private final EventLoop[] loops;
  private final AtomicInteger turn = new AtomicInteger();
  private final AddressLookup lookup = new AddressLookup();
  private final @Nullable Tls tls;

  Transport(ClientConfig config, SchemaWaits schemaWaits) {
    this.config = config;
    TlsConfig wanted = config.tls();
    tls = wanted == null ? null : new Tls(wanted);
    loops = new EventLoop[config.eventLoops()];
    for (int i = 0; i < loops.length; i++) {
      loops[i] = new EventLoop("isogrid-client-" + (i + 1), schemaWaits);
    }
    for (EventLoop loop : loops) {
      loop.start();
    }
  }

  /** Whether this thread must not wait for answers, since it may have to read them. */
  static boolean inEventLoop() {
    return EventLoop.isOwnThread();
  }

  EventLoop nextLoop() {
    return loops[Math.floorMod(turn.getAndIncrement(), loops.length)];
  }

  /** Connects; the connection gets to know of all that happens. In the loop's turn. */
  void connect(Connection connection, EventLoop loop) {
    lookup.find(
        connection.address(), address -> loop.execute(() -> open(connection, loop, address)));
  }

  private void open(Connection connection, EventLoop loop, InetSocketAddress address) {
    SocketChannel channel = null;
    try {
      if (address.isUnresolved()) {
        throw new IOException("unknown host: name=" + address.getHostString());
      }
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, config.tcpNoDelay());
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, config.tcpKeepAlive());
      TlsSession session = tls == null ? null : tls.session(connection.address());
      connection.open(new Wire(channel, loop, connection, session), address);
    } catch (IOException cause) {
      closeQuietly(channel);
      connection.notOpened(cause);
    } catch (RuntimeException cause) { // for example IPv6 where the system or the JVM has none
      closeQuietly(channel);
      connection.notOpened(new IOException("no socket for the address: " + cause, cause));
    }
  }

  private static void closeQuietly(@Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException ignored) { // tidy: the failure that led here is told
        // nothing was sent through it
      }
    }
  }

  /** Ends the threads; waits for them unless this is one of them. */
  void close() {
    lookup.close();
    for (EventLoop loop : loops) {
      loop.close();
    }
    long endNanos = Nanos.now() + CLOSE_NANOS;
    try {
      for (EventLoop loop : loops) {
        loop.awaitEnd(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - Nanos.now())));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
