package dev.isogrid.server;

import dev.isogrid.base.Env;
import dev.isogrid.base.NanoClock;
import dev.isogrid.server.net.LoopLag;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.RequestSpans;
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
 * The ports of a server for its clients. They are opened before the server joins the cluster. So a
 * port in use is found at once, and probes are answered while the server waits for its cluster.
 */
final class ClientPorts {
  /** The idle time-out of a refused client. */
  private static final int WAITING_IDLE_SECONDS = 10;

  private final Traffic traffic;
  private final ProblemLog problems;
  private final NanoClock clock;
  private final @Nullable TlsContext tls;
  private final Listeners listeners;
  private final InetSocketAddress address;
  private final @Nullable InetSocketAddress memcachedAddress;

  /**
   * Opens the ports. Until {@link #serve}, probes are answered and other clients are refused.
   *
   * @throws dev.isogrid.api.FatalGridException if that is not possible
   */
  ClientPorts(ServerSettings settings, Env env) {
    this.clock = env.nanoClock();
    this.traffic = new Traffic(clock);
    Integer slowMillis = settings.reporting().slowMillis();
    if (slowMillis != null) {
      traffic.slowLog().threshold(slowMillis);
    }
    traffic.spans(RequestSpans.find(env.epochClock()));
    this.problems = new ProblemLog(clock);
    InetAddress host = HostAddresses.resolve(settings.bindAddress(), "--bind");
    TlsSettings wanted = settings.protection().tls();
    this.tls = wanted == null ? null : new TlsContext(wanted, env.scheduler());
    this.listeners =
        new Listeners(traffic, problems, tls, settings.protection().limits().connectionsMax());
    traffic.loopLag(new LoopLag(listeners.threads(), clock));
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

  /** Closes connections that can't be served yet: their clients try another server, or later. */
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
   * @param services makes the services, given the handler after those of any protocol
   * @param areSecured whether clients must log in
   */
  void serve(Function<ChannelHandler, Services> services, boolean areSecured) {
    listeners.serve(services.apply(listeners.tail()), areSecured);
    listeners.acceptAll();
  }

  /** The address of the port for all protocols, with the real port. */
  InetSocketAddress address() {
    return address;
  }

  /** The address of the port for memcached only, with the real port, or null if there is none. */
  @Nullable InetSocketAddress memcachedAddress() {
    return memcachedAddress;
  }

  /** The counters of connections. */
  Traffic traffic() {
    return traffic;
  }

  /** The log of clients' problems. */
  ProblemLog problems() {
    return problems;
  }

  /** Whether connections use TLS. */
  boolean areEncrypted() {
    return tls != null;
  }

  /** The chosen network transport, the reason, and the threads; for the log. */
  String description() {
    return listeners.description();
  }

  /** Stops accepting connections, and ends the existing ones. Idempotent. */
  void close(long timeoutNanos) {
    listeners.close(clock, timeoutNanos);
    if (tls != null) {
      tls.close();
    }
  }
}
