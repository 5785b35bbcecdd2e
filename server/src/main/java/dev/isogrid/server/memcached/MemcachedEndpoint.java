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

/** What all memcached connections of a server share. Thread-safe. */
final class MemcachedEndpoint {
  private final ServerContext context;

  /**
   * Commands of all connections that are done aside at the same time, besides one of each
   * connection. One that waits costs some 8 KiB, so this many take 64 MiB.
   */
  private static final int ASIDE_MAX = 8192;

  private final AsidePlaces aside;
  private final Counters counters;
  private final FlushTimer flushTimer;
  private final ItemSize itemSize;

  MemcachedEndpoint(ServerContext context) {
    this.context = context;
    this.aside = new AsidePlaces(ASIDE_MAX);
    this.counters = new Counters();
    this.flushTimer = new FlushTimer(context.node().env().scheduler(), this::clear);
    this.itemSize = new ItemSize(context.contentLengthMax(), Integer.MAX_VALUE);
  }

  /** The same with another limit of items, for other connections. */
  private MemcachedEndpoint(MemcachedEndpoint other, int itemSizeMax) {
    this.context = other.context;
    this.aside = other.aside;
    this.counters = other.counters;
    this.flushTimer = other.flushTimer;
    this.itemSize = new ItemSize(context.contentLengthMax(), itemSizeMax);
  }

  /** What serves connections whose items have another limit, and shares all else with this. */
  MemcachedEndpoint withItemSizeMax(int itemSizeMax) {
    return new MemcachedEndpoint(this, itemSizeMax);
  }

  /** The largest items that are taken. */
  ItemSize itemSize() {
    return itemSize;
  }

  ServerContext context() {
    return context;
  }

  /** The places for commands that are done aside, but for one of each connection. */
  AsidePlaces aside() {
    return aside;
  }

  Counters counters() {
    return counters;
  }

  FlushTimer flushTimer() {
    return flushTimer;
  }

  /** The wall clock, milliseconds since 1970. */
  long nowMillis() {
    return context.node().env().epochClock().millis();
  }

  /**
   * The cache that memcached clients see, as it is at this moment.
   *
   * @throws InvalidRequestException if there is none, or it keeps objects
   */
  CacheEngine<BinaryKey, Bytes> engine() {
    CacheEngine<BinaryKey, Bytes> engine = context.engine(context.memcachedCache());
    if (engine == null) {
      throw new InvalidRequestException(
          "cache not found: name=%s; create it to use memcached clients"
              .formatted(context.memcachedCache()));
    }
    return engine;
  }

  /** The most bytes that entries can have: by the cache's bound, or else by where they are kept. */
  long memoryLimitBytes() {
    CacheConfig config = engine().config();
    if (config.maxSizeBytes() >= 0) {
      return config.maxSizeBytes();
    }
    return config.storage() == StorageType.OFF_HEAP
        ? context.node().offHeapUse().maxBytes()
        : Runtime.getRuntime().maxMemory();
  }

  /** Whether entries make room for others when the bound of the cache is reached. */
  boolean evicts() {
    CacheConfig config = engine().config();
    boolean isBounded = config.maxSizeBytes() >= 0 || config.maxCount() >= 0;
    return isBounded && config.whenFull() != WhenFull.EXCEPTION;
  }

  /** Runs when a delayed flush is due: there is no client left to tell of a failure. */
  private void clear() {
    try {
      engine().clear();
    } catch (GridException failure) {
      context.problems().report("memcached: delayed flush_all failed", failure::getMessage);
    }
  }
}
