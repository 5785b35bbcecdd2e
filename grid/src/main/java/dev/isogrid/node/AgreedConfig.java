package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.topology.CacheGroup;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cache that the cluster agreed on, as far as this version can read it.
 *
 * @param config for the entries that this node keeps of the cache
 * @param problem why this node can't serve the cache, or null if it can
 */
record AgreedConfig(CacheConfig config, @Nullable String problem) {
  /*
   * A member of a newer version may define a cache with parts that this one does not know. This
   * node may be an owner of its segments all the same, since the caches of a group share them. So
   * it keeps entries of the cache, by what it can read of the definition, and by the group alone if
   * that is nothing. It can't know what operations on the cache mean, so it refuses those of its
   * own callers.
   */

  /** The permitted parts of a document from another node. */
  static final ReadContext CONTEXT = ReadContext.empty().withObjects().withFolders();

  /**
   * Reads the definition of a cache.
   *
   * @param document from a member, maybe of another version
   * @param group of the cache, which the configuration fits in any case
   */
  static AgreedConfig of(String document, CacheGroup group) {
    try {
      return new AgreedConfig(NodeCluster.config(document), null);
    } catch (InvalidRequestException unreadable) {
      CacheConfig known = knownParts(document);
      boolean fits = known != null && NodeCluster.group(known).equals(group);
      CacheConfig kept = known != null && fits ? served(known) : plain(group);
      return new AgreedConfig(kept, String.valueOf(unreadable.getMessage()));
    }
  }

  /** Whether the entries of a cache are the cluster's, and on the disks of its nodes. */
  static boolean isKept(String document) {
    CacheConfig config;
    try {
      config = NodeCluster.config(document);
    } catch (InvalidRequestException unreadable) {
      config = knownParts(document);
    }
    return config != null && NodeCluster.isShared(config) && config.fileStore() != null;
  }

  /** The readable parts of a definition, or null if there are none. */
  private static @Nullable CacheConfig knownParts(String document) {
    try {
      return CacheDocument.readLeniently(document, DocumentFormat.XML, CONTEXT).config();
    } catch (InvalidRequestException unreadable) {
      return null;
    }
  }

  /** A configuration without the parts that need an operation on the cache. */
  private static CacheConfig served(CacheConfig known) {
    return known.toBuilder()
        .store(null)
        .mergePolicy(CacheConfig.builder().build().mergePolicy())
        .build();
  }

  /** A cache in memory whose entries are in the segments of a group. */
  private static CacheConfig plain(CacheGroup group) {
    CacheConfig.Builder plain =
        CacheConfig.builder().segments(group.segmentCount()).storage(StorageType.OFF_HEAP);
    if (group.owners() > CacheConfig.OWNERS_MAX) {
      return plain.mode(group.isAsync() ? CacheMode.REPL_ASYNC : CacheMode.REPL_SYNC).build();
    }
    return plain
        .mode(group.isAsync() ? CacheMode.DIST_ASYNC : CacheMode.DIST_SYNC)
        .owners(group.owners())
        .build();
  }
}
