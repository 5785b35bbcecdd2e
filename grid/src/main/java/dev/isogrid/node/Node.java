package dev.isogrid.node;

import com.sun.management.OperatingSystemMXBean;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterExecutor;
import dev.isogrid.api.Counters;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.KeyAffinity;
import dev.isogrid.api.Locks;
import dev.isogrid.api.MapReduceInput;
import dev.isogrid.api.MapReduceJob;
import dev.isogrid.api.MapReduceReport;
import dev.isogrid.api.MapReduceTask;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.MultimapCache;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Turns;
import dev.isogrid.cluster.JGroupsTransport;
import dev.isogrid.cluster.Transport;
import dev.isogrid.cluster.TransportOpener;
import dev.isogrid.codec.ObjectReader;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.BackingStore;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.CallTraces;
import dev.isogrid.engine.Claims;
import dev.isogrid.engine.ClusterCaches;
import dev.isogrid.engine.ClusterChanges;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.CopyState;
import dev.isogrid.engine.EntryMerge;
import dev.isogrid.engine.FlightWaits;
import dev.isogrid.engine.InvalidatingEngine;
import dev.isogrid.engine.LocalEngine;
import dev.isogrid.engine.NodeCalls;
import dev.isogrid.engine.ReplicatedEngine;
import dev.isogrid.engine.SideCounts;
import dev.isogrid.engine.StoredForm;
import dev.isogrid.mapreduce.MapReduceService;
import dev.isogrid.mapreduce.MapSource;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.PagePool;
import dev.isogrid.stream.StreamCache;
import dev.isogrid.stream.Streams;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.NodeNames;
import dev.isogrid.topology.Topology;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;

/**
 * A node: its caches, seen as objects by embedded users ({@link Grid}) and as bytes by a server
 * ({@link #engine}). Thread-safe.
 */
public final class Node implements Grid {
  private static final System.Logger log = System.getLogger(Node.class.getName());

  /*
   * A grid can do what its parts can do; this class makes the parts, in the order
   * in which they need each other, and closes them the other way round.
   */
  /** The longest name of a cache. */
  public static final int CACHE_NAME_LENGTH_MAX = 255;

  /** A new epoch begins this often; 24 bits of them last for 15 years. */
  private static final long EPOCH_UNIT_MILLIS = 30_000;

  /** The beginning of 2026: what the first epoch of a cache is counted from. */
  private static final long EPOCH_ZERO_MILLIS = 1_767_225_600_000L;

  /** Caches that one node defines at the same time: enough to keep the cluster's voters busy. */
  private static final int DEFINING_MAX = 16;

  private static final String JMX_PROPERTY = "dev.isogrid.jmx";

  private static final int EPOCH_MAX = (1 << 24) - 1;

  /** The id of a node without a cluster. */
  private static final NodeId ALONE = new NodeId(0, 1);

  private final GridConfig config;
  private final String nodeName;
  private final Env env;
  private final PagePool pool;
  private final ConcurrentHashMap<String, NodeCache> caches = new ConcurrentHashMap<>();

  private final CacheMarshallers marshallers;
  private final OffHeapTidying tidying;
  private final NodeCompression compression;
  private final CacheStores stores;
  private final OutsideStores outside;

  /** Null if the node is alone. */
  private final @Nullable ClusterStores clusterStores;

  private final JmxExport jmx = new JmxExport(this);
  private final AtomicInteger lastEpoch = new AtomicInteger();

  private final Structures structures;

  /** Null if the node is alone. */
  private final @Nullable NodeCluster cluster;

  /** Null if the node is alone. */
  private final @Nullable SettledCaches settled;

  private final NodeCalls calls;
  private final Streams streams;

  /** Null until the node is complete. */
  private volatile @Nullable Claims claims;

  private final HeardEverywhere heard;
  private final ClusterChanges clusterChanges;

  private final MapReduceService mapReduces;
  private final UserThreads userThreads;

  /** Not those of tasks, which may wait for processors. */
  private final UserThreads processorThreads;

  private final ClusterNodes nodes;
  private final EmbeddedExecutor executor;
  private final EmbeddedRebalancing rebalancing;

  /** Let one thread at a time have the cluster decide on a cache, by the hash of its name. */
  private final Turns[] turns = new Turns[DEFINING_MAX];

  /** The caches of the cluster whose entries are each node's own. Written by its driver. */
  private final ConcurrentHashMap<String, CacheDefinition> own = new ConcurrentHashMap<>();

  /** The caches of the cluster that this node does not serve. */
  private final UnreadableCaches unreadable;

  /** Whether this node is a member. Written by {@link #start}. */
  private volatile boolean isStarted;

  /** Of the functions for caches that this node has alone. */
  private final FlightWaits flightWaits = new FlightWaits();

  /** Written by {@link #watch}. */
  private volatile @Nullable CacheWatcher watcher;

  /** Written by {@link #close}. */
  private volatile boolean closed;

  private Node(
      GridConfig config, TransportOpener opener, Env env, @Nullable ClassLoader ownClasses) {
    this.config = config;
    this.env = env;
    Arrays.setAll(turns, _ -> new Turns("defining a cache"));
    this.pool = new PagePool(offHeapMax(config));
    this.stores = new CacheStores(config.dataFolder(), env);
    this.compression = new NodeCompression(env.scheduler());
    this.tidying = new OffHeapTidying(pool, env.scheduler(), this::vacate);
    this.nodeName =
        config.nodeName().isEmpty() ? DefaultNodeName.ofThisProcess() : config.nodeName();
    this.unreadable = new UnreadableCaches(nodeName);
    this.userThreads = new UserThreads(nodeName, env.scheduler());
    this.processorThreads = new UserThreads(nodeName, env.scheduler());
    ObjectReader objects = new ObjectReader(config.allowedPackages(), ownClasses);
    ObjectShipping shipping = new ObjectShipping(() -> objects);
    this.marshallers =
        new CacheMarshallers(
            config,
            nodeName,
            new ClusterSchemas(
                () -> internalCache(InternalCaches.SCHEMAS, Transcoder.JAVA_OBJECT),
                this::holdsLock,
                nodeName),
            ownClasses);
    this.outside = new OutsideStores(marshallers, env, ownClasses);
    this.structures =
        new Structures(name -> internal(name, CacheConfig.UNKNOWN_MEDIA_TYPE), nodeName, env);
    this.clusterStores = config.cluster() == null ? null : openClusterStores();
    this.cluster =
        clusterStores == null
            ? null
            : new NodeCluster(
                config,
                nodeName,
                clusterStores,
                new SharedCaches(clusterStores),
                new CacheProcessing(
                    this::existing, shipping, processorThreads, nodeName, () -> closed),
                objects,
                opener,
                env);
    this.calls =
        cluster == null
            ? new NodeCalls(
                new NodeNames(ALONE, nodeName),
                null,
                env.nanoClock(),
                NodeCluster.callWorkers(env.scheduler()),
                objects)
            : cluster.calls();
    this.settled = cluster == null ? null : settledCaches(cluster);
    this.claims = new Claims(calls, env.nanoClock());
    this.streams = new Streams(calls, env, this::forStreams);
    this.clusterChanges = new ClusterChanges(calls, env.nanoClock(), this::userEngine);
    this.mapReduces = new MapReduceService(calls, env, this::mapSource);
    this.nodes = new ClusterNodes(calls.self(), nodeName, this::topology);
    this.rebalancing = new EmbeddedRebalancing(cluster, calls, nodes);
    this.heard = new HeardEverywhere(calls, env.nanoClock(), this::topology, this::internalIfMade);
    calls.offer(TaskService.NUMBER, new TaskService(this, shipping, userThreads));
    this.executor =
        new EmbeddedExecutor(
            new TaskSubmission.Means(calls, shipping, env.nanoClock(), env.scheduler()::execute),
            nodes,
            (cacheName, key) -> {
              EmbeddedCache<?, ?, ?, ?> cache = existing(cacheName);
              return cache.primary(cache.segmentOf(key), calls.self());
            },
            env.random().nextInt());
  }

  private SettledCaches settledCaches(NodeCluster joined) {
    return new SettledCaches(calls, joined, caches::containsKey, this::isAsConfigured);
  }

  private ClusterStores openClusterStores() {
    return new ClusterStores(
        config.dataFolder(),
        stores,
        (kept, epoch) -> container(kept, epoch, occupancy(kept, false)),
        this::turn,
        env);
  }

  private @Nullable MapSource<?, ?> mapSource(String cache) {
    NodeCache found = userCache(cache);
    return found == null ? null : found.forOtherNodes().mapSource();
  }

  /** A user's cache that must be there. */
  private EmbeddedCache<?, ?, ?, ?> existing(String name) {
    checkOpen();
    NodeCache found = userCache(name);
    if (found == null) {
      throw new InvalidRequestException("no such cache: cache=" + name);
    }
    return found.forOtherNodes();
  }

  @Override
  public ClusterExecutor executor() {
    checkOpen();
    return executor;
  }

  @Override
  public Rebalancing rebalancing() {
    checkOpen();
    return rebalancing;
  }

  @Override
  public <K> KeyAffinity<K> keyAffinity(String cacheName, Supplier<K> generator) {
    Objects.requireNonNull(cacheName, "cacheName");
    Objects.requireNonNull(generator, "generator");
    return new EmbeddedKeyAffinity<>(existing(cacheName), nodes, generator);
  }

  private static long offHeapMax(GridConfig config) {
    if (config.offHeapMaxBytes() != GridConfig.OFF_HEAP_DEFAULT) {
      return config.offHeapMaxBytes();
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize() / 2;
  }

  /** Whether this thread holds the lock of a segment of any cache. */
  private boolean holdsLock() {
    return caches.values().stream().anyMatch(cache -> cache.engine().isLockedByMe());
  }

  private void vacate() {
    caches.values().forEach(cache -> cache.engine().vacate());
    unreadable.vacate();
  }

  /**
   * Starts a node. With a cluster it blocks until the node is a member.
   *
   * @param env its outside world; the scheduler is closed with the node
   * @throws FatalGridException if it does not become a member in time
   */
  public static Node start(GridConfig config, Env env) {
    return start(config, JGroupsTransport::open, env, null);
  }

  /**
   * The same with classes of its own.
   *
   * @param ownClasses the loader whose own classes other nodes may send, besides those of the
   *     configuration; or null
   */
  public static Node start(GridConfig config, Env env, @Nullable ClassLoader ownClasses) {
    return start(config, JGroupsTransport::open, env, ownClasses);
  }

  /** As {@link #start(GridConfig, Env)}, over connections of another kind. */
  static Node start(GridConfig config, TransportOpener opener, Env env) {
    return start(config, opener, env, null);
  }

  private static Node start(
      GridConfig config, TransportOpener opener, Env env, @Nullable ClassLoader ownClasses) {
    Path dataFolder = config.dataFolder();
    if (config.cluster() == null && dataFolder != null) {
      StoredMemory.checkAlone(dataFolder);
    }
    Node node = new Node(config, opener, env, ownClasses);
    if (node.cluster != null) {
      try {
        node.cluster.awaitMembership();
        node.beginOwn();
        Objects.requireNonNull(node.clusterStores).joined();
      } catch (RuntimeException failure) {
        node.close();
        throw failure;
      }
    }
    return node;
  }

  @Override
  public String nodeName() {
    return nodeName;
  }

  @Override
  public GridConfig config() {
    return config;
  }

  /** How other nodes and this one have work done that is not an operation on an entry. */
  public NodeCalls calls() {
    return calls;
  }

  /** The outside world that the node was started with. */
  public Env env() {
    return env;
  }

  @Override
  public <K, V> Cache<K, V> cache(String name) {
    checkOpen();
    return typed(named(name, false));
  }

  @SuppressWarnings("unchecked") // the types are the caller's promise, as the API says
  private static <K, V> Cache<K, V> typed(NodeCache cache) {
    return (Cache<K, V>) cache.embedded();
  }

  /** The cache of a name, with its definition or the default one; of bytes if it is made so. */
  private NodeCache named(String name, boolean ofBytes) {
    NodeCache found = userCache(name);
    if (found != null) {
      return found;
    }
    CacheConfig byDefault = config.defaultCache();
    if (byDefault == null && cluster == null) {
      byDefault = CacheConfig.builder().build();
    }
    if (byDefault != null) {
      return getOrCreate(checkName(name), defining(ofBytes ? shareable(byDefault) : byDefault));
    }
    if (cluster == null || cluster.ask(checkName(name)) == null) {
      throw new InvalidRequestException(
          ("no such cache in the cluster: cache=%s, node=%s; define it by cache(name, config) on"
                  + " any node, or give a default by GridConfig.builder().defaultCache(config)")
              .formatted(name, nodeName));
    }
    return cached(name);
  }

  /** A configuration of a user as it defines a cache. */
  private CacheConfig defining(CacheConfig asked) {
    UserMerge.check(asked);
    boolean keepsBytes = cluster != null && asked.mode() != CacheMode.LOCAL;
    return marshallers.defined(keepsBytes ? shareable(asked) : asked, cluster != null);
  }

  @Override
  public <K, V> Cache<K, V> cache(String name, CacheConfig cacheConfig) {
    checkOpen();
    Objects.requireNonNull(cacheConfig, "config");
    return typed(definedAs(name, cacheConfig));
  }

  /** The cache of a name if it is defined so, or if there was none. */
  private NodeCache definedAs(String name, CacheConfig asked) {
    NodeCache found = userCache(name);
    if (found == null) {
      found = getOrCreate(checkName(name), defining(asked));
    }
    found.checkDefinedAs(asked, this::defining);
    return found;
  }

  /**
   * The cache of a name if it is a user's, or null.
   *
   * @throws RetryableGridException if the cluster has it, but this node can't read its definition
   */
  private @Nullable NodeCache userCache(String name) {
    NodeCache found = userCacheIfServed(name);
    if (found == null) {
      unreadable.check(name);
    }
    return found;
  }

  /** The cache of a name if it is a user's and served by this node, or null. */
  private @Nullable NodeCache userCacheIfServed(String name) {
    return InternalCaches.isReserved(name) ? null : caches.get(name);
  }

  private Streams streams() {
    return streams;
  }

  private ClusterChanges clusterChanges() {
    return clusterChanges;
  }

  /** The engine of a cache of users that this node has, or null. */
  private @Nullable CacheEngine<?, ?> userEngine(String name) {
    NodeCache found = caches.get(name);
    return found == null ? null : found.engine();
  }

  private @Nullable StreamCache<?, ?, ?, ?> forStreams(String name) {
    NodeCache found = caches.get(name);
    if (found == null) {
      unreadable.check(name);
    }
    return found == null ? null : found.forOtherNodes().forStreams();
  }

  /** A cache of the node itself for opaque bytes; see {@link #internalCache(String, String)}. */
  public CacheEngine<BinaryKey, Bytes> internalCache(String name) {
    return internalCache(name, CacheConfig.UNKNOWN_MEDIA_TYPE);
  }

  /**
   * A cache of the node itself; made if there is none yet, see {@link InternalCaches}. In a cluster
   * that may take seconds: not for event loops.
   *
   * @param name a reserved one
   * @param mediaType of its keys and values, if it is made now
   * @throws FatalGridException if the node is closed
   * @throws RetryableGridException if the cluster does not decide on it in time
   */
  @SuppressWarnings("unchecked") // it keeps bytes
  public CacheEngine<BinaryKey, Bytes> internalCache(String name, String mediaType) {
    return (CacheEngine<BinaryKey, Bytes>) internal(name, mediaType).engine();
  }

  @SuppressWarnings("unchecked") // it keeps bytes
  private @Nullable CacheEngine<BinaryKey, Bytes> internalIfMade(String name) {
    NodeCache found = caches.get(InternalCaches.checkReserved(name));
    return found == null ? null : (CacheEngine<BinaryKey, Bytes>) found.engine();
  }

  /**
   * Waits until the listeners of all nodes heard of the changes of an internal cache that were made
   * before this call. Blocks; returns at once where there is no cluster.
   *
   * @param cacheName a reserved one
   * @throws dev.isogrid.api.IndeterminateGridException if a node does not say so in time
   */
  public void awaitHeardEverywhere(String cacheName) {
    heard.await(cacheName);
  }

  private NodeCache internal(String name, String mediaType) {
    checkOpen();
    NodeCache found = caches.get(InternalCaches.checkReserved(name));
    return found == null
        ? getOrCreate(name, InternalCaches.config(cluster != null, mediaType))
        : found;
  }

  /**
   * The counters, for a server. Made when they are first asked for, as {@link #internalCache} says.
   */
  public CounterTable counterTable() {
    return structures.counters();
  }

  /**
   * Makes this node keep persistent counters, and brings back those that were kept. To be called
   * once, before there are users; may take seconds.
   *
   * @param file in a directory that belongs to this process
   * @throws InvalidRequestException if it can't be read; the message names it
   */
  public void keepCounters(Path file) {
    structures.keepCounters(file);
  }

  /** The counters if they were asked for before, else null. Never waits. */
  public @Nullable CounterTable counterTableIfMade() {
    return structures.countersIfMade();
  }

  @Override
  public Counters counters() {
    checkOpen();
    return new EmbeddedCounters(counterTable(), env.scheduler());
  }

  @Override
  public Locks locks() {
    checkOpen();
    return structures.locks();
  }

  @Override
  public <K, V> MultimapCache<K, V> multimap(
      String cacheName, CacheConfig cacheConfig, boolean supportsDuplicates) {
    checkOpen();
    Objects.requireNonNull(cacheName, "cacheName");
    Objects.requireNonNull(cacheConfig, "config");
    return multimap(definedAs(cacheName, shareable(cacheConfig)), supportsDuplicates);
  }

  @Override
  public <K, V> MultimapCache<K, V> multimap(String cacheName) {
    checkOpen();
    return multimap(named(Objects.requireNonNull(cacheName, "cacheName"), true), false);
  }

  private <K, V> MultimapCache<K, V> multimap(NodeCache cache, boolean supportsDuplicates) {
    String name = cache.engine().name();
    CacheEngine<BinaryKey, Bytes> engine = engine(name);
    if (engine == null) {
      throw gone(name);
    }
    return new EmbeddedMultimap<>(engine, cache.edge(), supportsDuplicates, env.scheduler());
  }

  @Override
  public <K, V> Cache<K, V> createCache(String name, CacheConfig cacheConfig) {
    checkOpen();
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cacheConfig, "config");
    return typed(createNew(name, cacheConfig, defining(cacheConfig)));
  }

  /**
   * Makes a cache for a server: with the encoding that its configuration says, or none.
   *
   * @throws InvalidRequestException if the name is taken or not allowed
   * @throws RetryableGridException if the cluster does not decide in time
   */
  public void createForServer(String name, CacheConfig cacheConfig) {
    checkOpen();
    UserMerge.check(cacheConfig);
    NodeCache _ = createNew(name, cacheConfig, cacheConfig);
  }

  /**
   * Waits until the other members have a cache if this node has it, as they heard of it, and have
   * it no more if it has not. Blocks, 2 s at most: a member that does not answer by then is busy or
   * gone, and hears of it later. Returns at once where there is no cluster.
   */
  public void awaitEverywhere(String name) {
    if (settled != null) {
      settled.await(name);
    }
  }

  private NodeCache createNew(String name, CacheConfig asked, CacheConfig defining) {
    boolean[] created = {false};
    NodeCache made = create(checkName(name), defining, created);
    if (!created[0]) {
      throw new InvalidRequestException(
          "cache exists already: name=%s%s".formatted(name, made.difference(asked, defining)));
    }
    return made;
  }

  /**
   * Makes a cache, here or in the cluster, unless there is one of its name.
   *
   * @param created set by this to whether it was made
   */
  private NodeCache create(String name, CacheConfig defining, boolean[] created) {
    compression.check(defining);
    if (cluster != null) {
      return share(cluster, name, defining, created);
    }
    if (isKept(defining)) {
      created[0] = beginKept(name, () -> defining);
      return cached(name);
    }
    NodeCache made =
        caches.computeIfAbsent(
            name,
            n -> {
              created[0] = true;
              return newCache(n, defining);
            });
    if (created[0]) {
      jmx.update(name);
    }
    return made;
  }

  /** Whether a cache waits for a store when it begins and ends. */
  private static boolean isKept(CacheConfig config) {
    return config.fileStore() != null || config.store() != null;
  }

  /**
   * Loads a cache from its store, unless it is there. Takes its time.
   *
   * @param wanted asked when it is this thread's turn; null if there is no such cache any more
   * @return whether it was loaded by this call
   */
  private boolean beginKept(String name, Supplier<@Nullable CacheConfig> wanted) {
    boolean[] begun = {false};
    turn(
        name,
        () -> {
          CacheConfig kept = caches.containsKey(name) ? null : wanted.get();
          if (kept != null) {
            NodeCache made = nodeCache(newKept(name, kept));
            begun[0] = caches.putIfAbsent(name, made) == null;
            if (!begun[0]) {
              made.engine().close();
            }
          }
        });
    if (begun[0]) {
      jmx.update(name);
    }
    return begun[0];
  }

  private void turn(String name, Runnable task) {
    turns[Math.floorMod(name.hashCode(), turns.length)].take(task);
  }

  /** The configuration of a cache of the cluster that this node loads from a store, or null. */
  private @Nullable CacheConfig keptOfCluster(String name) {
    CacheDefinition agreed = own.get(name);
    CacheConfig defined = agreed == null ? null : NodeCluster.config(agreed.config());
    return defined == null || !isKept(defined) ? null : defined;
  }

  /** Loads a cache of the cluster that another node defined; without its store there is none. */
  private void beginKeptOfCluster(String name) {
    try {
      boolean _ = beginKept(name, () -> keptOfCluster(name));
    } catch (GridException failure) {
      log.log(
          Level.ERROR,
          "cache of the cluster is not on this node: cache=%s, reason=%s"
              .formatted(name, failure.getMessage()));
    }
    begunLate();
  }

  private void begunLate() {
    if (cluster != null) {
      cluster.begunLate();
    }
  }

  /** Closes a cache that the cluster has no more, and sets its store aside. */
  private void endKept(NodeCache gone) {
    String name = gone.engine().name();
    turn(
        name,
        () -> {
          gone.engine().close();
          stores.setAside(name, gone.engine().config());
        });
  }

  private LocalEngine<?, ?> newKept(String name, CacheConfig kept) {
    FileStore store = kept.fileStore();
    if (store == null) {
      return newBacked(name, kept);
    }
    Occupancy occupancy = occupancy(kept);
    if (kept.storage() == StorageType.HEAP_OBJECT) {
      ObjectStoredForm form = new ObjectStoredForm(marshallers.edge(name, kept));
      CacheStores.Opened opened = stores.open(name, kept, store);
      int epoch = opened.epoch(nextEpoch());
      Container<Object, Object> container =
          Container.ofObjects(kept.segments(), epoch, env.epochClock(), occupancy);
      return new LocalEngine<>(
          name, kept, container, env, flightWaits, opened.load(container, form, epoch));
    }
    CacheStores.Opened opened = stores.open(name, kept, store);
    int epoch = opened.epoch(nextEpoch());
    Container<BinaryKey, Bytes> container = container(kept, epoch, occupancy);
    return new LocalEngine<>(
        name, kept, container, env, flightWaits, opened.load(container, StoredForm.BYTES, epoch));
  }

  /** A cache of this node with a store outside of the grid, opened and loaded. */
  private LocalEngine<?, ?> newBacked(String name, CacheConfig backed) {
    LocalEngine<?, ?> engine = newLocal(name, backed, nextEpoch());
    boolean isBegun = false;
    try {
      outside.back(engine, backed);
      BackingStore<?, ?> backing = Objects.requireNonNull(engine.backing());
      backing.begin();
      long _ = backing.preload();
      isBegun = true;
    } finally {
      if (!isBegun) {
        engine.close();
      }
    }
    return engine;
  }

  private NodeCache getOrCreate(String name, CacheConfig defining) {
    return create(name, defining, new boolean[1]);
  }

  private NodeCache cached(String name) {
    NodeCache found = caches.get(name);
    if (found == null) {
      unreadable.check(name);
      throw gone(name);
    }
    return found;
  }

  private static RetryableGridException gone(String name) {
    return new RetryableGridException("cache came and went: cache=" + name + "; try again");
  }

  /** Asks the cluster to decide on a cache, once for all threads that want it at the same time. */
  private NodeCache share(
      NodeCluster members, String name, CacheConfig defining, boolean[] created) {
    NodeCache present = caches.get(name);
    if (present != null) {
      return present;
    }
    unreadable.check(name);
    stores.checkClustered(name, defining);
    OutsideStores.checkClustered(name, defining);
    turn(
        name,
        () -> {
          if (!caches.containsKey(name)) {
            prepareShared(members, name, defining);
            int epoch = nextEpoch();
            CacheDefinition agreed = members.define(name, defining, epoch);
            created[0] =
                agreed.versionEpoch() == epoch
                    && agreed.config().equals(NodeCluster.document(defining));
          }
        });
    if (keptOfCluster(name) != null) {
      boolean _ = beginKept(name, () -> keptOfCluster(name));
    }
    NodeCache shared = cached(name);
    if (created[0] && shared.engine() instanceof ReplicatedEngine engine && isBacked(engine)) {
      outside.preloadSoon(engine);
    }
    return shared;
  }

  private static boolean isBacked(ReplicatedEngine engine) {
    return engine.backing() != null;
  }

  /** Sees that the store of a cache can be used that the nodes of the cluster are to share. */
  private void prepareShared(NodeCluster members, String name, CacheConfig defining) {
    boolean isBacked = defining.store() != null && defining.mode() != CacheMode.LOCAL;
    if (isBacked && members.ask(name) == null) {
      outside.prepare(name, defining);
    }
  }

  /** A configuration as the nodes of a cluster can share it: objects become bytes. */
  private static CacheConfig shareable(CacheConfig config) {
    return config.storage() == StorageType.HEAP_OBJECT
        ? config.toBuilder().storage(StorageType.HEAP_BINARY).build()
        : config;
  }

  @Override
  public <K, V> @Nullable Cache<K, V> findCache(String name) {
    NodeCache found = userCache(name);
    return found == null ? null : typed(found);
  }

  /** The memory of a user's cache, or null if there is none. */
  public @Nullable MemoryUse memoryUseOf(String name) {
    NodeCache found = userCacheIfServed(name);
    return found == null ? null : found.engine().memoryUse();
  }

  /**
   * The present configuration of a user's cache, or null if there is none, or this node can't read
   * its definition. Never waits.
   */
  public @Nullable CacheConfig configOf(String name) {
    NodeCache found = userCacheIfServed(name);
    return found == null ? null : found.engine().config();
  }

  /**
   * Refuses a cache that the cluster has, but that this node does not serve.
   *
   * @throws RetryableGridException if its definition can't be read here
   */
  public void checkServed(String name) {
    unreadable.check(name);
  }

  /** Makes room for the caches that the cluster has. */
  private final class SharedCaches implements ClusterCaches.Host {
    private final ClusterStores kept;

    SharedCaches(ClusterStores kept) {
      this.kept = kept;
    }

    @Override
    public ClusterCaches.@Nullable Room make(CacheDefinition definition, CacheGroup group) {
      AgreedConfig agreed = AgreedConfig.of(definition.config(), group);
      String problem = agreed.problem();
      if (problem != null) {
        unreadable.add(definition.name(), problem);
      }
      CacheConfig shared = agreed.config();
      if (!NodeCluster.isShared(shared) && problem != null) {
        return null;
      }
      if (!NodeCluster.isShared(shared)) {
        own.put(definition.name(), definition);
        if (isStarted && isKept(shared)) {
          env.scheduler().execute(() -> beginKeptOfCluster(definition.name()));
        } else if (isStarted) {
          beginOwn(definition);
        }
        return null;
      }
      EntryMerge merge = UserMerge.of(shared.mergePolicy(), Node.this::existing);
      if (shared.fileStore() != null) {
        return kept.make(definition, shared, merge);
      }
      Container<BinaryKey, Bytes> container =
          container(shared, definition.versionEpoch(), occupancy(shared, false));
      return new ClusterCaches.Room(shared, container, merge, null);
    }

    @Override
    public void begun(ReplicatedEngine engine) {
      if (unreadable.tryKeep(engine)) {
        return;
      }
      engine.scanBy(Node.this::streams);
      engine.claimBy(() -> claims);
      engine.followBy(Node.this::clusterChanges);
      if (engine.config().store() != null) {
        outside.back(engine, engine.config());
      }
      caches.put(engine.name(), nodeCache(engine));
      env.scheduler()
          .execute(() -> {
            jmx.update(engine.name());
            tell(engine.name(), true);
          });
    }

    @Override
    public void ended(ReplicatedEngine engine) {
      boolean wasServed = !unreadable.remove(engine.name());
      caches.values().removeIf(cache -> cache.engine().equals(engine));
      if (!isKept(engine.config())) {
        engine.close();
      } else if (engine.config().store() != null) {
        env.scheduler().execute(engine::close); // waits for the store
      } else {
        env.scheduler().execute(() -> kept.ended(engine)); // waits for the disk
      }
      env.scheduler()
          .execute(() -> {
            if (wasServed) {
              jmx.update(engine.name());
              tell(engine.name(), false);
            }
          });
    }

    @Override
    public void ended(CacheDefinition ended) {
      boolean wasServed = !unreadable.remove(ended.name());
      own.remove(ended.name());
      NodeCache gone = caches.remove(ended.name());
      if (gone != null && isKept(gone.engine().config())) {
        env.scheduler().execute(() -> endKept(gone)); // waits for the disk
      } else if (gone != null) {
        gone.engine().close();
      }
      env.scheduler()
          .execute(() -> {
            if (wasServed) {
              jmx.update(ended.name());
              tell(ended.name(), false);
            }
          });
    }

    private void tell(String name, boolean isBegun) {
      CacheWatcher told = watcher;
      if (told == null || InternalCaches.isReserved(name)) {
        return;
      }
      if (isBegun) {
        told.begun(name);
      } else {
        told.ended(name);
      }
    }
  }

  /** Makes this node's part of a cache whose entries are each node's own. */
  private void beginOwn(CacheDefinition definition) {
    caches.computeIfAbsent(
        definition.name(), name -> newCache(name, NodeCluster.config(definition.config())));
    env.scheduler().execute(() -> jmx.update(definition.name()));
  }

  /** Makes this node's part of the caches that the cluster had before this node came. */
  private void beginOwn() {
    isStarted = true; // from now on new ones begin with the topology
    for (CacheDefinition each : own.values()) {
      if (keptOfCluster(each.name()) != null) {
        beginKeptOfCluster(each.name());
        continue;
      }
      beginOwn(each);
      if (!each.equals(own.get(each.name()))) {
        caches.remove(each.name()); // it ended meanwhile
      }
    }
    begunLate();
  }

  /**
   * Changes a cache on this node; see {@link CacheEngine#reconfigure}.
   *
   * @throws InvalidRequestException if there is no such cache, or it can't be changed so
   */
  public void reconfigure(String name, CacheConfig changed) {
    NodeCache found = userCache(name);
    if (found == null) {
      throw new InvalidRequestException("no such cache: cache=" + name);
    }
    found.engine().reconfigure(changed);
    begunLate();
  }

  private boolean isAsConfigured(String name) {
    CacheWatcher asked = watcher;
    return asked == null || asked.isAsConfigured(name);
  }

  /** Sets the listener for caches of the cluster that come and go from now on. */
  public void watch(CacheWatcher watcher) {
    this.watcher = watcher;
  }

  /**
   * The number of a cache of the cluster, which no other cache had or will have; 0 if there is no
   * such cache, or it is this node's alone.
   */
  public int cacheId(String name) {
    CacheDefinition agreed = cluster == null ? null : cluster.find(name);
    NodeCache found = agreed == null ? null : caches.get(name);
    return agreed == null || found == null || !found.engine().isClustered() ? 0 : agreed.id();
  }

  private NodeCache newCache(String name, CacheConfig cacheConfig) {
    int epoch = nextEpoch();
    if (cluster != null && NodeCluster.isInvalidating(cacheConfig)) {
      return nodeCache(invalidating(cluster, name, shareable(cacheConfig), epoch));
    }
    return nodeCache(newLocal(name, cacheConfig, epoch));
  }

  private LocalEngine<?, ?> newLocal(String name, CacheConfig cacheConfig, int epoch) {
    Occupancy occupancy = occupancy(cacheConfig);
    return cacheConfig.storage() == StorageType.HEAP_OBJECT
        ? new LocalEngine<>(
            name,
            cacheConfig,
            Container.ofObjects(cacheConfig.segments(), epoch, env.epochClock(), occupancy),
            env,
            flightWaits)
        : new LocalEngine<>(
            name, cacheConfig, container(cacheConfig, epoch, occupancy), env, flightWaits);
  }

  private NodeCache nodeCache(CacheEngine<?, ?> engine) {
    return new NodeCache(engine, this::streams, marshallers, env);
  }

  private InvalidatingEngine invalidating(
      NodeCluster members, String name, CacheConfig cacheConfig, int epoch) {
    return new InvalidatingEngine(
        name,
        cacheConfig,
        container(cacheConfig, epoch, occupancy(cacheConfig)),
        members.invalidations(),
        env,
        flightWaits);
  }

  private static Occupancy occupancy(CacheConfig config) {
    return occupancy(config, true);
  }

  /**
   * Begins to count a cache.
   *
   * @param decidesAlone whether this node alone decides on the writes that it stores
   */
  private static Occupancy occupancy(CacheConfig config, boolean decidesAlone) {
    return new Occupancy(config.isBounded(), config.maxSizeBytes() >= 0, decidesAlone);
  }

  private Container<BinaryKey, Bytes> container(
      CacheConfig config, int epoch, Occupancy occupancy) {
    int segments = config.segments();
    if (config.storage() != StorageType.OFF_HEAP) {
      return Container.ofBinary(
          segments, epoch, env.epochClock(), occupancy, compression.of(config));
    }
    tidying.begin();
    return Container.ofOffHeap(
        segments, epoch, env.epochClock(), occupancy, pool, compression.of(config));
  }

  /**
   * The epoch of a new cache's versions: later than all before in this process, and by the clock
   * later than those of earlier processes, so that a version that a client still holds does not
   * come up again.
   */
  private int nextEpoch() {
    long byClock = (env.epochClock().millis() - EPOCH_ZERO_MILLIS) / EPOCH_UNIT_MILLIS;
    int atLeast = Math.clamp(byClock, 1, EPOCH_MAX);
    int epoch = lastEpoch.updateAndGet(last -> Math.max(last + 1, atLeast));
    if (epoch > EPOCH_MAX) {
      throw new FatalGridException("out of epochs: epoch=" + epoch + "; restart the node");
    }
    return epoch;
  }

  private static String checkName(String name) {
    if (name.isEmpty() || name.length() > CACHE_NAME_LENGTH_MAX) {
      throw new InvalidRequestException(
          "invalid cache name: length=%d; allowed are 1 to %d characters"
              .formatted(name.length(), CACHE_NAME_LENGTH_MAX));
    }
    InternalCaches.checkNotReserved(name);
    return name;
  }

  /**
   * A cache as bytes, as clients of a protocol may have it, or null if there is none. Those of the
   * node itself that clients may use are among them, see {@link InternalCaches}.
   *
   * @throws InvalidRequestException if the cache keeps objects, which no protocol can reach
   * @throws RetryableGridException if the cluster has it, but this node can't read its definition
   */
  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  public @Nullable CacheEngine<BinaryKey, Bytes> engine(String name) {
    NodeCache found = InternalCaches.isPrivate(name) ? null : caches.get(name);
    if (found == null) {
      unreadable.check(name);
      return null;
    }
    if (found.engine().config().storage() == StorageType.HEAP_OBJECT) {
      throw new InvalidRequestException(
          ("cache keeps objects: name=%s; clients and multimaps need bytes, so create it with"
                  + " CacheConfig.builder().storage(StorageType.HEAP_BINARY), or take another name")
              .formatted(name));
    }
    return (CacheEngine<BinaryKey, Bytes>) found.engine();
  }

  /** The engine of a user's cache, whatever it keeps, or null if there is none. */
  @Nullable CacheEngine<?, ?> anyEngine(String name) {
    NodeCache found = userCache(name);
    return found == null ? null : found.engine();
  }

  /** The driver of this node's part in the cluster; null if it is alone. */
  @Nullable ClusterDriver driver() {
    return cluster == null ? null : cluster.driver();
  }

  /** The transport to other nodes; null if it is alone. */
  @Nullable Transport transport() {
    return cluster == null ? null : cluster.transport();
  }

  /** The newest topology that this node knows; null if it is alone. Any thread. */
  public @Nullable Topology topology() {
    return cluster == null ? null : cluster.topology();
  }

  /**
   * Sets what connects this node's operations with traces from now on; null for nothing. Any
   * thread.
   */
  public void trace(@Nullable CallTraces traces) {
    calls.trace(traces);
    if (cluster != null) {
      cluster.driver().trace(traces);
    }
  }

  /** Whether the majority of the cluster answers this node, or it is alone. Any thread. */
  public boolean hasMajority() {
    return obstacle() == null;
  }

  /** Whether this node has a lease of the cluster's majority, or is alone. Any thread. */
  public boolean isLeased() {
    return cluster == null || cluster.isLeased();
  }

  /**
   * Why this node does not serve the caches of its cluster now, in words: nobody has told it of a
   * cluster yet, or the majority does not answer it. Null if it serves, or is alone. Any thread.
   */
  public @Nullable String obstacle() {
    return cluster == null ? null : cluster.obstacle();
  }

  /**
   * Why this node stopped taking part in its cluster by itself, or null if it did not. It refuses
   * all operations on clustered caches then, and can only be closed. Any thread.
   */
  public @Nullable Throwable failure() {
    return cluster == null ? null : cluster.driver().failure();
  }

  /** The copies that this node must send to others. Costs as much as a plan. Any thread. */
  public CopyState copyState() {
    return cluster == null ? CopyState.NOTHING : cluster.driver().copyState();
  }

  /** Counts of this node's work for the cluster; nothing if it is alone. Any thread. */
  public ClusterCounts clusterCounts() {
    return cluster == null ? ClusterCounts.NOTHING : cluster.counts();
  }

  /** Counts of writes that this node kept apart from the majority. Any thread. */
  public SideCounts sideCounts() {
    return cluster == null ? SideCounts.NOTHING : cluster.sides().counts();
  }

  /**
   * Tells the cluster where clients reach this node. No effect if it is alone.
   *
   * @param endpoint {@code host:port}
   */
  public void announceEndpoint(String endpoint) {
    if (cluster != null) {
      cluster.announce(endpoint);
    }
  }

  /**
   * Shows this node and its caches in JMX from now on until they end; see {@link NodeMXBean} and
   * {@link CacheMXBean}. A second call has no effect.
   */
  public void export(MBeanServer server) {
    jmx.begin(server);
  }

  /**
   * As {@link #export}, in the server of this process, if the system property {@code
   * dev.isogrid.jmx} says true. Not done by {@link #start}, since the first look at that server
   * costs a process about 100 ms and 6 MB.
   *
   * @param byDefault what holds if the property is not set
   */
  public void exportIfWanted(boolean byDefault) {
    String wanted = System.getProperty(JMX_PROPERTY, Boolean.toString(byDefault));
    if (Boolean.parseBoolean(wanted)) {
      export(ManagementFactory.getPlatformMBeanServer());
    }
  }

  @Override
  public boolean removeCache(String name) {
    return remove(name, true);
  }

  /** Removes a cache, but leaves its store, if it has one, for a later cache of its name. */
  public void discardCache(String name) {
    boolean _ = remove(name, false);
  }

  private boolean remove(String name, boolean withStore) {
    InternalCaches.checkNotReserved(name);
    if (cluster != null) {
      CacheDefinition agreed = cluster.ask(name);
      if (agreed != null) {
        cluster.undefine(agreed);
      }
      return agreed != null;
    }
    NodeCache found = caches.get(name);
    if (found == null || !caches.remove(name, found)) {
      return false;
    }
    jmx.update(name);
    found.engine().close();
    if (withStore) {
      stores.delete(name, found.engine().config());
    }
    return true;
  }

  @Override
  public <K, V> MapReduceInput<K, V> mapReduce(Cache<K, V> cache) {
    checkOpen();
    checkOwn(Objects.requireNonNull(cache, "cache"));
    return MapReduceInput.of(this::startMapReduce, cache);
  }

  private <A, B> MapReduceJob<A, B> startMapReduce(MapReduceTask<A, B> task) {
    checkOwn(task.input().cache());
    return mapReduces.start(task);
  }

  /** Refuses a cache that was removed, or is of another grid and only has the name of one here. */
  private void checkOwn(Cache<?, ?> cache) {
    if (cache instanceof EmbeddedCache<?, ?, ?, ?> embedded) {
      CacheEngine<?, ?> engine = embedded.engine();
      engine.checkOpen();
      CacheEngine<?, ?> known = userEngine(engine.name());
      boolean isOfMember = known != null && known.isClustered() && engine.isClustered();
      if (!engine.equals(known) && !isOfMember) {
        throw new InvalidRequestException(
            "cache of another grid: cache=%s, node=%s; begin with the grid that it is of"
                .formatted(engine.name(), nodeName));
      }
    }
  }

  /** The map/reduces that this node started: those that run, and the last hundred that ended. */
  public List<MapReduceReport> mapReduceReports() {
    return mapReduces.reports();
  }

  @Override
  public OffHeapUse offHeapUse() {
    return pool.use();
  }

  /** The number of segments of all caches together, the node's own caches included; O(caches). */
  public long segmentsOfAllCaches() {
    return caches.values().stream().mapToLong(cache -> cache.engine().segmentCount()).sum();
  }

  @Override
  public Set<String> cacheNames() {
    Set<String> names = new TreeSet<>(caches.keySet());
    names.removeIf(InternalCaches::isReserved);
    return Collections.unmodifiableSet(names);
  }

  private void checkOpen() {
    if (closed) {
      throw new FatalGridException("grid closed: node=" + nodeName + "; start a new one");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    List<Runnable> parts =
        List.of(
            jmx::close,
            mapReduces::close,
            this::closeCluster,
            streams::close,
            calls::close,
            userThreads::close,
            processorThreads::close,
            structures::close,
            () -> caches.values().forEach(cache -> cache.engine().close()),
            unreadable::close,
            this::closeStores,
            env.scheduler()::close,
            compression::close);
    calls.closing();
    closed = true;
    Closing.all(parts);
  }

  private void closeCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void closeStores() {
    if (clusterStores != null) {
      clusterStores.close();
    }
  }
}
