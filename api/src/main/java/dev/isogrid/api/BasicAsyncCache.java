package dev.isogrid.api;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a {@link BasicCache} that answer by a future instead of blocking the caller.
 *
 * <p>Each has the meaning of the operation of {@link BasicCache} without {@code Async} in its name.
 * Failures complete the future exceptionally, null arguments are refused at once with {@link
 * NullPointerException}. Functions run on a thread of the grid or the client, never in the
 * caller's, and may take their time. The thread that completes a future must not be blocked: run
 * slow work with an executor of your own. All are thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface BasicAsyncCache<K, V> {
  /** See {@link BasicCache#get}. The future's value is null if there is no entry. */
  CompletableFuture<@Nullable V> getAsync(K key);

  /** See {@link BasicCache#getAll}. */
  CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys);

  /** See {@link BasicCache#containsKey}. */
  CompletableFuture<Boolean> containsKeyAsync(K key);

  /** See {@link BasicCache#put(Object, Object)}. */
  default CompletableFuture<@Nullable V> putAsync(K key, V value) {
    return putAsync(key, value, Expiry.DEFAULT);
  }

  /** See {@link BasicCache#put(Object, Object, Expiry)}. */
  CompletableFuture<@Nullable V> putAsync(K key, V value, Expiry expiry);

  /** See {@link BasicCache#put(Object, Object, long, TimeUnit)}. */
  default CompletableFuture<@Nullable V> putAsync(K key, V value, long lifespan, TimeUnit unit) {
    return putAsync(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** See {@link BasicCache#put(Object, Object, long, TimeUnit, long, TimeUnit)}. */
  // tidy: the order and number of parameters that users of such caches know
  default CompletableFuture<@Nullable V> putAsync(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return putAsync(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /** See {@link BasicCache#put(Object, Object, Duration)}. */
  default CompletableFuture<@Nullable V> putAsync(K key, V value, Duration lifespan) {
    return putAsync(key, value, Expiry.lifespan(lifespan));
  }

  /** See {@link BasicCache#put(Object, Object, Duration, Duration)}. */
  default CompletableFuture<@Nullable V> putAsync(
      K key, V value, Duration lifespan, Duration maxIdle) {
    return putAsync(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** See {@link BasicCache#putAll(Map)}. */
  default CompletableFuture<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map) {
    return putAllAsync(map, Expiry.DEFAULT);
  }

  /** See {@link BasicCache#putAll(Map, Expiry)}. */
  CompletableFuture<@Nullable Void> putAllAsync(Map<? extends K, ? extends V> map, Expiry expiry);

  /** See {@link BasicCache#putAll(Map, long, TimeUnit)}. */
  default CompletableFuture<@Nullable Void> putAllAsync(
      Map<? extends K, ? extends V> map, long lifespan, TimeUnit unit) {
    return putAllAsync(map, Expiry.lifespan(lifespan, unit));
  }

  /** See {@link BasicCache#putAll(Map, Duration)}. */
  default CompletableFuture<@Nullable Void> putAllAsync(
      Map<? extends K, ? extends V> map, Duration lifespan) {
    return putAllAsync(map, Expiry.lifespan(lifespan));
  }

  /** See {@link BasicCache#putIfAbsent(Object, Object)}. */
  default CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value) {
    return putIfAbsentAsync(key, value, Expiry.DEFAULT);
  }

  /** See {@link BasicCache#putIfAbsent(Object, Object, Expiry)}. */
  CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value, Expiry expiry);

  /** See {@link BasicCache#putIfAbsent(Object, Object, long, TimeUnit)}. */
  default CompletableFuture<@Nullable V> putIfAbsentAsync(
      K key, V value, long lifespan, TimeUnit unit) {
    return putIfAbsentAsync(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** See {@link BasicCache#putIfAbsent(Object, Object, long, TimeUnit, long, TimeUnit)}. */
  // tidy: the order and number of parameters that users of such caches know
  default CompletableFuture<@Nullable V> putIfAbsentAsync(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return putIfAbsentAsync(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /** See {@link BasicCache#putIfAbsent(Object, Object, Duration)}. */
  default CompletableFuture<@Nullable V> putIfAbsentAsync(K key, V value, Duration lifespan) {
    return putIfAbsentAsync(key, value, Expiry.lifespan(lifespan));
  }

  /** See {@link BasicCache#putIfAbsent(Object, Object, Duration, Duration)}. */
  default CompletableFuture<@Nullable V> putIfAbsentAsync(
      K key, V value, Duration lifespan, Duration maxIdle) {
    return putIfAbsentAsync(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** See {@link BasicCache#replace(Object, Object)}. */
  default CompletableFuture<@Nullable V> replaceAsync(K key, V value) {
    return replaceAsync(key, value, Expiry.DEFAULT);
  }

  /** See {@link BasicCache#replace(Object, Object, Expiry)}. */
  CompletableFuture<@Nullable V> replaceAsync(K key, V value, Expiry expiry);

  /** See {@link BasicCache#replace(Object, Object, long, TimeUnit)}. */
  default CompletableFuture<@Nullable V> replaceAsync(
      K key, V value, long lifespan, TimeUnit unit) {
    return replaceAsync(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** See {@link BasicCache#replace(Object, Object, long, TimeUnit, long, TimeUnit)}. */
  // tidy: the order and number of parameters that users of such caches know
  default CompletableFuture<@Nullable V> replaceAsync(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return replaceAsync(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /** See {@link BasicCache#replace(Object, Object, Duration, Duration)}. */
  default CompletableFuture<@Nullable V> replaceAsync(
      K key, V value, Duration lifespan, Duration maxIdle) {
    return replaceAsync(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** See {@link BasicCache#replace(Object, Object, Object)}. */
  CompletableFuture<Boolean> replaceAsync(K key, V oldValue, V newValue);

  /** See {@link BasicCache#remove(Object)}. */
  CompletableFuture<@Nullable V> removeAsync(K key);

  /** See {@link BasicCache#remove(Object, Object)}. */
  CompletableFuture<Boolean> removeAsync(K key, V value);

  /** See {@link BasicCache#computeIfAbsent(Object, Function)}. */
  CompletableFuture<@Nullable V> computeIfAbsentAsync(
      K key, Function<? super K, ? extends @Nullable V> mapping);

  /** See {@link BasicCache#computeIfPresent(Object, BiFunction)}. */
  CompletableFuture<@Nullable V> computeIfPresentAsync(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping);

  /** See {@link BasicCache#compute(Object, BiFunction)}. */
  CompletableFuture<@Nullable V> computeAsync(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping);

  /** See {@link BasicCache#merge(Object, Object, BiFunction)}. */
  CompletableFuture<@Nullable V> mergeAsync(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping);

  /** See {@link BasicCache#clear}. */
  CompletableFuture<@Nullable Void> clearAsync();

  /** See {@link BasicCache#size}; a number of any size. */
  CompletableFuture<Long> sizeAsync();
}
