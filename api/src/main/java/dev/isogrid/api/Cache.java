package dev.isogrid.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent map whose entries can have a limited life and carry a version.
 *
 * <p>Thread-safe. Single-key operations are linearizable: each takes effect at one moment between
 * call and return. Bulk operations are not atomic as a whole: they act on each key, or with {@link
 * #putAll} on each segment, at a moment of its own. Parts for several nodes are under way at the
 * same time; if one fails, no more are begun. Null keys and values are refused with {@link
 * NullPointerException}. Operations on a cache that was removed, or whose grid is closed, throw
 * {@link FatalGridException}.
 *
 * <p>Functions passed to the compute operations run without a lock, one at a time per key and node.
 * They may take their time, and may read and write other keys of any cache; a write of the key that
 * they run for is refused with {@link IllegalStateException}. Other functions for the key wait for
 * their turn, and nothing else does, except:
 *
 * <ul>
 *   <li>In a cache of this node alone, plain writes of the key by users of the embedded API wait as
 *       well, so that a function is called once. If the entry changes in another way (it expires or
 *       is evicted, by {@link #clear} or {@link #putAll}, by a client of a server), the function is
 *       called again with the new state of the entry.
 *   <li>In a clustered cache plain writes don't wait, and a function is called again if the entry
 *       was written meanwhile. The function of {@code computeIfAbsent} runs here, one at a time per
 *       key on all nodes; see {@link LoadingCache} for the exceptions while nodes come and go, and
 *       in invalidation caches, whose nodes share no entries. Other functions that are {@link
 *       java.io.Serializable} run on the node that answers for the key, so these must be short; all
 *       others run here.
 * </ul>
 *
 * <p>In a cache of this node alone threads wait for a function without a limit, else as long as the
 * cluster's operation time-out. If two functions wait for each other's keys, one of them gets a
 * {@link RetryableGridException} that names both keys, at once in caches of one node, else after
 * the time-out. Waiting ends with {@link FatalGridException} when the grid is closed.
 *
 * <p>{@link #keySet}, {@link #values} and {@link #entrySet} are live views. Their iterators go
 * segment by segment, are weakly consistent, see every entry that is present throughout exactly
 * once, and support {@code remove}. They hold no resource that needs closing.
 *
 * <p>Unlike other maps a cache equals only itself, and its hash code and text don't depend on the
 * entries: there may be very many, and they change.
 *
 * @param <K> the type of the keys; {@code equals} and {@code hashCode} must suit a map where the
 *     cache keeps objects, equal bytes decide where it keeps bytes
 * @param <V> the type of the values
 */
public interface Cache<K, V> extends BasicCache<K, V>, AsyncCache<K, V> {
  /** The name. */
  @Override
  String name();

  /** The configuration. */
  CacheConfig config();

  /**
   * The entry of a key with its metadata, or null. Counts as a read: it postpones the end of an
   * entry with max idle.
   */
  @Nullable CacheEntry<K, V> getEntry(K key);

  /** The entries of these keys that are present, as a new map. One read per key. */
  @Override
  Map<K, V> getAll(Set<? extends K> keys);

  /**
   * Stores a value, in place of any other.
   *
   * @return the value before, or null if there was none
   */
  @Override
  @Nullable V put(K key, V value, Expiry expiry);

  /**
   * Stores each entry of a map. Atomic within each segment, up to 16 MiB or 65,536 entries of one:
   * a reader that has seen one of these entries finds the others too, and a failure leaves all or
   * none of them. Not atomic as a whole: the entries of another segment may be there before or
   * after, or not be stored.
   *
   * @throws GridException if some were not stored, or may not have been; it says how many
   */
  @Override
  void putAll(Map<? extends K, ? extends V> map, Expiry expiry);

  /**
   * Stores a value if there is none.
   *
   * @return the value that is there, or null if this one was stored
   */
  @Override
  @Nullable V putIfAbsent(K key, V value, Expiry expiry);

  /**
   * Stores a value if there is one already.
   *
   * @return the value before, or null if there was none and nothing was stored
   */
  @Override
  @Nullable V replace(K key, V value, Expiry expiry);

  /**
   * Stores a value if the current one equals another.
   *
   * @return whether it was stored
   */
  @Override
  boolean replace(K key, V oldValue, V newValue, Expiry expiry);

  /** As {@link #replaceIfVersion(Object, Object, long, Expiry)}, expiry as configured. */
  default boolean replaceIfVersion(K key, V value, long version) {
    return replaceIfVersion(key, value, version, Expiry.DEFAULT);
  }

  /**
   * Stores a value if the entry's version is still this one.
   *
   * @param version a version got from {@link #getEntry}
   * @return whether it was stored; false too if there is no entry
   */
  boolean replaceIfVersion(K key, V value, long version, Expiry expiry);

  /**
   * Removes an entry if its version is still this one.
   *
   * @return whether it was removed; false too if there is no entry
   */
  boolean removeIfVersion(K key, long version);

  /** As {@link ConcurrentMap#computeIfAbsent}, with an expiry for what is stored. */
  @Override
  @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping, Expiry expiry);

  /** As {@link ConcurrentMap#computeIfPresent}, with an expiry for what is stored. */
  @Override
  @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping, Expiry expiry);

  /** As {@link ConcurrentMap#compute}, with an expiry for what is stored. */
  @Override
  @Nullable V compute(
      K key,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
      Expiry expiry);

  /** As {@link ConcurrentMap#merge}, with an expiry for what is stored. */
  @Override
  @Nullable V merge(
      K key,
      V value,
      BiFunction<? super V, ? super V, ? extends @Nullable V> remapping,
      Expiry expiry);

  /**
   * A view that loads missing values, with {@link LoadingConfig#DEFAULT}. Keep one per cache and
   * node: it remembers what is being refreshed.
   */
  default LoadingCache<K, V> loading(CacheLoader<? super K, V> loader) {
    return loading(loader, LoadingConfig.DEFAULT);
  }

  /** A view that loads missing values. The loader stays on this node. */
  LoadingCache<K, V> loading(CacheLoader<? super K, V> loader, LoadingConfig config);

  /**
   * Runs code on an entry, which it may read and change. In a cluster it runs on the node that
   * answers for the entry; otherwise it runs here, like a function of {@link #compute}. Its changes
   * take effect once, at one moment, also if nodes fail meanwhile.
   *
   * @return the result of the code
   * @throws InvalidRequestException if the code can't be serialised in a clustered cache, naming
   *     what can't
   * @throws RuntimeException what the code throws, itself; if it was on another node, with a {@link
   *     NodeFailureNote}
   */
  <R> @Nullable R invoke(K key, EntryProcessor<? super K, V, ? extends @Nullable R> processor);

  /**
   * As {@link #invoke} for each of these keys, under way at the same time where entries are on
   * other nodes. If one fails, no more are begun.
   *
   * @return the result of the code for each key, without the keys for which it is null
   */
  <R> Map<K, R> invokeAll(
      Set<? extends K> keys, EntryProcessor<? super K, V, ? extends @Nullable R> processor);

  /**
   * As {@link #invoke} for every entry that a filter takes. The filter is called where the entries
   * are, and again at the moment of the change; the second answer counts. An entry that is there
   * from beginning to end is processed exactly once, also while nodes come, leave and fail; one
   * that is added meanwhile at most once. If one fails, no more are begun, and the earlier changes
   * stay. This node keeps the results and a few hundred keys in memory; values are not sent to it.
   *
   * @param filter called more than once for an entry; must not change anything
   * @return the result of the code for each key, without the keys for which it is null
   * @throws InvalidRequestException if filter or code can't be serialised in a clustered cache
   * @throws RetryableGridException if nodes don't answer in time; earlier entries were processed
   */
  <R> Map<K, R> invokeAll(
      EntryFilter<? super K, ? super V> filter,
      EntryProcessor<? super K, V, ? extends @Nullable R> processor);

  /**
   * The number of live entries, counted segment by segment. O(segments), and O(entries) of the
   * parts of segments in which something expired since it was last looked for, some seconds ago at
   * most.
   */
  long sizeLong();

  /** As {@link #sizeLong}, at most {@link Integer#MAX_VALUE}. */
  @Override
  int size();

  /** A live view of the keys; its streams are evaluated where the entries are. */
  @Override
  CacheSet<K> keySet();

  /** A live view of the values; its streams are evaluated where the entries are. */
  @Override
  CacheCollection<V> values();

  /** A live view of the entries; its streams are evaluated where the entries are. */
  @Override
  CacheSet<Map.Entry<K, V>> entrySet();

  /**
   * A stream over the entries as the bytes that the cache keeps: no object is made of a key or a
   * value, so filters, numbers and counts cost about as much as reading the memory. Elements are
   * valid only during the call of a function, so what elements are to be kept or compared for
   * ({@code distinct}, {@code sorted}, {@code limit}, {@code skip}, {@code takeWhile}, {@code
   * dropWhile}, {@code findAny}, {@code min}, {@code max}, iterators, lists) needs {@code map} or
   * another step that makes values of them first. Uses one thread of each node unless it is made
   * {@code parallel}.
   *
   * @throws InvalidRequestException if the cache keeps objects; and, from the stream's methods, if
   *     elements would have to be kept
   */
  CacheStream<EntryBytes> entryBytes();

  /** Removes every entry, segment by segment. A write that runs meanwhile may survive. */
  @Override
  void clear();

  /**
   * Registers a listener for the changes from now on: those of all nodes in a cache of a cluster,
   * but evictions of this node only. Events are delivered with {@link CacheListener.Delivery#SYNC}.
   *
   * @return the registration; close it to end the delivery
   */
  Subscription addListener(CacheListener<? super K, ? super V> listener);

  /**
   * Follows the changes of a cache with a file store, as far back as the store keeps them: each
   * put, removal, expiry and clear once, in the order of each key. A reader that was lost continues
   * from the token of the last change that it handled, also after a restart of the process. Changes
   * are read from the disk once they are forced, so a slow reader takes no memory and does not slow
   * writers. Evictions are left out, and so are changes of an entry's times alone.
   *
   * <p>Those of a clustered cache are read from the stores of its nodes, and a reader continues on
   * any of them, also after the whole cluster was restarted. An entry whose time was over when it
   * was written anew has no expiry there. Begins when a store of each segment was found.
   *
   * @param from the token of a change, {@link ChangeToken#EARLIEST} or {@link ChangeToken#LATEST}
   * @return the changes after it; must be closed
   * @throws ChangesGoneException if the store does not go back to the token, see {@link
   *     FileStore.Builder#retention}; or the token is of another cache
   * @throws InvalidRequestException if the cache has no file store, or is clustered and has more
   *     than 512 segments, or the token is not valid
   * @throws RetryableGridException if the nodes of a clustered cache don't answer in time
   */
  CacheChanges<K, V> changes(ChangeToken from);

  /** As {@link #addListener(CacheListener)}, with a choice of thread. */
  Subscription addListener(
      CacheListener<? super K, ? super V> listener, CacheListener.Delivery delivery);

  /** The memory of the cache on this node; O(segments). */
  MemoryUse memoryUse();

  /**
   * The memory of one segment on this node.
   *
   * @param segment 0 to the number of segments - 1
   */
  MemoryUse memoryUse(int segment);

  /** The pages of one segment on this node, in no order; empty if the cache is on the heap. */
  List<PageUse> pages(int segment);

  /** Returns the counts so far; all zero if statistics are off. */
  CacheStats stats();

  /** Starts counting again from zero. */
  void resetStats();

  /**
   * Returns the counts of the {@link CacheStore} on this node, whether statistics are on or off;
   * null if the cache has none.
   */
  @Nullable StoreStats storeStats();
}
