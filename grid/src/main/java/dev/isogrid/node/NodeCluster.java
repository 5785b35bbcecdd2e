package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.Env;
import dev.isogrid.base.NanoClock;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.SentMessages;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.cluster.TransportOpener;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.engine.ClusterCaches;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.ClusterNodeConfig;
import dev.isogrid.engine.CopyLimits;
import dev.isogrid.engine.DriverConfig;
import dev.isogrid.engine.EntryCodec;
import dev.isogrid.engine.EntryFunction;
import dev.isogrid.engine.EntryProcessing;
import dev.isogrid.engine.Invalidations;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.engine.ReplicaLimits;
import dev.isogrid.engine.SegmentCodec;
import dev.isogrid.engine.ServedSegments;
import dev.isogrid.engine.Sides;
import dev.isogrid.engine.TopologyListener;
import dev.isogrid.structure.Arithmetic;
import dev.isogrid.structure.CounterFunction;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A node's part in its cluster: comes in, agrees on caches, and leaves. Thread-safe. */
final class NodeCluster implements AutoCloseable {
  /** The functions that primaries run for other nodes. Indices travel: new ones come last. */
  static final List<EntryFunction> FUNCTIONS =
      List.of(CounterFunction.INSTANCE, Arithmetic.FUNCTION);

  private static final System.Logger log = System.getLogger(NodeCluster.class.getName());

  /** Operations of this node that may wait for an answer. */
  private static final int CALLS_MAX = 10_000;

  /** How long a cache may take to be there or gone on this node. */
  static final long AGREEMENT_MILLIS = 10_000;

  /** How long a node that nobody can follow waits, so that the others learn that it leaves. */
  private static final long FAREWELL_MILLIS = 300;

  /** How long a node that leaves waits for a majority: longer than most takeovers take. */
  private static final long TAKEOVER_MILLIS = 1_000;

  /**
   * The group of caches whose entries are each node's own: always empty, and as many segments as
   * internal caches have, so that both share one group.
   */
  private static final CacheGroup OWN_CACHES =
      new CacheGroup(CacheGroup.EVERY_MEMBER, InternalCaches.SEGMENTS);

  private final GridConfig grid;
  private final ClusterConfig config;
  private final MemberProfile info;
  private final NanoClock clock;
  private final @Nullable PeerFile peerFile;
  private final Transport transport;
  private final ClusterDriver driver;
  private final NodeCalls calls;
  private final CacheLookup lookup;
  private final Invalidations invalidations;
  private final Sides sides;
  private final RebalanceWatch rebalance;
  private final LossWatch losses;
  private final Scheduler.Task majority;
  private final TopologyWait topologies;
  private final ClusterRecovery recovery;
  private final RebalanceOrders orders;

  /** Begins to take part; {@link #awaitMembership} waits until it does. */
  // tidy: the parts of a node's cluster
  NodeCluster(
      GridConfig grid,
      String nodeName,
      ClusterStores stores,
      ClusterCaches.Host host,
      EntryProcessing processing,
      ObjectReader objects,
      TransportOpener opener,
      Env env) {
    this.grid = grid;
    this.config = Objects.requireNonNull(grid.cluster());
    this.clock = env.nanoClock();
    this.topologies = new TopologyWait(clock, nodeName);
    Discovery discovery = ClusterWiring.discovery(config);
    this.peerFile = stores.peers();
    List<SeedAddress> peers = ClusterWiring.peers(config, peerFile);
    EntryCodec entries = new EntryCodec(env.epochClock(), FUNCTIONS);
    ProtocolVersions speaks = ClusterWiring.speaks();
    this.transport =
        opener.open(
            transportConfig(ClusterWiring.withPeers(discovery, peers)),
            new SegmentCodec(entries, speaks),
            env);
    String seat = ClusterWiring.seat(grid.nodeName(), transport.listensAt());
    this.info = new MemberProfile(nodeName, config.capacity(), config.zone(), "", seat, speaks);
    FoundingRules founding =
        ClusterWiring.founding(config, discovery, transport.listensAt(), peers);
    ClusterTimes times = ClusterTimes.usual(ClusterWiring.gone(config.whenGone()));
    ServedSegments served = new ServedSegments();
    ClusterCaches caches = new ClusterCaches(host, served, config.operationTimeoutMillis(), env);
    this.driver =
        new ClusterDriver(
            transport,
            new DriverConfig(nodeConfig(times), founding, info),
            caches::segment,
            (_, _, _) -> {},
            listener(caches),
            env);
    caches.attach(driver);
    caches.attach(processing);
    remember(stores, caches);
    this.calls =
        new NodeCalls(driver.names(), transport, clock, callWorkers(env.scheduler()), objects);
    this.rebalance = new RebalanceWatch(nodeName, driver, clock);
    this.losses = new LossWatch(nodeName);
    this.majority =
        env.scheduler()
            .every(
                MajorityWatch.PERIOD_MILLIS,
                new MajorityWatch(nodeName, this::majorityMissing)::check);
    calls.offer(RebalanceWatch.SERVICE, (_, _) -> rebalance.part().toBytes());
    this.orders = new RebalanceOrders(nodeName, driver, topologies);
    this.recovery = new ClusterRecovery(nodeName, driver, calls, topologies);
    this.lookup = new CacheLookup(calls, driver::topology);
    driver.attach(calls);
    this.invalidations = new Invalidations(driver, calls, config.operationTimeoutMillis(), env);
    this.sides =
        new Sides(
            driver,
            calls,
            times,
            config.splitBytesMax(),
            config.operationTimeoutMillis(),
            entries,
            env);
    caches.attach(sides);
    driver.start();
  }

  private TransportConfig transportConfig(Discovery discovery) {
    return new TransportConfig(
        grid.clusterName(),
        config.bindAddress(),
        config.bindPort(),
        config.portRange(),
        discovery,
        config.stackFile(),
        ClusterWiring.tls(config));
  }

  private ClusterNodeConfig nodeConfig(ClusterTimes times) {
    CopyLimits copies = ClusterWiring.copies(config);
    return new ClusterNodeConfig(times, ReplicaLimits.usual(), CALLS_MAX, copies);
  }

  private void remember(ClusterStores stores, ClusterCaches caches) {
    MemoryFile memory = stores.memory();
    Recollection recollection = stores.recollection();
    if (memory != null) {
      driver.attach(memory, recollection);
    }
    if (recollection != null) {
      caches.remember(recollection.memory().topology().epoch());
    }
  }

  private TopologyListener listener(ClusterCaches caches) {
    return new TopologyListener() {
      @Override
      public void onTopology(@Nullable Topology before, Topology now) {
        caches.onTopology(before, now);
        invalidations.onTopology(now);
      }

      @Override
      public void afterTopology() {
        topologyChanged();
      }
    };
  }

  /** Where what other nodes ask for is done: threads that may block. */
  static ExecutorService callWorkers(Scheduler scheduler) {
    return Executors.newThreadPerTaskExecutor(
        scheduler.threads(Thread.ofVirtual().name("isogrid-call-", 0)));
  }

  /** Counts of this node's work for the cluster. */
  ClusterCounts counts() {
    SentMessages sent = transport.sentMessages();
    return new ClusterCounts(sent.count(), sent.bytes(), driver.lockWaits());
  }

  Transport transport() {
    return transport;
  }

  ClusterDriver driver() {
    return driver;
  }

  NodeCalls calls() {
    return calls;
  }

  Sides sides() {
    return sides;
  }

  Invalidations invalidations() {
    return invalidations;
  }

  private void topologyChanged() {
    Topology known = driver.topology();
    if (peerFile != null && known != null) {
      peerFile.keep(known, driver.self());
    }
    rebalance.onTopology(driver.topology());
    losses.onTopology(driver.topology());
    topologies.signal();
  }

  /** The newest topology that this node knows, or null. */
  @Nullable Topology topology() {
    return driver.topology();
  }

  // ---- coming in

  /**
   * Waits until this node is a member.
   *
   * @throws FatalGridException if it does not become one in time
   */
  void awaitMembership() {
    new Admission(grid, info, transport, driver, topologies).await();
  }

  /** Waits as {@link TopologyWait#await} does. */
  boolean await(BooleanSupplier condition, long timeoutMillis) {
    return topologies.await(condition, timeoutMillis);
  }

  /** A cache began on this node later than with the topology that has it. */
  void begunLate() {
    topologies.signal();
  }

  /** Tells the cluster where clients reach this node. */
  void announce(String endpoint) {
    driver.updateProfile(info.at(endpoint));
  }

  // ---- caches

  /** The number of copies that a cache wants. */
  static int owners(CacheConfig cache) {
    boolean isEverywhere =
        cache.mode() == CacheMode.REPL_SYNC || cache.mode() == CacheMode.REPL_ASYNC;
    return isEverywhere ? Integer.MAX_VALUE : cache.owners();
  }

  /** Whether the writes of a cache don't wait for all copies. */
  private static boolean isAsync(CacheConfig cache) {
    return cache.mode() == CacheMode.REPL_ASYNC || cache.mode() == CacheMode.DIST_ASYNC;
  }

  /** Whether the entries of a cache are the cluster's. */
  static boolean isShared(CacheConfig cache) {
    return switch (cache.mode()) {
      case DIST_SYNC, DIST_ASYNC, REPL_SYNC, REPL_ASYNC -> true;
      case LOCAL, INVALIDATION_SYNC, INVALIDATION_ASYNC -> false;
    };
  }

  /** Whether the entries of a cache are each node's own, and the others hear of changes. */
  static boolean isInvalidating(CacheConfig cache) {
    return cache.mode() == CacheMode.INVALIDATION_SYNC
        || cache.mode() == CacheMode.INVALIDATION_ASYNC;
  }

  /** A cache's configuration as the nodes tell it each other. */
  static String document(CacheConfig cache) {
    return CacheDocument.write(null, cache, DocumentFormat.XML);
  }

  /**
   * As {@link #document}, for all nodes: one that can't read it does not serve the cache.
   *
   * @throws InvalidRequestException if it is longer than the nodes accept, or they can't read it
   */
  private static String readable(String name, CacheConfig cache) {
    String document = document(cache);
    int bytes = document.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > CacheRequest.CONFIG_BYTES_MAX) {
      throw new InvalidRequestException(
          ("definition of a cache too long for a cluster: cache=%s, size=%d, limit=%d; use fewer or"
                  + " shorter roles, or properties of its store")
              .formatted(name, bytes, CacheRequest.CONFIG_BYTES_MAX));
    }
    CacheConfig _ = config(document);
    return document;
  }

  /** The configuration that {@link #document} wrote. */
  static CacheConfig config(String document) {
    return CacheDocument.read(document, DocumentFormat.XML, AgreedConfig.CONTEXT).config();
  }

  /** The segments that a cache needs in the topology. */
  static CacheGroup group(CacheConfig cache) {
    return isShared(cache)
        ? new CacheGroup(owners(cache), cache.segments(), isAsync(cache), cache.fileStore() != null)
        : OWN_CACHES;
  }

  /** The cache of a name that the cluster has, or null. */
  @Nullable CacheDefinition find(String name) {
    Topology known = driver.topology();
    return known == null ? null : known.cache(name);
  }

  /**
   * The cache of a name that the cluster has, or null. Asks the other members unless this node
   * knows it, and waits until this node has it.
   *
   * @throws RetryableGridException if this node does not hear of it in time
   */
  @Nullable CacheDefinition ask(String name) {
    CacheDefinition known = find(name);
    int epoch = known == null ? lookup.epochOf(name) : 0;
    if (epoch == 0) {
      return known;
    }
    if (!await(() -> isIn(epoch), AGREEMENT_MILLIS)) {
      throw new RetryableGridException(
          "cache not there yet: cache=%s, node=%s, waited=%d ms; try again"
              .formatted(name, info.name(), AGREEMENT_MILLIS));
    }
    return find(name);
  }

  private boolean isIn(int epoch) {
    Topology known = driver.topology();
    return known != null && known.epoch() >= epoch;
  }

  /**
   * Brings about that the cluster has a cache of a name, and waits until this node has it.
   *
   * @return what it is: as asked for, or as somebody else asked for before
   * @throws InvalidRequestException if it can't be told the other nodes
   * @throws RetryableGridException if the cluster does not decide in time
   */
  CacheDefinition define(String name, CacheConfig cache, int versionEpoch) {
    driver.define(new CacheRequest(name, group(cache), versionEpoch, readable(name, cache)));
    if (!await(() -> find(name) != null, AGREEMENT_MILLIS)) {
      driver.forget(name);
      throw new RetryableGridException(
          "cache not agreed upon: cache=%s, node=%s, waited=%d ms; try again"
              .formatted(name, info.name(), AGREEMENT_MILLIS));
    }
    CacheDefinition found = find(name);
    if (found == null) {
      throw new RetryableGridException("cache removed meanwhile: cache=" + name);
    }
    return found;
  }

  /**
   * Brings about that the cluster has a cache no more, and waits until this node has not.
   *
   * @throws RetryableGridException if the cluster does not decide in time
   */
  void undefine(CacheDefinition cache) {
    driver.undefine(cache.name(), cache.id());
    boolean isGone =
        await(
            () -> {
              Topology known = driver.topology();
              return known != null && known.cache(cache.id()) == null;
            },
            AGREEMENT_MILLIS);
    if (!isGone) {
      driver.forget(cache.name());
      throw new RetryableGridException(
          "removal not agreed upon: cache=%s, node=%s, waited=%d ms; try again"
              .formatted(cache.name(), info.name(), AGREEMENT_MILLIS));
    }
  }

  /** The wishes of operators about rebalancing. */
  RebalanceOrders rebalancing() {
    return orders;
  }

  /** The recovery from a majority that is gone for good. */
  ClusterRecovery recovery() {
    return recovery;
  }

  /** Whether this node has a lease of the majority. */
  boolean isLeased() {
    return driver.isLeased();
  }

  /** Why this node may not serve the cluster's caches now, in words, or null if it may. */
  @Nullable String obstacle() {
    return driver.obstacle();
  }

  /** The same, but nothing as long as this node waits for its cluster: that has its own lines. */
  private @Nullable String majorityMissing() {
    return driver.topology() == null ? null : driver.obstacle();
  }

  // ---- going

  /**
   * Hands over what this node keeps, as far as that is possible in time, and leaves. If all members
   * want to leave, none waits for the others. The node ends even if that fails.
   */
  @Override
  public void close() {
    Closing.all(
        List.of(
            this::leave,
            majority::close,
            invalidations::close,
            sides::close,
            calls::close,
            driver::close));
  }

  private void leave() {
    Topology known = driver.topology();
    boolean isAlone = known == null || known.members().size() == 1;
    boolean hasEnded = driver.isEnded(); // then nobody gets anything from it
    boolean waits = !isAlone && !hasEnded && config.leaveTimeoutMillis() > 0;
    if (waits && canLeave()) {
      invalidations.flush(config.leaveTimeoutMillis());
      driver.leave();
      awaitLeft();
    }
  }

  /** Whether there is a majority to let this node go, perhaps after a takeover. */
  private boolean canLeave() {
    long begin = clock.nanoTime();
    String obstacle = driver.obstacle();
    while (obstacle != null) {
      if (clock.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(TAKEOVER_MILLIS)) {
        log.log(
            Level.WARNING,
            "left the cluster without handing anything over: node={0}, since {1}",
            info.name(),
            obstacle);
        return false;
      }
      await(() -> driver.obstacle() == null, FAREWELL_MILLIS / 10);
      obstacle = driver.obstacle();
    }
    return true;
  }

  private void awaitLeft() {
    long begin = clock.nanoTime();
    long heirsSeen = begin;
    while (!await(driver::hasLeft, FAREWELL_MILLIS / 10)) {
      long now = clock.nanoTime();
      if (driver.hasHeirs()) {
        heirsSeen = now;
      }
      long lonelyMillis = TimeUnit.NANOSECONDS.toMillis(now - heirsSeen);
      long waitedMillis = TimeUnit.NANOSECONDS.toMillis(now - begin);
      if (lonelyMillis >= FAREWELL_MILLIS || waitedMillis >= config.leaveTimeoutMillis()) {
        log.log(
            Level.WARNING,
            "left the cluster before everything was handed over: node={0}, waited={1} ms, {2}",
            info.name(),
            waitedMillis,
            lonelyMillis >= FAREWELL_MILLIS
                ? "since all others leave as well"
                : "the most that it may");
        return;
      }
    }
  }
}
