package dev.isogrid.client;

import dev.isogrid.client.spi.LinkPoolProvider;
import dev.isogrid.wire.Segments;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a server for each operation, and another one if that fails. Thread-safe; operations go
 * through without a lock, changes of the topology are made under one.
 */
final class Router {
  private static final System.Logger log = System.getLogger(Router.class.getName());
  private static final long BACKOFF_MILLIS = 20;
  private static final int BACKOFF_SHIFT_MAX = 6;

  /** When no cluster can be reached, each is given as long at least. */
  private static final long SWITCH_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ClientConfig config;
  private final Transport transport;
  private final @Nullable LinkPoolProvider pools;
  private final RequestFormat handshakeFormat;
  private final RetryBudget budget;
  private final CounterEvents counterEvents = new CounterEvents(this);
  private final Callbacks callbacks = new Callbacks();
  private final SchemaWaits schemaWaits = new SchemaWaits();
  private final ValueCopies copies = new ValueCopies();
  private final ObjectFormats formats;
  private final long operationTimeoutNanos;
  private final AtomicInteger turn = new AtomicInteger(ThreadLocalRandom.current().nextInt());
  private final Map<ServerAddress, ServerLink> links = new ConcurrentHashMap<>();
  private final Map<String, CacheRef> caches = new ConcurrentHashMap<>();
  private final RequestSession session = new RequestSession();

  /** The servers for caches of which no topology is known; written under the monitor. */
  private volatile List<ServerLink> servers = List.of();

  /** The cluster in use and those that may be used instead; the first is the default. */
  private final List<Site> sites = new ArrayList<>();

  /** Written under the monitor, as the time when it was. */
  private volatile Site site;

  private long switchedNanos = Nanos.now() - SWITCH_MIN_NANOS;
  private volatile boolean closed;

  /** A cluster, by the servers that were configured. */
  private record Site(String name, List<ServerAddress> servers) {}

  Router(ClientConfig config, RequestFormat handshakeFormat) {
    this.config = config;
    this.pools = config.connectionPool() == null ? null : PooledLink.provider(config);
    this.transport = new Transport(config, schemaWaits);
    this.handshakeFormat = handshakeFormat;
    this.budget = new RetryBudget(2 * config.limits().operationsMax());
    this.operationTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.operationTimeoutMillis());
    List<ServerLink> initial = new ArrayList<>();
    site = new Site(RemoteCacheManager.DEFAULT_CLUSTER, config.servers());
    sites.add(site);
    config.clusters().forEach((name, addresses) -> sites.add(new Site(name, addresses)));
    site.servers().forEach(address -> initial.add(link(address)));
    servers = List.copyOf(initial);
    ObjectFormat text = new ObjectFormat(new ProtoStreamMarshaller());
    formats =
        new ObjectFormats(
            new RemoteSchemas(
                this,
                new RequestFormat(
                    cache(RemoteSchemas.CACHE), 0, config.intelligence(), text, text)));
  }

  ClientConfig config() {
    return config;
  }

  Transport transport() {
    return transport;
  }

  RequestFormat handshakeFormat() {
    return handshakeFormat;
  }

  RetryBudget budget() {
    return budget;
  }

  CounterEvents counterEvents() {
    return counterEvents;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  /** How objects of the client's users become bytes. */
  ObjectFormats formats() {
    return formats;
  }

  /** Runs tasks that wait for schemas. */
  SchemaWaits schemaWaits() {
    return schemaWaits;
  }

  /** Arrays for values of asynchronous writes. */
  ValueCopies copies() {
    return copies;
  }

  long operationTimeoutNanos() {
    return operationTimeoutNanos;
  }

  boolean isClosed() {
    return closed;
  }

  /** The state that views of one cache share. */
  CacheRef cache(String name) {
    return caches.computeIfAbsent(name, n -> new CacheRef(n, config, session));
  }

  /** The link to a server; there is one. */
  private ServerLink link(ServerAddress address) {
    return links.computeIfAbsent(
        address,
        a -> {
          ServerLink made = newLink(a, transport.nextLoop());
          made.beginTicks();
          return made;
        });
  }

  private ServerLink newLink(ServerAddress address, EventLoop loop) {
    ConnectionPoolConfig pool = config.connectionPool();
    return pools == null || pool == null
        ? new PipelinedLink(address, this, loop)
        : new PooledLink(address, this, loop, pools, pool);
  }

  /**
   * Hands an operation to a server. Waits for room there, if so configured.
   *
   * @return the operation
   */
  <T extends @Nullable Object> Operation<T> send(Operation<T> operation) {
    begin(operation);
    ServerLink link = route(operation, null);
    if (!link.permits().tryAcquire(operation.permitBytes)) {
      awaitRoom(operation, link);
    }
    return handOver(operation, link);
  }

  /**
   * Sends an operation as {@link #send}, and waits for its result. The thread handles sockets
   * meanwhile, if no other thread does.
   *
   * @throws HotRodClientException if it failed, or this thread was interrupted or may not wait
   */
  <T extends @Nullable Object> T call(Operation<T> operation) {
    // the thread that reads the answer ends it, since nothing but this call depends on it
    operation.mark(ThreadKind.mayWatch() ? Operation.AWAITED : Operation.ENDS_IN_TURN);
    try {
      send(operation);
      return Answers.await(operation);
    } finally {
      operation.letGo();
    }
  }

  /**
   * As {@link #send} for one of a series of which few are under way at a time: an event loop does
   * not wait for room but goes beyond the limits.
   */
  void sendNext(Operation<?> operation) {
    if (!Transport.inEventLoop()) {
      send(operation);
      return;
    }
    begin(operation);
    ServerLink link = route(operation, null);
    link.permits().force(operation.permitBytes);
    handOver(operation, link);
  }

  private void begin(Operation<?> operation) {
    operation.deadlineNanos = Nanos.now() + operationTimeoutNanos;
    int bytes = operation.size();
    operation.permitBytes = bytes;
    if (bytes > config.requestBytesMax()) {
      throw operation.tooLarge(bytes, config.requestBytesMax());
    }
  }

  /**
   * Hands an operation to the server of the connection that it is bound to. An event loop does not
   * wait for room but goes beyond the limits: so each series of bound operations must have few of
   * them under way at a time.
   *
   * @return the operation
   */
  <T extends @Nullable Object> Operation<T> sendBound(Operation<T> operation) {
    ServerLink link = prepareBound(operation);
    if (Transport.inEventLoop()) {
      link.permits().force(operation.permitBytes);
    } else if (!link.permits().tryAcquire(operation.permitBytes)) {
      awaitRoom(operation, link);
    }
    return handOver(operation, link);
  }

  /** As {@link #sendBound} for the last one of a series: never waits, and never fails. */
  void sendLastBound(Operation<?> operation) {
    if (!closed) {
      ServerLink link = prepareBound(operation);
      link.permits().force(operation.permitBytes);
      link.submit(operation);
    }
  }

  private ServerLink prepareBound(Operation<?> operation) {
    operation.deadlineNanos = Nanos.now() + operationTimeoutNanos;
    operation.permitBytes = operation.size();
    return Objects.requireNonNull(operation.pinned()).link();
  }

  private <T extends @Nullable Object> Operation<T> handOver(
      Operation<T> operation, ServerLink link) {
    if (closed) {
      link.permits().release(operation.permitBytes);
      throw new HotRodClientException("the cache manager is closed");
    }
    boolean isAwaited = operation.is(Operation.AWAITED); // before the loop may write it
    link.submit(operation);
    if (isAwaited) {
      link.loop().yieldFor(operation);
    }
    return operation;
  }

  /**
   * Hands an operation of the client itself to a server, whether there is room or not: there are a
   * few at most. Any thread; fails the operation if the client is closed.
   *
   * @return the operation
   */
  <T extends @Nullable Object> Operation<T> sendAnyway(Operation<T> operation) {
    operation.deadlineNanos = Nanos.now() + operationTimeoutNanos;
    operation.permitBytes = operation.size();
    if (closed) {
      operation.fail(new HotRodClientException("the cache manager is closed"));
      return operation;
    }
    ServerLink link = route(operation, null);
    link.permits().force(operation.permitBytes);
    link.submit(operation);
    return operation;
  }

  /** The primary owner of a key, or null if that is not known. */
  @Nullable ServerLink owner(CacheRef cache, byte[] key) {
    return cache.topology().owner(key, null);
  }

  private void awaitRoom(Operation<?> operation, ServerLink link) {
    RequestLimits limits = config.limits();
    if (limits.whenFull() == RequestLimits.WhenFull.FAIL || Transport.inEventLoop()) {
      throw new TooManyRequestsException(
          "too much is under way: server=%s, operationsMax=%d, bytesMax=%d; wait for answers first"
              .formatted(link.address(), limits.operationsMax(), limits.bytesMax()));
    }
    try {
      if (!link.permits().acquire(operation.permitBytes, operation.deadlineNanos)) {
        throw new OperationTimeoutException(
            "no room in time: server=%s, underWay=%d; it is slow, or the limits are low"
                .formatted(link.address(), link.permits().operations()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HotRodClientException("interrupted while waiting for room", interrupted);
    }
  }

  /** The server for an operation: an owner of its key if one can be used, else each in turn. */
  private ServerLink route(Operation<?> operation, @Nullable ServerLink avoided) {
    Connection only = operation.pinned();
    if (only != null) {
      return only.link();
    }
    ServerLink preferred = operation.preferred();
    if (preferred != null && !preferred.equals(avoided) && preferred.isUsable()) {
      return preferred;
    }
    CacheTopology topology = operation.format().cache().topology();
    byte[] key = operation.routingKey();
    if (key != null) {
      ServerLink owner = topology.owner(key, avoided);
      if (owner != null) {
        return owner;
      }
    }
    List<ServerLink> candidates = topology.servers().isEmpty() ? servers : topology.servers();
    ServerLink usable = next(candidates, avoided);
    return usable != null ? usable : anyInitial(operation.format().cache());
  }

  private @Nullable ServerLink next(List<ServerLink> candidates, @Nullable ServerLink avoided) {
    int count = candidates.size();
    int start = count == 0 ? 0 : Math.floorMod(turn.getAndIncrement(), count);
    ServerLink second = null;
    for (int i = 0; i < count; i++) {
      ServerLink link = candidates.get((start + i) % count);
      if (link.isUsable()) {
        if (!link.equals(avoided)) {
          return link;
        }
        second = link;
      }
    }
    return second;
  }

  /** No known server can be reached: starts again with the configured ones. */
  private ServerLink anyInitial(CacheRef cache) {
    cache.topology(CacheTopology.NONE);
    List<ServerLink> initial = new ArrayList<>();
    site.servers().forEach(address -> initial.add(link(address)));
    ServerLink usable = next(initial, null);
    if (usable != null) {
      return usable;
    }
    List<ServerLink> all = new ArrayList<>(links.values());
    ServerLink other = next(all, null);
    return other != null
        ? other
        : initial.get(Math.floorMod(turn.getAndIncrement(), initial.size()));
  }

  /**
   * Tries an operation that failed at one server at another one, or lets it fail. In the turn of
   * the link's event loop, whose permit the operation holds.
   */
  void failOver(Operation<?> operation, ServerLink link, HotRodClientException cause) {
    link.permits().release(operation.permitBytes);
    if (operation.isDone()) {
      operation.endNumber();
      return;
    }
    boolean again =
        !closed
            && operation.isRetryable()
            && (!operation.wasSent() || operation.mayRepeat(link.isLeft()))
            && mayTryAgain(operation, link)
            && Nanos.now() - operation.deadlineNanos < 0
            && budget.tryTake();
    if (!again) {
      link.loop().fail(operation, cause);
      return;
    }
    operation.beginAgain();
    if (operation.attempts == 1) {
      resend(operation, link);
    } else {
      long bound = BACKOFF_MILLIS << Math.min(operation.attempts, BACKOFF_SHIFT_MAX);
      long delay = 1 + ThreadLocalRandom.current().nextLong(bound);
      link.loop().schedule(() -> resend(operation, link), delay, TimeUnit.MILLISECONDS);
    }
  }

  /** A server that left for good, as when the cluster is switched, costs no try. */
  private boolean mayTryAgain(Operation<?> operation, ServerLink link) {
    return operation.attempts < config.retriesMax()
        || (link.isRetired() && operation.attempts != Operation.LAST_TRY);
  }

  private void resend(Operation<?> operation, ServerLink failed) {
    ServerLink other = route(operation, failed);
    other.permits().force(operation.permitBytes);
    other.submit(operation);
  }

  /** Takes note that a server can't be reached. */
  void failed(ServerLink link) {
    if (!closed) {
      log.log(Level.DEBUG, () -> "server failed: server=" + link.address());
      if (sites.size() > 1) {
        switchIfAllAreDown();
      }
    }
  }

  private synchronized void switchIfAllAreDown() {
    if (Nanos.now() - switchedNanos >= SWITCH_MIN_NANOS
        && links.values().stream().allMatch(ServerLink::isDown)) {
      switchTo(sites.get((sites.indexOf(site) + 1) % sites.size()));
    }
  }

  /** The name of the cluster in use. */
  String siteName() {
    return site.name();
  }

  /**
   * Uses another cluster from now on; operations under way end at the old one.
   *
   * @return false if it is in use already, or the client is closed
   * @throws IllegalArgumentException if there is no such cluster
   */
  boolean switchTo(String name) {
    for (Site other : sites) {
      if (other.name().equals(name)) {
        return switchTo(other);
      }
    }
    throw new IllegalArgumentException(
        "no such cluster: name=%s; add it to the configuration".formatted(name));
  }

  private synchronized boolean switchTo(Site other) {
    if (closed || site.equals(other)) {
      return false;
    }
    site = other;
    switchedNanos = Nanos.now();
    List<ServerLink> left = List.copyOf(links.values());
    links.clear();
    left.forEach(ServerLink::leave);
    caches.values().forEach(cache -> cache.topology(CacheTopology.NONE));
    List<ServerLink> initial = new ArrayList<>();
    other.servers().forEach(address -> initial.add(link(address)));
    servers = List.copyOf(initial);
    initial.forEach(ServerLink::start);
    log.log(
        Level.INFO,
        () -> "cluster switched: name=%s, servers=%s".formatted(other.name(), other.servers()));
    return true;
  }

  /** Takes over a topology that a server sent with an answer about a cache. */
  synchronized void learned(ServerLink from, CacheRef cache, TopologyUpdate update) {
    if (closed
        || from.isRetired()
        || update.servers().isEmpty()
        || cache.topology().id() == update.id()) {
      return;
    }
    List<ServerLink> told = new ArrayList<>();
    update.servers().forEach(address -> told.add(link(address)));
    int[][] owners = update.owners();
    for (int[] segment : owners) {
      if (segment.length == 0) {
        owners = new int[0][];
        break;
      }
    }
    Segments segments = owners.length == 0 ? null : new Segments(owners.length);
    cache.topology(new CacheTopology(update.id(), told, segments, owners));
    servers = List.copyOf(told);
    told.forEach(ServerLink::start);
    retireUnused();
    log.log(
        Level.DEBUG,
        () ->
            "topology: cache=%s, id=%d, servers=%s"
                .formatted(cache.name(), update.id(), update.servers()));
  }

  private void retireUnused() {
    Set<ServerLink> used = new HashSet<>(servers);
    caches.values().forEach(cache -> used.addAll(cache.topology().servers()));
    links
        .values()
        .removeIf(link -> {
          boolean unused = !used.contains(link);
          if (unused) {
            link.retire(false);
          }
          return unused;
        });
  }

  /** The servers that there are links to. */
  List<ServerAddress> servers() {
    return List.copyOf(links.keySet());
  }

  /** Closes all connections; operations under way fail. */
  void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    links.values().forEach(link -> link.retire(true));
    transport.close();
    counterEvents.close();
    callbacks.close();
    schemaWaits.close();
  }
}
