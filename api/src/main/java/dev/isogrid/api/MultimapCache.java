package dev.isogrid.api;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache in which a key has any number of values.
 *
 * {@snippet :
 * MultimapCache<String, String> tags = grid.multimap("tags");
 * tags.put("post-1", "java");
 * tags.put("post-1", "grid");
 * Collection<String> ofPost = tags.get("post-1");
 * }
 *
 * <p>Thread-safe. All values of a key are one entry of an ordinary cache: operations on one key are
 * linearizable, the entry has one owner, one life and one place in the eviction, and each change
 * costs time in proportion to the key's values, which may take 10 MiB together. Operations on all
 * keys are a series of single-key ones. Two values are equal if their bytes are. Null is refused
 * with {@link NullPointerException}. Failures are those of {@link Cache}.
 *
 * <p>A multimap with duplicates holds a value of a key as often as it is put, one without them once
 * at most. If it is used without duplicates, equal values of a key that are there already count as
 * one.
 *
 * <p>Operations with {@code Async} in their names return a future, as those of {@link AsyncCache}
 * do.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface MultimapCache<K, V> {
  /** The name of the cache that the entries are in. */
  String name();

  /** Whether a key can have equal values. */
  boolean supportsDuplicates();

  /**
   * Adds a value to those of a key, as the last one. Without duplicates nothing changes if it is
   * one of them.
   *
   * @throws InvalidRequestException if the values of the key would be too large
   */
  void put(K key, V value);

  /** The values of a key in the order in which they were put, as a new collection; maybe empty. */
  Collection<V> get(K key);

  /**
   * Removes all values of a key.
   *
   * @return whether there were any
   */
  boolean remove(K key);

  /**
   * Removes a value of a key, with its duplicates.
   *
   * @return whether the key had it
   */
  boolean remove(K key, V value);

  /** Whether a key has values. */
  boolean containsKey(K key);

  /** Whether a key has a value. */
  boolean containsEntry(K key, V value);

  /** Whether some key has a value. Looks through all entries. */
  boolean containsValue(V value);

  /** The number of values of all keys. Looks through all entries. */
  long size();

  /** See {@link #put}. */
  CompletableFuture<@Nullable Void> putAsync(K key, V value);

  /** See {@link #get}. */
  CompletableFuture<Collection<V>> getAsync(K key);

  /** See {@link #remove(Object)}. */
  CompletableFuture<Boolean> removeAsync(K key);

  /** See {@link #remove(Object, Object)}. */
  CompletableFuture<Boolean> removeAsync(K key, V value);

  /** See {@link #containsKey}. */
  CompletableFuture<Boolean> containsKeyAsync(K key);

  /** See {@link #containsEntry}. */
  CompletableFuture<Boolean> containsEntryAsync(K key, V value);

  /** See {@link #containsValue}. */
  CompletableFuture<Boolean> containsValueAsync(V value);

  /** See {@link #size}. */
  CompletableFuture<Long> sizeAsync();
}
