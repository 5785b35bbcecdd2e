package dev.isogrid.node;

import com.sun.management.OperatingSystemMXBean;
import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.OffHeapUse;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.LocalEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.PagePool;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;

/**
 * A node: its caches, seen as objects by embedded users ({@link Grid}) and as bytes by a server
 * ({@link #engine}). Thread-safe.
 */
public final class Node implements Grid {
  /** The longest name of a cache. */
  public static final int CACHE_NAME_LENGTH_MAX = 255;

  /** A new epoch begins this often; 24 bits of them last for 15 years. */
  private static final long EPOCH_UNIT_MILLIS = 30_000;

  /** The beginning of 2026: what the first epoch of a cache is counted from. */
  private static final long EPOCH_ZERO_MILLIS = 1_767_225_600_000L;

  private static final String JMX_PROPERTY = "dev.isogrid.jmx";

  private static final int EPOCH_MAX = (1 << 24) - 1;

  private final GridConfig config;
  private final String nodeName;
  private final Env env;
  private final PagePool pool;
  private final ConcurrentHashMap<String, NodeCache> caches = new ConcurrentHashMap<>();

  private final OffHeapTidying tidying;
  private final JmxExport jmx = new JmxExport(this);
  private final AtomicInteger lastEpoch = new AtomicInteger();

  /** Written by {@link #close}. */
  private volatile boolean closed;

  private Node(GridConfig config, Env env) {
    this.config = config;
    this.env = env;
    this.pool = new PagePool(offHeapMax(config));
    this.tidying = new OffHeapTidying(pool, env.scheduler(), this::vacate);
    this.nodeName =
        config.nodeName().isEmpty() ? "n-" + ProcessHandle.current().pid() : config.nodeName();
  }

  private static long offHeapMax(GridConfig config) {
    if (config.offHeapMaxBytes() != GridConfig.OFF_HEAP_DEFAULT) {
      return config.offHeapMaxBytes();
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize() / 2;
  }

  private void vacate() {
    caches.values().forEach(cache -> cache.engine.vacate());
  }

  /** A cache in both its shapes. */
  private record NodeCache(CacheEngine<?, ?> engine, Cache<?, ?> embedded) {}

  /**
   * Starts a node.
   *
   * @param env its outside world; the scheduler is closed with the node
   */
  public static Node start(GridConfig config, Env env) {
    return new Node(config, env);
  }

  @Override
  public String nodeName() {
    return nodeName;
  }

  @Override
  public GridConfig config() {
    return config;
  }

  /** The outside world that the node was started with. */
  public Env env() {
    return env;
  }

  @Override
  public <K, V> Cache<K, V> cache(String name) {
    return cache(name, CacheConfig.builder().build());
  }

  @Override
  public <K, V> Cache<K, V> cache(String name, CacheConfig cacheConfig) {
    checkOpen();
    NodeCache found = caches.get(name);
    if (found == null) {
      found = caches.computeIfAbsent(checkName(name), n -> newCache(n, cacheConfig));
      jmx.update(name);
    }
    return typed(found);
  }

  @Override
  public <K, V> Cache<K, V> createCache(String name, CacheConfig cacheConfig) {
    checkOpen();
    boolean[] created = {false};
    NodeCache made =
        caches.computeIfAbsent(
            checkName(name),
            n -> {
              created[0] = true;
              return newCache(n, cacheConfig);
            });
    if (!created[0]) {
      throw new InvalidRequestException("cache exists already: name=" + name);
    }
    jmx.update(name);
    return typed(made);
  }

  @Override
  public <K, V> @Nullable Cache<K, V> findCache(String name) {
    NodeCache found = caches.get(name);
    return found == null ? null : typed(found);
  }

  @SuppressWarnings("unchecked") // the types are the caller's promise, as the API says
  private static <K, V> Cache<K, V> typed(NodeCache cache) {
    return (Cache<K, V>) cache.embedded;
  }

  private NodeCache newCache(String name, CacheConfig cacheConfig) {
    int epoch = nextEpoch();
    int segments = cacheConfig.segments();
    Occupancy occupancy = new Occupancy(cacheConfig.isBounded(), cacheConfig.maxSizeBytes() >= 0);
    return switch (cacheConfig.storage()) {
      case HEAP_OBJECT -> {
        var engine =
            new LocalEngine<>(
                name,
                cacheConfig,
                Container.ofObjects(segments, epoch, env.epochClock(), occupancy),
                env);
        yield new NodeCache(engine, new EmbeddedCache<>(engine, new ObjectEdge<>(), env));
      }
      case HEAP_BINARY, OFF_HEAP -> {
        if (cacheConfig.storage() == StorageType.OFF_HEAP) {
          tidying.begin();
        }
        var container =
            cacheConfig.storage() == StorageType.HEAP_BINARY
                ? Container.ofBinary(segments, epoch, env.epochClock(), occupancy)
                : Container.ofOffHeap(segments, epoch, env.epochClock(), occupancy, pool);
        var engine = new LocalEngine<>(name, cacheConfig, container, env);
        yield new NodeCache(engine, new EmbeddedCache<>(engine, BinaryEdge.of(cacheConfig), env));
      }
    };
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
    return name;
  }

  /**
   * A cache as bytes, or null if there is none.
   *
   * @throws InvalidRequestException if the cache keeps objects, which no protocol can reach
   */
  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  public @Nullable CacheEngine<BinaryKey, Bytes> engine(String name) {
    NodeCache found = caches.get(name);
    if (found == null) {
      return null;
    }
    if (found.engine.config().storage() == StorageType.HEAP_OBJECT) {
      throw new InvalidRequestException(
          "cache keeps objects: name=%s; create it with a binary storage to reach it by a protocol"
              .formatted(name));
    }
    return (CacheEngine<BinaryKey, Bytes>) found.engine;
  }

  /** A cache's engine, whatever it keeps, or null if there is none. */
  @Nullable CacheEngine<?, ?> anyEngine(String name) {
    NodeCache found = caches.get(name);
    return found == null ? null : found.engine;
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
    NodeCache removed = caches.remove(name);
    if (removed == null) {
      return false;
    }
    jmx.update(name);
    removed.engine.close();
    return true;
  }

  @Override
  public OffHeapUse offHeapUse() {
    return pool.use();
  }

  @Override
  public Set<String> cacheNames() {
    return Collections.unmodifiableSet(new TreeSet<>(caches.keySet()));
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
    closed = true;
    jmx.close();
    caches.values().forEach(cache -> cache.engine.close());
    env.scheduler().close();
  }
}
