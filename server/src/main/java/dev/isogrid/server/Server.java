package dev.isogrid.server;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.node.ClientTopology.Endpoint;
import dev.isogrid.node.Node;
import dev.isogrid.server.hotrod.HotRodProtocol;
import dev.isogrid.server.memcached.MemcachedProtocol;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.CacheFiles;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Shutdown;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.rest.RestProtocol;
import dev.isogrid.server.rest.WebRules;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.Users;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node that clients reach over the network. It serves from {@link #start} to {@link #close}.
 * Thread-safe.
 */
public final class Server implements AutoCloseable {
  /** The version of this product. */
  public static final String VERSION = "0.1.0";

  /** The time for clients of a stopping server to take the replies in progress. */
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final System.Logger log = System.getLogger(Server.class.getName());

  private final Node node;
  private final Security security;
  private final TaskDesk tasks;
  private final @Nullable CacheFiles files;
  private final List<String> coveredCaches;
  private final ClientPorts ports;
  private final CacheCatalog catalog;
  private final long startNanos;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  private Server(
      ServerSettings settings,
      Node node,
      @Nullable CacheFiles files,
      Security security,
      TaskDesk tasks,
      ClientPorts ports) {
    this.node = node;
    this.tasks = tasks;
    this.security = security;
    this.ports = ports;
    this.files = files;
    this.startNanos = node.env().nanoClock().nanoTime();
    ServerContext context = context(settings, files);
    this.catalog = context.catalog();
    this.coveredCaches = createCaches(settings, context.catalog());
    Shutdown shutdown = new Shutdown(node, this::close);
    ports.serve(tail -> services(settings, context, tail, shutdown), security.isOn());
    InetSocketAddress address = ports.address();
    InetAddress host = address.getAddress();
    OwnEndpoint ownEndpoint = context.ownEndpoint();
    ownEndpoint.announced(endpoint(settings.external(), host, address.getPort()).toString());
    if (settings.protocols().hotRod() != null) { // clients of others don't look for members
      node.announceEndpoint(ownEndpoint.text());
    }
    logStarted(settings, host);
    FailureWatch watch = new FailureWatch(node::failure, shutdown::stop);
    node.env().scheduler().every(FailureWatch.PERIOD_MILLIS, watch::check);
  }

  private static Endpoint endpoint(ServerSettings.External external, InetAddress host, int port) {
    String chosen = external.host();
    Integer chosenPort = external.port();
    return new Endpoint(
        chosen == null ? HostAddresses.text(HostAddresses.reachable(host)) : chosen,
        chosenPort == null ? port : chosenPort);
  }

  /** At the end, since a server that fails to start only logs its failure. */
  private void logStarted(ServerSettings settings, InetAddress host) {
    log.log(Level.INFO, () -> "network: " + ports.description());
    settings.notes().forEach(note -> log.log(Level.INFO, note));
    settings.warnings().forEach(warning -> log.log(Level.WARNING, warning));
    if (!coveredCaches.isEmpty()) {
      log.log(
          Level.WARNING,
          () -> "configuration overrides stored caches of --data: caches=" + coveredCaches);
    }
    logProtection(settings.protection(), host);
  }

  private void logProtection(Protection protection, InetAddress host) {
    Path folder = protection.security().folder();
    if (!security.isOn()) {
      if (!host.isLoopbackAddress()) {
        log.log(
            Level.WARNING,
            "no authentication: whoever reaches %s can read and change everything;"
                    .formatted(HostPort.of(ports.address()))
                + " let only trusted machines, or use --auth or --bind 127.0.0.1");
      }
      if (Files.exists(new Users(folder, SecuritySettings.REALM).path())) {
        log.log(
            Level.WARNING,
            () ->
                "there are users, but no login is required: folder=%s; use --auth"
                    .formatted(folder));
      }
      return;
    }
    log.log(
        Level.INFO,
        () ->
            "authentication: users=%d, folder=%s, tls=%s"
                .formatted(security.userCount(), folder, ports.areEncrypted()));
    SecuritySettings.Login login = protection.security().login();
    if (security.userCount() == 0 && login != null && login.tokens() == null) {
      log.log(Level.WARNING, () -> noUsers(folder));
    }
  }

  /** Tells an operator to create a user where this server looks for users. */
  static String noUsers(Path folder) {
    return "nobody can log in yet: folder=%s; run isogrid user create NAME --roles admin --conf %s"
        .formatted(folder, folder);
  }

  /**
   * Starts a server. When this returns, clients can connect.
   *
   * @throws InvalidRequestException if the settings are wrong
   * @throws FatalGridException if the system refuses the address, port or files
   */
  public static Server start(ServerSettings settings) {
    TaskLibrary library = TaskLibrary.open(settings.tasksDirectory());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // All threads of the node inherit the class loader, and so find the classes of other nodes'
    // messages.
    thread.setContextClassLoader(library.loader());
    try {
      return start(settings, library);
    } catch (RuntimeException failure) {
      library.close();
      throw failure;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Server start(ServerSettings settings, TaskLibrary library) {
    Path data = settings.dataDirectory();
    CacheFiles files = data == null ? null : CacheFiles.open(data);
    Env env = Env.system();
    ClientPorts ports = null;
    Node node = null;
    Security security = null;
    try {
      ports = new ClientPorts(settings, env);
      node = Node.start(settings.grid(), env, library.loader());
      RequestSpans spans = ports.traffic().spans();
      node.trace(spans == null ? null : spans.calls());
      Node started = node;
      security =
          new Security(
              settings.protection().security(), env, name -> started.findCache(name) != null);
      TaskDesk tasks = new TaskDesk(node, library, security);
      return new Server(settings, node, files, security, tasks, ports);
    } catch (RuntimeException failure) {
      if (security != null) {
        security.close();
      }
      if (ports != null) {
        ports.close(0);
      }
      if (node != null) {
        node.close();
      }
      env.scheduler().close();
      if (files != null) {
        files.close();
      }
      throw failure;
    }
  }

  private ServerContext context(ServerSettings settings, @Nullable CacheFiles kept) {
    CacheSetup caches = settings.caches();
    return new ServerContext(
        node,
        node::engine,
        node::topology,
        new OwnEndpoint(settings.external().host() != null),
        new CacheCatalog(node, kept, caches.templates()),
        VERSION,
        ServerSettings.Protocol.CONTENT_LENGTH_MAX,
        caches.defaultCache(),
        caches.memcachedCache(),
        node.env().epochClock().millis(),
        ports.traffic(),
        ports.problems(),
        security,
        tasks,
        settings.protection().limits().intake());
  }

  /** Creates the caches; returns the names of stored configurations that others override. */
  private static List<String> createCaches(ServerSettings settings, CacheCatalog catalog) {
    catalog.begin();
    CacheSetup setup = settings.caches();
    setup.caches().forEach(catalog.configured()::apply);
    List<String> covered = catalog.restore();
    setup.aliases().forEach(catalog::assignAlias);
    CacheConfig builtIn = CacheSetup.builtIn();
    catalog.getOrCreateBuiltIn(setup.defaultCache(), builtIn);
    if (settings.protocols().memcached() != null) {
      catalog.getOrCreateBuiltIn(setup.memcachedCache(), builtIn);
    }
    catalog.beginLimits();
    return covered;
  }

  private static Services services(
      ServerSettings settings, ServerContext context, ChannelHandler tail, Shutdown shutdown) {
    ServerSettings.Protocols protocols = settings.protocols();
    WebRules rules = webRules(settings);
    MemcachedProtocol memcached = memcached(protocols.memcached(), context);
    return new Services(
        service(
            protocols.hotRod(),
            context,
            c -> new HotRodProtocol(c, protocols.streamedValueMax())::install,
            tail),
        service(
            protocols.rest(),
            context,
            c ->
                new RestProtocol(c, shutdown, rules, settings.reporting().infinispanNames())
                    ::install,
            tail),
        service(
            protocols.memcached(),
            context,
            _ -> memcached.withItemSizeMax(protocols.sharedItemMax())::install,
            tail),
        service(
            protocols.memcached(),
            context,
            _ -> memcached.withItemSizeMax(protocols.memcachedItemMax())::install,
            tail));
  }

  /**
   * One protocol for all ports: connections share the counters and the pending {@code flush_all}.
   */
  private static MemcachedProtocol memcached(
      ServerSettings.@Nullable Protocol protocol, ServerContext context) {
    return new MemcachedProtocol(
        protocol == null ? context : context.withContentLengthMax(protocol.contentLengthMax()));
  }

  private static WebRules webRules(ServerSettings settings) {
    List<String> hosts = new ArrayList<>(List.of(settings.bindAddress()));
    String external = settings.external().host();
    if (external != null) {
      hosts.add(external);
    }
    return new WebRules(hosts, settings.protection().limits().corsOrigins());
  }

  private static Services.@Nullable Service service(
      ServerSettings.@Nullable Protocol protocol,
      ServerContext context,
      Function<ServerContext, Consumer<ChannelPipeline>> handlers,
      ChannelHandler tail) {
    return protocol == null
        ? null
        : new Services.Service(
            handlers.apply(context.withContentLengthMax(protocol.contentLengthMax())),
            protocol.idleTimeoutSeconds(),
            tail);
  }

  /** The node of the server. */
  public Node node() {
    return node;
  }

  /** The catalog that creates and removes caches for clients. */
  CacheCatalog catalog() {
    return catalog;
  }

  /** The address of the port for all protocols, with the real port. */
  public InetSocketAddress address() {
    return ports.address();
  }

  /** The address of the port for memcached only, with the real port, or null if there is none. */
  public @Nullable InetSocketAddress memcachedAddress() {
    return ports.memcachedAddress();
  }

  /** Blocks until the server is closed. */
  public void awaitClosed() throws InterruptedException {
    closed.await();
  }

  /**
   * Stops accepting connections, answers the requests in progress, hands entries over to other
   * nodes, and ends the node. Takes at most 20 s beside the time of the hand-over. Closing twice is
   * harmless, and the second call waits for the first.
   */
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      try {
        node.announceEndpoint(""); // so that clients of other servers leave this one alone
        ports.close(CLOSE_NANOS);
        tasks.close();
        security.close();
        node.close();
        if (files != null) {
          files.close();
        }
        logStopped();
      } finally {
        closed.countDown();
      }
      return;
    }
    try {
      awaitClosed();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void logStopped() {
    Traffic traffic = ports.traffic();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(node.env().nanoClock().nanoTime() - startNanos);
    log.log(
        Level.INFO,
        () ->
            "stopped: node=%s, upSeconds=%d, connections=%d, bytesRead=%d, bytesWritten=%d"
                .formatted(
                    node.nodeName(),
                    seconds,
                    traffic.connectionsTotal(),
                    traffic.bytesRead(),
                    traffic.bytesWritten()));
  }
}
