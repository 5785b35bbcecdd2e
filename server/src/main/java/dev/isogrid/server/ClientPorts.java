package dev.isogrid.server;

import dev.isogrid.base.Env;
import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.rest.WaitingRest;
import dev.isogrid.server.security.TlsContext;
import dev.isogrid.server.security.TlsSettings;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a server for its clients. They are taken before the cluster is joined, so that a
 * port in use is found at once, and probes are answered while the server waits for its cluster.
 */
final class ClientPorts {
  /** A client that is turned away has nothing more to say. */
  private static final int WAITING_IDLE_SECONDS = 10;

  private final Traffic traffic = new Traffic();
  private final ProblemLog problems;
  private final NanoClock clock;
  private final @Nullable TlsContext tls;
  private final Listeners listeners;
  private final InetSocketAddress address;
  private final @Nullable InetSocketAddress memcachedAddress;

  /**
   * Takes the ports. Until {@link #serve}, probes are answered and other clients are turned away.
   *
   * @throws dev.isogrid.api.FatalGridException if that is not possible
   */
  ClientPorts(ServerSettings settings, Env env) {
    this.clock = env.nanoClock();
    this.problems = new ProblemLog(clock);
    InetAddress host = HostAddresses.resolve(settings.bindAddress(), "--bind");
    TlsSettings wanted = settings.protection().tls();
    this.tls = wanted == null ? null : new TlsContext(wanted, env.scheduler());
    this.listeners =
        new Listeners(traffic, problems, tls, settings.protection().limits().connectionsMax());
    boolean isDone = false;
    try {
      ServerSettings.Protocols protocols = settings.protocols();
      listeners.serve(waiting(protocols), true);
      this.address = listeners.listen(new InetSocketAddress(host, settings.port()), "--port");
      boolean hasOwnPort =
          protocols.memcached() != null && settings.memcachedPort() != ServerSettings.OFF;
      this.memcachedAddress =
          hasOwnPort
              ? listeners.listenToMemcached(
                  new InetSocketAddress(host, settings.memcachedPort()), "--memcached-port")
              : null;
      isDone = true;
    } finally {
      if (!isDone) {
        close(0);
      }
    }
  }

  private Services waiting(ServerSettings.Protocols protocols) {
    Services.Service none =
        new Services.Service(
            pipeline -> pipeline.addLast(new NotYet()), WAITING_IDLE_SECONDS, listeners.tail());
    Services.Service probes =
        new Services.Service(WaitingRest::install, WAITING_IDLE_SECONDS, listeners.tail());
    return new Services(
        protocols.hotRod() == null ? null : none,
        protocols.rest() == null ? null : probes,
        protocols.memcached() == null ? null : none);
  }

  /** Ends connections that can't be served yet: their clients try another server, or later. */
  private static final class NotYet extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
      context.close();
    }
  }

  /**
   * Serves clients from now on.
   *
   * @param services gets the handler that comes after those of any protocol
   * @param areSecured whether clients have to log in
   */
  void serve(Function<ChannelHandler, Services> services, boolean areSecured) {
    listeners.serve(services.apply(listeners.tail()), areSecured);
    listeners.acceptAll();
  }

  /** Where all protocols are spoken, with the real port. */
  InetSocketAddress address() {
    return address;
  }

  /** Where only memcached is spoken, with the real port, or null if nowhere. */
  @Nullable InetSocketAddress memcachedAddress() {
    return memcachedAddress;
  }

  /** Counts what goes over the connections. */
  Traffic traffic() {
    return traffic;
  }

  /** Where problems of clients are told. */
  ProblemLog problems() {
    return problems;
  }

  /** Whether TLS is spoken. */
  boolean areEncrypted() {
    return tls != null;
  }

  /** The way to the network that was chosen, why, and the threads; for the log. */
  String description() {
    return listeners.description();
  }

  /** Stops accepting connections, and ends those that there are. Idempotent. */
  void close(long timeoutNanos) {
    listeners.close(clock, timeoutNanos);
    if (tls != null) {
      tls.close();
    }
  }
}
