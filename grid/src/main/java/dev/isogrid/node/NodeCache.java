package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.stream.Streams;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cache in both its shapes: as bytes or objects, and as its users in this process see it.
 * Thread-safe.
 */
final class NodeCache {
  private final CacheEngine<?, ?> engine;
  private final CacheConfig defined;
  private final Supplier<Streams> streams;
  private final CacheMarshallers marshallers;
  private final Env env;

  private final AtomicReference<@Nullable EmbeddedCache<?, ?, ?, ?>> embedded =
      new AtomicReference<>();

  /**
   * The cache that other nodes' work uses until a user of this node asks. Of several that are made
   * at once any will do: they keep nothing of their own.
   */
  private volatile @Nullable EmbeddedCache<?, ?, ?, ?> lenient;

  /** The configuration that was last seen to be that of this cache. Written by any thread. */
  private volatile @Nullable CacheConfig fitting;

  /**
   * A cache that nobody uses yet.
   *
   * @param streams asked when the first stream is made
   */
  NodeCache(
      CacheEngine<?, ?> engine, Supplier<Streams> streams, CacheMarshallers marshallers, Env env) {
    this.engine = engine;
    this.defined = engine.config();
    this.streams = streams;
    this.marshallers = marshallers;
    this.env = env;
  }

  CacheEngine<?, ?> engine() {
    return engine;
  }

  /**
   * Refuses another configuration than the one that the cache was defined with.
   *
   * @param asked as a caller gave it
   * @param defining makes of it what would define a cache
   * @throws InvalidRequestException if they differ, naming both values of what differs
   */
  void checkDefinedAs(CacheConfig asked, UnaryOperator<CacheConfig> defining) {
    if (asked.equals(fitting)) {
      return;
    }
    String difference = difference(asked, defining.apply(asked));
    if (!difference.isEmpty()) {
      throw new InvalidRequestException(
          "cache is defined differently: cache=%s%s; use one configuration, or cache(name)"
              .formatted(engine.name(), difference));
    }
    fitting = asked;
  }

  /** The difference to the configuration that a caller asked for, as the end of an error. */
  String difference(CacheConfig asked, CacheConfig defining) {
    return ConfigDifference.text(defined, ConfigDifference.filled(asked, defining, defined));
  }

  /**
   * The cache for users in this process.
   *
   * @throws InvalidRequestException if this node does not have its marshaller
   */
  EmbeddedCache<?, ?, ?, ?> embedded() {
    EmbeddedCache<?, ?, ?, ?> known = embedded.get();
    if (known == null) {
      EmbeddedCache<?, ?, ?, ?> made =
          keepsObjects() ? ofObjects() : ofBytes(marshallers.edge(engine.name(), defined));
      EmbeddedCache<?, ?, ?, ?> other = embedded.compareAndExchange(null, made);
      known = other == null ? made : other;
    }
    return known;
  }

  /** The cache for the work of other nodes. Without its marshaller, what needs objects fails. */
  EmbeddedCache<?, ?, ?, ?> forOtherNodes() {
    if (keepsObjects() || embedded.get() != null) {
      return embedded();
    }
    EmbeddedCache<?, ?, ?, ?> made = lenient;
    if (made == null) {
      made = ofBytes(marshallers.lenientEdge(engine.name(), defined));
      lenient = made;
    }
    return made;
  }

  private boolean keepsObjects() {
    return defined.storage() == StorageType.HEAP_OBJECT;
  }

  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  private EmbeddedCache<?, ?, ?, ?> ofObjects() {
    return new EmbeddedCache<>(
        (CacheEngine<Object, Object>) engine, new ObjectEdge<>(), streams, env);
  }

  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  private <K, V> EmbeddedCache<K, V, BinaryKey, Bytes> ofBytes(BinaryEdge<K, V> edge) {
    return new EmbeddedCache<>((CacheEngine<BinaryKey, Bytes>) engine, edge, streams, env);
  }

  /**
   * The conversion between objects and bytes, in a cache that keeps bytes.
   *
   * @throws InvalidRequestException if this node does not have its marshaller
   */
  <K, V> BinaryEdge<K, V> edge() {
    return marshallers.edge(engine.name(), defined);
  }

  /** The cache for users of keys and values as they are. */
  Cache<byte[], byte[]> opaque() {
    return ofBytes(BinaryEdge.of(OpaqueBytes.INSTANCE, OpaqueBytes.INSTANCE));
  }
}
