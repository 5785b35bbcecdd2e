package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.Expiry;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous operations of a cache that is all on this node: each runs in the caller's
 * thread, and its future is complete when it returns.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
abstract class CallerRunsCache<K, V> implements Cache<K, V> {
  /** Runs an operation, unless one of its arguments is null. */
  private static <R extends @Nullable Object> CompletableFuture<R> future(
      Supplier<R> operation, Object... arguments) {
    for (Object argument : arguments) {
      Objects.requireNonNull(argument);
    }
    try {
      return CompletableFuture.completedFuture(operation.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletableFuture<@Nullable V> getAsync(K key) {
    return future(() -> get(key), key);
  }

  @Override
  public CompletableFuture<@Nullable CacheEntry<K, V>> getEntryAsync(K key) {
    return future(() -> getEntry(key), key);
  }

  @Override
  public CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys) {
    return future(() -> getAll(keys), keys);
  }

  @Override
  public CompletableFuture<Boolean> containsKeyAsync(K key) {
    return future(() -> containsKey(key), key);
  }

  @Override
  public CompletableFuture<@Nullable V> putAsync(K key, V value, Expiry expiry) {
    return future(() -> put(key, value, expiry), key, value, expiry);
  }

  @Override
  public CompletableFuture<@Nullable Void> putAllAsync(
      Map<? extends K, ? extends V> map, Expiry expiry) {
    return future(
        () -> {
          putAll(map, expiry);
          return null;
        },
        map,
        expiry);
  }

  @Override
  public CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value, Expiry expiry) {
    return future(() -> putIfAbsent(key, value, expiry), key, value, expiry);
  }

  @Override
  public CompletableFuture<@Nullable V> replaceAsync(K key, V value, Expiry expiry) {
    return future(() -> replace(key, value, expiry), key, value, expiry);
  }

  @Override
  public CompletableFuture<Boolean> replaceAsync(K key, V oldValue, V newValue) {
    return future(() -> replace(key, oldValue, newValue), key, oldValue, newValue);
  }

  @Override
  public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version) {
    return future(() -> replaceIfVersion(key, value, version), key, value);
  }

  @Override
  public CompletableFuture<@Nullable V> removeAsync(K key) {
    return future(() -> remove(key), key);
  }

  @Override
  public CompletableFuture<Boolean> removeAsync(K key, V value) {
    return future(() -> remove(key, value), key, value);
  }

  @Override
  public CompletableFuture<Boolean> removeIfVersionAsync(K key, long version) {
    return future(() -> removeIfVersion(key, version), key);
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfAbsentAsync(
      K key, Function<? super K, ? extends @Nullable V> mapping) {
    return future(() -> computeIfAbsent(key, mapping), key, mapping);
  }

  @Override
  public CompletableFuture<@Nullable V> computeIfPresentAsync(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    return future(() -> computeIfPresent(key, remapping), key, remapping);
  }

  @Override
  public CompletableFuture<@Nullable V> computeAsync(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    return future(() -> compute(key, remapping), key, remapping);
  }

  @Override
  public CompletableFuture<@Nullable V> mergeAsync(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    return future(() -> merge(key, value, remapping), key, value, remapping);
  }

  @Override
  public CompletableFuture<@Nullable Void> clearAsync() {
    return future(() -> {
      clear();
      return null;
    });
  }

  @Override
  public CompletableFuture<Long> sizeAsync() {
    return future(this::sizeLong);
  }
}
