package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cache as one thread uses it: the engine, and what can be prepared once. */
final class CacheHandle {
  final CacheEngine<BinaryKey, Bytes> engine;

  /** Whether operations may have to wait for other nodes. */
  final boolean isClustered;

  /** For reads of this thread. */
  final EntryView<BinaryKey, Bytes> view;

  /** The media type of the stored keys, or null for bytes that nothing is known of. */
  final @Nullable String keyType;

  /** The media type of the stored values, or null for bytes that nothing is known of. */
  final @Nullable String valueType;

  /** What clients are told of the topology, or null if nothing. */
  final @Nullable TopologySection topology;

  CacheHandle(CacheEngine<BinaryKey, Bytes> engine, @Nullable SocketAddress local) {
    this(engine, TopologySection.of(engine.config(), local));
  }

  private CacheHandle(CacheEngine<BinaryKey, Bytes> engine, @Nullable TopologySection topology) {
    this.engine = engine;
    this.isClustered = engine.isClustered();
    this.view = engine.newView();
    this.keyType = MediaTypeNames.ofStorage(engine.config().keyMediaType());
    this.valueType = MediaTypeNames.ofStorage(engine.config().valueMediaType());
    this.topology = topology;
  }

  /** The same cache for another thread. */
  CacheHandle forOtherThread() {
    return new CacheHandle(engine, topology);
  }

  /** Whether this is the same cache and tells clients the same. */
  boolean isLike(CacheHandle other) {
    return engine.equals(other.engine) && Objects.equals(topology, other.topology);
  }

  /**
   * Whether bytes have to be converted.
   *
   * @param requested the media type of a request, or null if it does not say
   * @param stored the media type of the cache, or null for bytes that nothing is known of
   */
  static boolean differ(@Nullable String requested, @Nullable String stored) {
    return requested != null && stored != null && !Transcoder.isIdentity(requested, stored);
  }

  /**
   * What to keep with a value as its media type: only where the cache has none of its own.
   *
   * @param requested the media type of a request, or null if it does not say
   */
  @Nullable String mediaTypeToKeep(@Nullable String requested) {
    boolean known = requested != null && !requested.equals(MediaTypes.UNKNOWN);
    return known && valueType == null ? requested : null;
  }
}
