package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Compression;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenSplit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Where and how a cache is that a contract is run against.
 *
 * @param cluster what nodes there are
 * @param isAvailable whether both sides of a split would write
 * @param compression how values are compressed
 * @param viewpoint which node operations on a key are asked of
 */
public record CacheSetting(
    Cluster cluster,
    CacheMode mode,
    boolean isAvailable,
    StorageType storage,
    Compression compression,
    Viewpoint viewpoint) {
  /** A cache that compresses nothing. */
  public CacheSetting(
      Cluster cluster,
      CacheMode mode,
      boolean isAvailable,
      StorageType storage,
      Viewpoint viewpoint) {
    this(cluster, mode, isAvailable, storage, Compression.NONE, viewpoint);
  }

  /** The nodes that there are. */
  public enum Cluster {
    /** A node that knows of no cluster. */
    NONE,
    /** A cluster of one member. */
    ONE_MEMBER,
    /** A cluster of three. */
    THREE_MEMBERS
  }

  /** The node that operations are asked of. */
  public enum Viewpoint {
    /** The only one, or where each node has entries of its own, always the same one. */
    FIRST,
    /** The primary owner of the key. */
    PRIMARY,
    /** Another owner of the key. */
    BACKUP,
    /** A node without a copy of the key. */
    NON_OWNER
  }

  /**
   * A promise of a cache beyond the common ones. For a cache without it, contracts have another
   * expectation.
   */
  public enum Promise {
    /** A write on one node is read on all; else it removes the entry on all others. */
    SHARES_ENTRIES,

    /** When a write has returned, no node answers an older value; else that ends some time. */
    WRITES_ARE_SEEN_AT_ONCE,

    /** An acknowledged write survives the node that acknowledged it; else it may be undone. */
    OUTLIVES_ITS_PRIMARY,

    /** A mutation is called once, under the lock; else without, and again if others wrote. */
    DECIDES_UNDER_THE_LOCK,

    /** A read of an expired entry removes it before it returns; else soon afterwards. */
    READS_REMOVE_EXPIRED,

    /** The size is found by removing what is expired; else by leaving it out. */
    COUNTS_REMOVE_EXPIRED,

    /** An expired entry makes room in a full cache at once; else when it was removed. */
    EXPIRED_MAKE_ROOM,

    /** Listeners were told when the write returns; else some time later. */
    TELLS_BEFORE_IT_RETURNS,

    /** Evicted entries are gone from all nodes; else each node evicts its own copies. */
    EVICTS_EVERYWHERE
  }

  /** The cache of one node without a cluster. */
  public static CacheSetting local(StorageType storage) {
    return new CacheSetting(Cluster.NONE, CacheMode.LOCAL, false, storage, Viewpoint.FIRST);
  }

  /** All caches of bytes that are in a cluster. */
  public static List<CacheSetting> clustered() {
    List<CacheSetting> settings = new ArrayList<>();
    for (StorageType storage : List.of(StorageType.HEAP_BINARY, StorageType.OFF_HEAP)) {
      addAll(settings, CacheMode.DIST_SYNC, false, storage);
    }
    for (CacheMode mode :
        List.of(CacheMode.REPL_SYNC, CacheMode.DIST_ASYNC, CacheMode.REPL_ASYNC)) {
      addAll(settings, mode, false, StorageType.HEAP_BINARY);
    }
    addAll(settings, CacheMode.DIST_SYNC, true, StorageType.HEAP_BINARY);
    for (CacheMode mode : List.of(CacheMode.INVALIDATION_SYNC, CacheMode.INVALIDATION_ASYNC)) {
      for (Cluster cluster : List.of(Cluster.ONE_MEMBER, Cluster.THREE_MEMBERS)) {
        settings.add(
            new CacheSetting(cluster, mode, false, StorageType.HEAP_BINARY, Viewpoint.FIRST));
      }
    }
    return settings;
  }

  /** All caches. */
  public static List<CacheSetting> all() {
    List<CacheSetting> settings = new ArrayList<>();
    for (StorageType storage : StorageType.values()) {
      settings.add(local(storage));
    }
    settings.addAll(clustered());
    settings.addAll(compressed());
    return settings;
  }

  /** Caches that compress their values. */
  private static List<CacheSetting> compressed() {
    return List.of(
        compressed(Cluster.NONE, CacheMode.LOCAL, StorageType.HEAP_BINARY, Viewpoint.FIRST),
        compressed(Cluster.NONE, CacheMode.LOCAL, StorageType.OFF_HEAP, Viewpoint.FIRST),
        compressed(
            Cluster.THREE_MEMBERS, CacheMode.DIST_SYNC, StorageType.OFF_HEAP, Viewpoint.PRIMARY),
        compressed(
            Cluster.THREE_MEMBERS,
            CacheMode.DIST_SYNC,
            StorageType.HEAP_BINARY,
            Viewpoint.NON_OWNER));
  }

  private static CacheSetting compressed(
      Cluster cluster, CacheMode mode, StorageType storage, Viewpoint viewpoint) {
    return new CacheSetting(cluster, mode, false, storage, Compression.DICTIONARY, viewpoint);
  }

  private static void addAll(
      List<CacheSetting> to, CacheMode mode, boolean isAvailable, StorageType storage) {
    to.add(new CacheSetting(Cluster.ONE_MEMBER, mode, isAvailable, storage, Viewpoint.FIRST));
    for (Viewpoint each : EnumSet.range(Viewpoint.PRIMARY, Viewpoint.NON_OWNER)) {
      to.add(new CacheSetting(Cluster.THREE_MEMBERS, mode, isAvailable, storage, each));
    }
  }

  /** The promises of this cache. */
  public Set<Promise> promises() {
    Set<Promise> promises = EnumSet.allOf(Promise.class);
    if (cluster != Cluster.NONE && !isInvalidating()) {
      promises.remove(Promise.COUNTS_REMOVE_EXPIRED);
    }
    if (cluster != Cluster.THREE_MEMBERS) {
      return promises;
    }
    if (isInvalidating()) {
      promises.remove(Promise.SHARES_ENTRIES);
      promises.remove(Promise.OUTLIVES_ITS_PRIMARY);
      promises.remove(Promise.EVICTS_EVERYWHERE);
      if (mode == CacheMode.INVALIDATION_ASYNC) {
        promises.remove(Promise.WRITES_ARE_SEEN_AT_ONCE);
      }
      return promises;
    }
    promises.remove(Promise.DECIDES_UNDER_THE_LOCK);
    promises.remove(Promise.READS_REMOVE_EXPIRED);
    promises.remove(Promise.EXPIRED_MAKE_ROOM);
    promises.remove(Promise.TELLS_BEFORE_IT_RETURNS);
    promises.remove(Promise.EVICTS_EVERYWHERE);
    if (mode == CacheMode.DIST_ASYNC || mode == CacheMode.REPL_ASYNC) {
      promises.remove(Promise.OUTLIVES_ITS_PRIMARY);
    }
    return promises;
  }

  /** Whether each node has entries of its own. */
  public boolean isInvalidating() {
    return mode == CacheMode.INVALIDATION_SYNC || mode == CacheMode.INVALIDATION_ASYNC;
  }

  /** Whether entries have owners among several nodes. */
  public boolean hasOwners() {
    return cluster == Cluster.THREE_MEMBERS && !isInvalidating();
  }

  /** The configuration of such a cache. */
  public CacheConfig config(CacheConfig.Builder rest) {
    return rest.mode(mode)
        .storage(storage)
        .compression(compression)
        .whenSplit(isAvailable ? WhenSplit.ALLOW_READ_WRITES : WhenSplit.DENY_READ_WRITES)
        .build();
  }

  /** Starts the nodes. */
  public SteppedGrids start() throws Exception {
    boolean isEverywhere = mode == CacheMode.REPL_SYNC || mode == CacheMode.REPL_ASYNC;
    return switch (cluster) {
      case NONE -> SteppedGrids.startAlone();
      case ONE_MEMBER -> SteppedGrids.start(1);
      // A node that keeps nothing, so that there is one without a copy.
      case THREE_MEMBERS -> SteppedGrids.start(1, 1, isEverywhere ? 0 : 1);
    };
  }

  @Override
  public String toString() {
    return "%s %s%s %s%s %s"
        .formatted(
            cluster,
            mode,
            isAvailable ? " available" : "",
            storage,
            compression == Compression.NONE ? "" : " compressed",
            viewpoint);
  }
}
