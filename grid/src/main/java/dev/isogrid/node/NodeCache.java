package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.stream.Streams;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cache in both its shapes: as bytes or objects, and as its users in this process see it. */
final class NodeCache {
  private final CacheEngine<?, ?> engine;
  private final Supplier<Streams> streams;
  private final AtomicReference<@Nullable Cache<?, ?>> embedded = new AtomicReference<>();

  /**
   * What other nodes' work uses until a user of this node asks. Of several that are made at once
   * any will do: they keep nothing of their own.
   */
  private volatile @Nullable EmbeddedCache<?, ?, ?, ?> usual;

  /**
   * A cache that nobody uses yet.
   *
   * @param streams asked when the first stream is made
   */
  NodeCache(CacheEngine<?, ?> engine, Supplier<Streams> streams) {
    this.engine = engine;
    this.streams = streams;
  }

  CacheEngine<?, ?> engine() {
    return engine;
  }

  /**
   * The cache for users in this process. Who asks first says how keys and values become bytes.
   *
   * @param config whose marshallers are used if nobody asked before
   */
  @SuppressWarnings("unchecked") // the types are the caller's promise, as the API says
  <K, V> Cache<K, V> embedded(CacheConfig config, Env env) {
    Cache<?, ?> known = embedded.get();
    if (known == null) {
      Cache<?, ?> made = make(config, env);
      Cache<?, ?> other = embedded.compareAndExchange(null, made);
      known = other == null ? made : other;
    }
    return (Cache<K, V>) known;
  }

  @SuppressWarnings("unchecked") // the storage type tells the engine's type
  private Cache<?, ?> make(CacheConfig config, Env env) {
    return engine.config().storage() == StorageType.HEAP_OBJECT
        ? new EmbeddedCache<>(
            (CacheEngine<Object, Object>) engine, new ObjectEdge<>(), streams, env)
        : new EmbeddedCache<>(
            (CacheEngine<BinaryKey, Bytes>) engine, BinaryEdge.of(config), streams, env);
  }

  /**
   * The cache as the work of other nodes needs it. If no user of this node asked for it yet, its
   * keys and values are what the built-in marshaller makes of them; who asks later may still say
   * otherwise.
   */
  EmbeddedCache<?, ?, ?, ?> forOtherNodes(Env env) {
    Cache<?, ?> known = embedded.get();
    if (known != null) {
      return (EmbeddedCache<?, ?, ?, ?>) known;
    }
    EmbeddedCache<?, ?, ?, ?> made = usual;
    if (made == null) {
      made = (EmbeddedCache<?, ?, ?, ?>) make(engine.config(), env);
      usual = made;
    }
    return made;
  }
}
