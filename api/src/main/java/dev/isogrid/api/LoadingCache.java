package dev.isogrid.api;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache whose missing values are loaded when they are asked for; see {@link Cache#loading}. The
 * entries are those of the {@link #cache}, which has everything else, and loads nothing.
 *
 * <p>A key is loaded by one thread at a time, on all nodes that share the cache. Others that ask
 * for it meanwhile wait for the value. If a load fails, or finds nothing, those that wait for it in
 * {@link #get} of this object get the same failure, or null; others load in turn. In a clustered
 * cache they wait as long as the cluster's operation time-out at most, and get a {@link
 * RetryableGridException} then; if the loading node leaves, another one takes over. While nodes
 * come and go, and on both sides of a split, two nodes may load a key at the same time; the first
 * value stays. The nodes of an invalidation cache share no entries, so each loads.
 *
 * <p>What a loader throws is thrown to the caller: unchecked exceptions as they are, others as the
 * cause of a {@link java.util.concurrent.CompletionException}. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface LoadingCache<K, V> {
  /** The cache that keeps the entries. */
  Cache<K, V> cache();

  /**
   * The value of a key, loaded if there is none.
   *
   * @return the value, or null if the loader finds none
   */
  @Nullable V get(K key);

  /** The value of a key if it is there, else null; loads nothing. */
  @Nullable V getIfPresent(K key);

  /**
   * The values of these keys; those that are missing are loaded by one {@link CacheLoader#loadAll},
   * except those that other threads load already. Refreshes nothing.
   *
   * @return a new map, without keys for which the loader finds nothing
   */
  Map<K, V> getAll(Set<? extends K> keys);

  /** As {@link #get}, on a thread of the grid. */
  CompletableFuture<@Nullable V> getAsync(K key);

  /** As {@link #getAll}, on a thread of the grid. */
  CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys);

  /**
   * Loads the value of a key anew, on a thread of the grid; the old one is there meanwhile. If the
   * entry is written or removed meanwhile, that counts, and what was loaded is dropped. Calls for a
   * key that is being refreshed on this node share the refresh.
   *
   * @return the new value, or null if there is none; if another node refreshes the key already, the
   *     value that is there
   */
  CompletableFuture<@Nullable V> refresh(K key);

  /** Stores a value, in place of any other. */
  void put(K key, V value);

  /** Removes the entry of a key, and forgets that there was nothing to load. */
  void invalidate(K key);
}
