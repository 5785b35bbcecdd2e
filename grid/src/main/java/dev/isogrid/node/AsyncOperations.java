package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.Expiry;
import dev.isogrid.base.Scheduler;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous operations of a cache. One that needs not wait for other nodes and calls no
 * function runs in the caller's thread, and its future is complete when it returns; others run on a
 * thread of their own.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
abstract class AsyncOperations<K, V> implements Cache<K, V> {
  private final Futures near;
  private final Futures far;
  private final Futures functions;

  /**
   * For a cache.
   *
   * @param scheduler runs what may have to wait for other nodes
   * @param isClustered whether there may be such operations
   */
  AsyncOperations(Scheduler scheduler, boolean isClustered) {
    this.near = new Futures(scheduler, false);
    this.far = new Futures(scheduler, isClustered);
    this.functions = new Futures(scheduler, true);
  }

  /**
   * Runs an operation that calls functions for some keys, on a thread of the grid. A function that
   * runs for one of them could wait for the other thread, which would wait for the function, so it
   * is refused.
   */
  <R extends @Nullable Object> CompletableFuture<R> function(
      Supplier<R> operation, Iterable<? extends K> keys) {
    return unlessRefused(
        () -> keys.forEach(this::refuseRecursion), () -> functions.ofBounded(name(), operation));
  }

  private static <R extends @Nullable Object> CompletableFuture<R> unlessRefused(
      Runnable check, Supplier<CompletableFuture<R>> begin) {
    try {
      check.run();
    } catch (RuntimeException refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
    return begin.get();
  }

  /**
   * Refuses a write of a key by a function that runs for it in this thread.
   *
   * @throws IllegalStateException if there is one
   */
  abstract void refuseRecursion(Object key);

  /** As {@link #refuseRecursion}, for writes of all keys. */
  abstract void refuseRecursionOfAll();

  /** Whether an operation on a key may have to wait for other nodes. */
  abstract boolean mayWait(Object key, boolean isRead);

  /** Whether a write of a key would wait now for a function that another thread runs. */
  abstract boolean isInFlight(Object key);

  /** Runs an operation on the first of its arguments, unless one of them is null. */
  private <R extends @Nullable Object> CompletableFuture<R> read(Supplier<R> operation, K key) {
    return of(operation, Objects.requireNonNull(key, "key"), true);
  }

  private <R extends @Nullable Object> CompletableFuture<R> write(Supplier<R> operation, K key) {
    return of(operation, Objects.requireNonNull(key, "key"), false);
  }

  private <R extends @Nullable Object> CompletableFuture<R> of(
      Supplier<R> operation, Object key, boolean isRead) {
    boolean mayWait;
    try {
      if (!isRead) {
        refuseRecursion(key);
      }
      mayWait = mayWait(key, isRead);
      if (!isRead && !mayWait && isInFlight(key)) {
        return functions.ofBounded(name(), operation);
      }
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
    return (mayWait ? far : near).of(operation);
  }

  @Override
  public CompletableFuture<@Nullable V> getAsync(K key) {
    return read(() -> get(key), key);
  }

  @Override
  public CompletableFuture<@Nullable CacheEntry<K, V>> getEntryAsync(K key) {
    return read(() -> getEntry(key), key);
  }

  @Override
  public CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys) {
    Objects.requireNonNull(keys, "keys");
    return far.of(() -> getAll(keys));
  }

  @Override
  public CompletableFuture<Boolean> containsKeyAsync(K key) {
    return read(() -> containsKey(key), key);
  }

  @Override
  public CompletableFuture<@Nullable V> putAsync(K key, V value, Expiry expiry) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(expiry, "expiry");
    return write(() -> put(key, value, expiry), key);
  }

  @Override
  public CompletableFuture<@Nullable Void> putAllAsync(
      Map<? extends K, ? extends V> map, Expiry expiry) {
    Objects.requireNonNull(map, "map");
    Objects.requireNonNull(expiry, "expiry");
    return unlessRefused(
        () -> map.keySet().forEach(this::refuseRecursion),
        () -> far.ofVoid(() -> putAll(map, expiry)));
  }

  @Override
  public CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value, Expiry expiry) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(expiry, "expiry");
    return write(() -> putIfAbsent(key, value, expiry), key);
  }

  @Override
  public CompletableFuture<@Nullable V> replaceAsync(K key, V value, Expiry expiry) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(expiry, "expiry");
    return write(() -> replace(key, value, expiry), key);
  }

  @Override
  public CompletableFuture<Boolean> replaceAsync(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return write(() -> replace(key, oldValue, newValue), key);
  }

  @Override
  public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version) {
    Objects.requireNonNull(value, "value");
    return write(() -> replaceIfVersion(key, value, version), key);
  }

  @Override
  public CompletableFuture<@Nullable V> removeAsync(K key) {
    return write(() -> remove(key), key);
  }

  @Override
  public CompletableFuture<Boolean> removeAsync(K key, V value) {
    Objects.requireNonNull(value, "value");
    return write(() -> remove(key, value), key);
  }

  @Override
  public CompletableFuture<Boolean> removeIfVersionAsync(K key, long version) {
    return write(() -> removeIfVersion(key, version), key);
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfAbsentAsync(
      K key, Function<? super K, ? extends @Nullable V> mapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(mapping, "mapping");
    return function(() -> computeIfAbsent(key, mapping), Set.of(key));
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfPresentAsync(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(remapping, "remapping");
    return function(() -> computeIfPresent(key, remapping), Set.of(key));
  }

  @Override
  public CompletableFuture<@Nullable V> computeAsync(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(remapping, "remapping");
    return function(() -> compute(key, remapping), Set.of(key));
  }

  @Override
  public CompletableFuture<@Nullable V> mergeAsync(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remapping, "remapping");
    return function(() -> merge(key, value, remapping), Set.of(key));
  }

  @Override
  public <R> CompletableFuture<@Nullable R> invokeAsync(
      K key, EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(processor, "processor");
    return function(() -> invoke(key, processor), Set.of(key));
  }

  @Override
  public <R> CompletableFuture<Map<K, R>> invokeAllAsync(
      Set<? extends K> keys, EntryProcessor<? super K, V, ? extends @Nullable R> processor) {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(processor, "processor");
    return function(() -> invokeAll(keys, processor), keys);
  }

  @Override
  public CompletableFuture<@Nullable Void> clearAsync() {
    return unlessRefused(this::refuseRecursionOfAll, () -> far.ofVoid(this::clear));
  }

  @Override
  public CompletableFuture<Long> sizeAsync() {
    return far.of(this::sizeLong);
  }
}
