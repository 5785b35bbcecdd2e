package dev.isogrid.server.hotrod;

import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.security.Access;
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
  final boolean mayWait;

  /** Whether other servers have entries of it as well, so that clients are told of them. */
  private final boolean isClustered;

  /** Whether its entries are the schemas of the server. */
  final boolean holdsSchemas;

  /** Whether its keys are objects, which old clients want to be told. */
  final boolean keepsObjects;

  /** For reads of this thread. */
  final EntryView<BinaryKey, Bytes> view;

  /** The media type of the stored keys, or null for bytes that nothing is known of. */
  final @Nullable String keyType;

  /** How keys are converted. */
  final TypeInUse keys;

  /** The media type of the stored values, or null for bytes that nothing is known of. */
  final @Nullable String valueType;

  /** How values are converted. */
  final TypeInUse values;

  private final Transcoder transcoder;

  /** What the connection's caller may do with the cache. */
  final Access access;

  private final TopologySections sections;

  /** The address of the connection on this side. */
  private final @Nullable SocketAddress local;

  /** What clients are told of the topology of a cache that is not clustered. */
  private final @Nullable TopologySection fixed;

  /** What clients were told last of the topology of a clustered cache. */
  private TopologySections.Told told = TopologySections.Told.NOTHING;

  CacheHandle(
      CacheEngine<BinaryKey, Bytes> engine,
      Transcoder transcoder,
      TopologySections sections,
      @Nullable SocketAddress local,
      Access access) {
    this.engine = engine;
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
    this.fixed = isClustered ? null : TopologySection.ofOneServer(engine.config(), local);
  }

  /** What clients are told of the topology now, or null if nothing. */
  @Nullable TopologySection topology() {
    if (!isClustered) {
      return fixed;
    }
    told = sections.told(told, engine.name(), local);
    return told.section();
  }

  /** The same cache for another thread. */
  CacheHandle forOtherThread() {
    return new CacheHandle(engine, transcoder, sections, local, access);
  }

  /** Whether this is the same cache for a connection to the same address. */
  boolean isLike(CacheHandle other) {
    return engine.equals(other.engine) && Objects.equals(local, other.local);
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
