package dev.isogrid.api;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a cache outside of the grid, such as in a database. A cache with a store
 * reads entries from it that are not in memory, and writes its changes to it; see {@link
 * StoreConfig}.
 *
 * <p>The grid calls a store from threads that may wait, never from an event loop and never with a
 * lock held. Methods may block. They are called by many threads at the same time, but one at a time
 * writes, deletes or loads an entry of a key. They must not use the cache of the store.
 *
 * <p>A store that throws has failed: the operation that needed it fails with the reason, or is
 * repeated if the cache writes behind. Writes and deletes may be repeated, also after a restart of
 * the process, so doing one twice must have the same result as doing it once.
 *
 * <p>In a cluster each node has a store of its own to the same entries. If it is named by its
 * class, the class is public and has a public constructor without parameters.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface CacheStore<K, V> {
  /**
   * Prepares the store. Called once, before all other methods.
   *
   * @throws Exception if the store can't be used; the cache is not created then
   */
  default void open(StoreContext context) throws Exception {}

  /**
   * Loads the entry of a key.
   *
   * @return the entry, or null if there is none; one that is expired counts as none
   */
  @Nullable StoreEntry<K, V> load(K key) throws Exception;

  /**
   * Loads the entries of several keys. If not overridden, loads one after the other.
   *
   * @param keys different ones, 1,000 at most
   * @param found gets the entries that there are, in any order, during the call
   */
  default void loadAll(List<K> keys, Consumer<StoreEntry<K, V>> found) throws Exception {
    for (K key : keys) {
      StoreEntry<K, V> entry = load(key);
      if (entry != null) {
        found.accept(entry);
      }
    }
  }

  /**
   * Writes entries, each in the place of what there was for its key.
   *
   * @param batch of different keys, 1 or more; with a single thread's operation exactly 1
   * @throws Exception if an entry was not written; others of the batch may have been
   */
  void write(List<StoreEntry<K, V>> batch) throws Exception;

  /**
   * Deletes the entries of some keys. A key without an entry is no failure.
   *
   * @param keys different ones, 1 or more
   * @throws Exception if an entry was not deleted; others may have been
   */
  void delete(List<K> keys) throws Exception;

  /**
   * Shows all entries of some segments, in any order. For {@link StoreConfig#isPreloaded}; entries
   * written meanwhile may be shown or not.
   *
   * @param segments the wanted ones; a store that knows no segments may show all entries
   * @param target gets each entry, by the calling thread during the call
   */
  void publish(IntPredicate segments, Consumer<StoreEntry<K, V>> target) throws Exception;

  /**
   * Deletes what is expired, now and then. If not overridden, does nothing; then expired entries
   * stay, and are not seen.
   */
  default void deleteExpired(long nowMillis) throws Exception {}

  /** Deletes all entries. */
  void clear() throws Exception;

  /** Ends the store: no method is called afterwards. */
  default void close() throws Exception {}
}
