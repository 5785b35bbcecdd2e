package dev.isogrid.api;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations that caches of a grid and caches of a client have in common. A program that uses
 * only this interface runs on both: as part of the grid, or as client of its servers.
 *
 * <p>Thread-safe. Single-key operations are linearizable. Bulk operations are not atomic as a
 * whole: they act on each key, or on some keys together, at a moment of its own. Null keys and
 * values are refused with {@link NullPointerException}.
 *
 * <p><b>Times.</b> A positive lifespan or max idle is that time, 1 ms at least. A negative one
 * means no limit. 0 means the limit that the cache is configured with, as do methods without the
 * argument.
 *
 * <p><b>Previous values.</b> {@link #putIfAbsent}, {@link #replace(Object, Object)} and {@link
 * #remove(Object)} always return what was there. {@link #put(Object, Object)} does so in caches of
 * a grid; a client returns null instead unless it is told to fetch previous values, since they
 * cross the network.
 *
 * <p><b>Compute functions</b> run in the caller or on the node that answers for the key, and may be
 * called more than once. They may use other keys, and must not write the key that they run for.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface BasicCache<K, V> extends ConcurrentMap<K, V>, BasicAsyncCache<K, V> {
  /** The name. */
  String name();

  /** As {@link #name}, for users of other products' interfaces. */
  default String getName() {
    return name();
  }

  /** The entries of these keys that are present, as a new map. */
  Map<K, V> getAll(Set<? extends K> keys);

  // ---- put ------------------------------------------------------------------------------------

  /**
   * Stores a value, in place of any other.
   *
   * @return the value before, or null if there was none; see the class about clients
   */
  @Nullable V put(K key, V value, Expiry expiry);

  /** As {@link #put(Object, Object, Expiry)} with a lifespan; 0: default, negative: no limit. */
  default @Nullable V put(K key, V value, long lifespan, TimeUnit unit) {
    return put(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #put(Object, Object, long, TimeUnit)}, with max idle too. */
  // tidy: the order and number of parameters that users of such caches know
  default @Nullable V put(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return put(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /** As {@link #put(Object, Object, long, TimeUnit)}. */
  default @Nullable V put(K key, V value, Duration lifespan) {
    return put(key, value, Expiry.lifespan(lifespan));
  }

  /** As {@link #put(Object, Object, Duration)}, with max idle too. */
  default @Nullable V put(K key, V value, Duration lifespan, Duration maxIdle) {
    return put(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /** Stores each entry of a map; not atomic as a whole. */
  void putAll(Map<? extends K, ? extends V> map, Expiry expiry);

  /** As {@link #putAll(Map, Expiry)} with a lifespan; 0: default, negative: no limit. */
  default void putAll(Map<? extends K, ? extends V> map, long lifespan, TimeUnit unit) {
    putAll(map, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #putAll(Map, long, TimeUnit)}. */
  default void putAll(Map<? extends K, ? extends V> map, Duration lifespan) {
    putAll(map, Expiry.lifespan(lifespan));
  }

  // ---- putIfAbsent ----------------------------------------------------------------------------

  /**
   * Stores a value if there is none.
   *
   * @return the value that is there, or null if this one was stored
   */
  @Nullable V putIfAbsent(K key, V value, Expiry expiry);

  /** As {@link #putIfAbsent(Object, Object, Expiry)} with a lifespan; 0: default. */
  default @Nullable V putIfAbsent(K key, V value, long lifespan, TimeUnit unit) {
    return putIfAbsent(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #putIfAbsent(Object, Object, long, TimeUnit)}, with max idle too. */
  // tidy: the order and number of parameters that users of such caches know
  default @Nullable V putIfAbsent(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return putIfAbsent(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /** As {@link #putIfAbsent(Object, Object, long, TimeUnit)}. */
  default @Nullable V putIfAbsent(K key, V value, Duration lifespan) {
    return putIfAbsent(key, value, Expiry.lifespan(lifespan));
  }

  /** As {@link #putIfAbsent(Object, Object, Duration)}, with max idle too. */
  default @Nullable V putIfAbsent(K key, V value, Duration lifespan, Duration maxIdle) {
    return putIfAbsent(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  // ---- replace --------------------------------------------------------------------------------

  /*
   * There is no replace(key, value, Duration): for values that are Durations or Objects it could
   * not be told from replace(key, oldValue, newValue).
   */

  /**
   * Stores a value if there is one already.
   *
   * @return the value before, or null if there was none and nothing was stored
   */
  @Nullable V replace(K key, V value, Expiry expiry);

  /** As {@link #replace(Object, Object, Expiry)} with a lifespan; 0: default. */
  default @Nullable V replace(K key, V value, long lifespan, TimeUnit unit) {
    return replace(key, value, Expiry.lifespan(lifespan, unit));
  }

  /** As {@link #replace(Object, Object, long, TimeUnit)}, with max idle too. */
  // tidy: the order and number of parameters that users of such caches know
  default @Nullable V replace(
      K key, V value, long lifespan, TimeUnit lifespanUnit, long maxIdle, TimeUnit maxIdleUnit) {
    return replace(
        key, value, Expiry.lifespan(lifespan, lifespanUnit).withMaxIdle(maxIdle, maxIdleUnit));
  }

  /**
   * As {@link #replace(Object, Object, Expiry)}. For a lifespan alone give {@link
   * Expiry#lifespan(Duration)}.
   */
  default @Nullable V replace(K key, V value, Duration lifespan, Duration maxIdle) {
    return replace(key, value, Expiry.lifespan(lifespan).withMaxIdle(maxIdle));
  }

  /**
   * Stores a value if the current one equals another.
   *
   * @return whether it was stored
   */
  boolean replace(K key, V oldValue, V newValue, Expiry expiry);

  // ---- compute --------------------------------------------------------------------------------

  /** As {@link ConcurrentMap#computeIfAbsent}, with an expiry for what is stored. */
  @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping, Expiry expiry);

  /** As {@link ConcurrentMap#computeIfPresent}, with an expiry for what is stored. */
  @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping, Expiry expiry);

  /** As {@link ConcurrentMap#compute}, with an expiry for what is stored. */
  @Nullable V compute(
      K key,
      BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping,
      Expiry expiry);

  /** As {@link ConcurrentMap#merge}, with an expiry for what is stored. */
  @Nullable V merge(
      K key,
      V value,
      BiFunction<? super V, ? super V, ? extends @Nullable V> remapping,
      Expiry expiry);
}
