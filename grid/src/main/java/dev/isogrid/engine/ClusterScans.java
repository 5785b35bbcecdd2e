package dev.isogrid.engine;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.BitSet;

/**
 * Scans of all entries of a cache of a cluster, each segment at the node that answers for it.
 * Thread-safe.
 */
public interface ClusterScans {
  /**
   * The number of live entries.
   *
   * @throws dev.isogrid.api.RetryableGridException if nodes don't answer in time
   */
  long size(CacheEngine<BinaryKey, Bytes> engine);

  /**
   * Begins a walk.
   *
   * @param segments the wanted ones; taken
   * @param withValues whether values are shown; empty ones if not
   */
  EntryWalk<BinaryKey, Bytes> walk(
      CacheEngine<BinaryKey, Bytes> engine, BitSet segments, boolean withValues);
}
