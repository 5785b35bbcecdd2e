package dev.isogrid.api;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache that answer by a future instead of blocking the caller.
 *
 * <p>Each has the meaning of the operation of {@link Cache} without {@code Async} in its name.
 * Failures complete the future exceptionally, null arguments are refused at once with {@link
 * NullPointerException}. Operations with a function run on a thread of the grid, never in the
 * caller's, as do writes of a key for which a function runs; with more than 10,000 of both at a
 * time in a cache the future fails with {@link RetryableGridException}. Others run in the caller's
 * thread where the entry is on this node, and the future is complete when they return; else it is
 * completed by a thread of the grid, so run slow work with an executor of your own. All are
 * thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface AsyncCache<K, V> extends BasicAsyncCache<K, V> {
  /** See {@link Cache#getEntry}. */
  CompletableFuture<@Nullable CacheEntry<K, V>> getEntryAsync(K key);

  /** See {@link Cache#replaceIfVersion(Object, Object, long)}. */
  CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version);

  /** See {@link Cache#removeIfVersion(Object, long)}. */
  CompletableFuture<Boolean> removeIfVersionAsync(K key, long version);

  /** See {@link Cache#invoke}. */
  <R> CompletableFuture<@Nullable R> invokeAsync(
      K key, EntryProcessor<? super K, V, ? extends @Nullable R> processor);

  /** See {@link Cache#invokeAll}. */
  <R> CompletableFuture<Map<K, R>> invokeAllAsync(
      Set<? extends K> keys, EntryProcessor<? super K, V, ? extends @Nullable R> processor);
}
