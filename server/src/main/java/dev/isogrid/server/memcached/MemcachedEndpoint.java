package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.AsidePlaces;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.concurrent.atomic.AtomicInteger;

/** The shared parts of all memcached connections of a server. Thread-safe. */
final class MemcachedEndpoint {
  /**
   * The version that clients get: that of the memcached whose behaviour this is. Clients decide by
   * it what they may send, and libmemcached takes a version that begins with 0 for a failure.
   */
  static final String VERSION = "1.6.18";

  private final ServerContext context;

  /**
   * The most commands of all connections that are executed aside at the same time, besides one of
   * each connection. A waiting one costs some 8 KiB, so this many take 64 MiB.
   */
  private static final int ASIDE_MAX = 8192;

  private final AsidePlaces aside;
  private final Counters counters;
  private final FlushTimer flushTimer;
  private final ItemSize itemSize;
  private final Watchers watchers;
  private final AtomicInteger connections;
  private final Recency recency;
  private final PrefixCounts prefixes;

  MemcachedEndpoint(ServerContext context) {
    this.context = context;
    this.aside = new AsidePlaces(ASIDE_MAX);
    context.traffic().aside("memcached", aside);
    this.counters = new Counters();
    this.flushTimer = new FlushTimer(context.node().env().scheduler(), this::clear);
    this.itemSize = new ItemSize(context.contentLengthMax(), Integer.MAX_VALUE);
    this.watchers = new Watchers(context.node().env().epochClock());
    this.connections = new AtomicInteger();
    this.recency = new Recency();
    this.prefixes = new PrefixCounts();
  }

  /** The same with another limit of items, for other connections. */
  private MemcachedEndpoint(MemcachedEndpoint other, int itemSizeMax) {
    this.context = other.context;
    this.aside = other.aside;
    this.counters = other.counters;
    this.flushTimer = other.flushTimer;
    this.watchers = other.watchers;
    this.connections = other.connections;
    this.recency = other.recency;
    this.prefixes = other.prefixes;
    this.itemSize = new ItemSize(context.contentLengthMax(), itemSizeMax);
  }

  /**
   * An endpoint for connections with another limit of items, which shares everything else with
   * this.
   */
  MemcachedEndpoint withItemSizeMax(int itemSizeMax) {
    return new MemcachedEndpoint(this, itemSizeMax);
  }

  /** The largest items that are accepted. */
  ItemSize itemSize() {
    return itemSize;
  }

  ServerContext context() {
    return context;
  }

  /** The limit for commands that are executed aside, besides one of each connection. */
  AsidePlaces aside() {
    return aside;
  }

  Counters counters() {
    return counters;
  }

  /** The connections that watch others. */
  Watchers watchers() {
    return watchers;
  }

  /** The last uses of entries. */
  Recency recency() {
    return recency;
  }

  /** The counts of operations by prefixes of keys. */
  PrefixCounts prefixes() {
    return prefixes;
  }

  /** A number for a new connection, shown to watchers; 0 or more. */
  int nextConnection() {
    return connections.getAndIncrement() & Integer.MAX_VALUE;
  }

  FlushTimer flushTimer() {
    return flushTimer;
  }

  /** The wall clock, milliseconds since 1970. */
  long nowMillis() {
    return context.node().env().epochClock().millis();
  }

  /**
   * The cache of memcached clients, looked up now.
   *
   * @throws InvalidRequestException if there is none, it keeps objects, or operators told servers
   *     to ignore it
   */
  CacheEngine<BinaryKey, Bytes> engine() {
    CacheEngine<BinaryKey, Bytes> engine = context.engine(context.memcachedCache());
    if (engine == null) {
      throw new InvalidRequestException(
          "cache not found: name=%s; create it to use memcached clients"
              .formatted(context.memcachedCache()));
    }
    context.catalog().ignored().check(engine.name());
    return engine;
  }

  /** A number that changes when operators change the caches that clients reach. */
  long ignoredVersion() {
    return context.catalog().ignored().version();
  }

  /** The most bytes of entries: by the cache's bound, or else by its storage. */
  long memoryLimitBytes() {
    CacheConfig config = engine().config();
    if (config.maxSizeBytes() >= 0) {
      return config.maxSizeBytes();
    }
    return config.storage() == StorageType.OFF_HEAP
        ? context.node().offHeapUse().maxBytes()
        : Runtime.getRuntime().maxMemory();
  }

  /** Whether the cache evicts entries at its bound. */
  boolean evicts() {
    CacheConfig config = engine().config();
    boolean isBounded = config.maxSizeBytes() >= 0 || config.maxCount() >= 0;
    return isBounded && config.whenFull() != WhenFull.EXCEPTION;
  }

  /** Runs when a delayed flush is due: there is no client to receive a failure. */
  private void clear() {
    try {
      engine().clear();
    } catch (GridException failure) {
      context.problems().report("memcached: delayed flush_all failed", failure::getMessage);
    }
  }
}
