package dev.isogrid.node;

/**
 * A cache as JMX shows it. Getters are called as JMX wants it. Counts are -1 if the cache keeps no
 * statistics; sizes are in bytes, on this node. Reading the memory costs O(segments), all else
 * little.
 */
public interface CacheMXBean {
  /** The cache's name. */
  String getName();

  /** The mode of the cache in a cluster, such as {@code DIST_SYNC}. */
  String getMode();

  /** How entries are kept: {@code HEAP_OBJECT}, {@code HEAP_BINARY} or {@code OFF_HEAP}. */
  String getStorage();

  /** The most entries, or -1 if unlimited. */
  long getMaxCount();

  /** The most memory, or -1 if unlimited. */
  long getMaxSizeBytes();

  /** The effect of a write over the bound: {@code REMOVE} or {@code EXCEPTION}. */
  String getWhenFull();

  /** Entries on this node, those included whose expiry nobody noticed yet. */
  long getEntries();

  /** Reads that found an entry. */
  long getHits();

  /** Reads that found none. */
  long getMisses();

  /** Writes that stored a value. */
  long getStores();

  /** Removals that removed an entry. */
  long getRemoveHits();

  /** Removals that found none. */
  long getRemoveMisses();

  /** Entries that were dropped because their time was over. */
  long getExpirations();

  /** Entries that were dropped from memory to make room. */
  long getEvictions();

  /** Entries that were read from the store, since they were not in memory. */
  long getStoreLoads();

  /** Reads that found an entry neither in memory nor in the store. */
  long getStoreMisses();

  /** All memory of the entries and their index. */
  long getAllocatedBytes();

  /** The part of it that present entries take. */
  long getLiveBytes();

  /** The part of it that removed or replaced entries still take. */
  long getDeadBytes();

  /** The part of it that the index takes. */
  long getIndexBytes();

  /** Pages and separately kept large entries; 0 on the heap. */
  long getPages();

  /** The dictionaries that values are compressed with, about; not part of the others. */
  long getDictionaryBytes();

  /** Starts counting again from zero. */
  void resetStatistics();
}
