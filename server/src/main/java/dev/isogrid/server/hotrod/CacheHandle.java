package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.security.Access;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cache as one thread uses it: the engine, and everything prepared once. */
final class CacheHandle {
  final CacheEngine<BinaryKey, Bytes> engine;

  /** Whether operations may have to wait for other nodes. */
  final boolean mayWait;

  /** Whether other servers also have entries of it, so that clients receive their addresses. */
  private final boolean isClustered;

  /** Whether its entries are the schemas of the server. */
  final boolean holdsSchemas;

  /** Whether its keys are objects, which old clients must know. */
  final boolean keepsObjects;

  /** For reads of this thread. */
  final EntryView<BinaryKey, Bytes> view;

  /** The media type of the stored keys, or null for bytes of an unknown type. */
  final @Nullable String keyType;

  /** The conversion of keys. */
  final TypeInUse keys;

  /** The media type of the stored values, or null for bytes of an unknown type. */
  final @Nullable String valueType;

  /** The conversion of values. */
  final TypeInUse values;

  /** The latencies of its requests. */
  final CacheLatencies latencies;

  private final Transcoder transcoder;

  /** The permissions of the connection's caller on the cache. */
  final Access access;

  private final TopologySections sections;

  /** The address of the connection on this side. */
  private final @Nullable SocketAddress local;

  /** The topology that clients receive for a cache that is not clustered. */
  private final @Nullable TopologySection fixed;

  /** The last topology that clients received for a clustered cache. */
  private TopologySections.Told told = TopologySections.Told.NOTHING;

  CacheHandle(
      CacheEngine<BinaryKey, Bytes> engine,
      CacheLatencies latencies,
      Transcoder transcoder,
      TopologySections sections,
      @Nullable SocketAddress local,
      Access access) {
    this(
        engine,
        latencies,
        transcoder,
        sections,
        local,
        access,
        engine.isClustered() ? null : TopologySection.ofOneServer(engine.config(), local));
  }

  // tidy: all that a handle for another thread shares
  private CacheHandle(
      CacheEngine<BinaryKey, Bytes> engine,
      CacheLatencies latencies,
      Transcoder transcoder,
      TopologySections sections,
      @Nullable SocketAddress local,
      Access access,
      @Nullable TopologySection fixed) {
    this.engine = engine;
    this.latencies = latencies;
    this.transcoder = transcoder;
    this.access = access;
    this.sections = sections;
    this.local = local;
    this.isClustered = engine.isClustered();
    this.mayWait = engine.mayWait();
    this.view = engine.newView();
    this.keyType = MediaTypeNames.ofStorage(engine.config().keyMediaType());
    this.valueType = MediaTypeNames.ofStorage(engine.config().valueMediaType());
    this.keys = new TypeInUse(transcoder, MediaTypeNames.kept(engine.config().keyMediaType()));
    this.values = new TypeInUse(transcoder, MediaTypeNames.kept(engine.config().valueMediaType()));
    this.holdsSchemas = engine.name().equals(SchemaCatalog.CACHE);
    this.keepsObjects = Transcoder.JAVA_OBJECT.equals(keyType);
    this.fixed = fixed;
  }

  /** The topology that clients receive now, or null if there is none. */
  @Nullable TopologySection topology() {
    if (!isClustered) {
      return fixed;
    }
    told = sections.told(told, engine.name(), local);
    return told.section();
  }

  /** The same cache for another thread, with the same topology, which takes time to make. */
  CacheHandle forOtherThread() {
    return new CacheHandle(engine, latencies, transcoder, sections, local, access, fixed);
  }

  /** Whether this is the same cache, with the same permissions, for a connection to one address. */
  boolean isLike(CacheHandle other) {
    return engine.equals(other.engine)
        && access.equals(other.access)
        && Objects.equals(local, other.local);
  }

  /**
   * The media type to keep with a value: only if the cache has none of its own.
   *
   * @param requested the media type of a request, or null if it has none
   */
  @Nullable String mediaTypeToKeep(@Nullable String requested) {
    boolean known = requested != null && !requested.equals(MediaTypes.UNKNOWN);
    return known && valueType == null ? requested : null;
  }
}
