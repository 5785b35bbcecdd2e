package dev.isogrid.client;

import dev.isogrid.api.Expiry;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes of an entry that depend on its value: reads the entry, and writes the new value if its
 * version is still the same; otherwise tries again, after a growing pause. For one thread.
 *
 * <p>A near copy may be outdated. Where that value only feeds a write it does no harm, since the
 * server refuses its version; an answer that nothing was written comes from the server.
 */
final class OptimisticChange<K, V> {
  /** The first conflicts are most likely with one writer, that is done by now. */
  private static final int TRIES_WITHOUT_PAUSE = 3;

  /** The longest pause is 2 to the power of this, in ms: several round trips. */
  private static final int PAUSE_SHIFT_MAX = 5;

  private final HotRodCache<K, V> cache;
  private final String operation;
  private final Expiry expiry;

  OptimisticChange(HotRodCache<K, V> cache, String operation, Expiry expiry) {
    this.cache = cache;
    this.operation = operation;
    this.expiry = expiry;
  }

  /** One try: reads, calculates, and writes if the entry has not changed since. */
  private interface Attempt<R> {
    /** The result, or null if another one wrote meanwhile. */
    @Nullable R make();
  }

  /** A value or its absence, as the result of a try that took effect. */
  private record Outcome<V>(@Nullable V value) {}

  private <R> R repeated(Attempt<R> attempt) {
    for (int tries = 1; tries <= RemoteCache.CHANGE_TRIES_MAX; tries++) {
      R result = attempt.make();
      if (result != null) {
        return result;
      }
      pause(tries);
    }
    throw new HotRodClientException(
        "entry was changed by others at each try: cache=%s, operation=%s, tries=%d; let fewer"
                .formatted(cache.getName(), operation, RemoteCache.CHANGE_TRIES_MAX)
            + " writers use the key, or use a counter or a task of the servers");
  }

  private static void pause(int tries) {
    if (tries <= TRIES_WITHOUT_PAUSE) {
      return;
    }
    int shift = Math.min(tries - TRIES_WITHOUT_PAUSE, PAUSE_SHIFT_MAX);
    long nanosMax = TimeUnit.MILLISECONDS.toNanos(1L << shift);
    LockSupport.parkNanos(1 + ThreadLocalRandom.current().nextLong(nanosMax));
    if (Thread.currentThread().isInterrupted()) {
      throw new HotRodClientException("interrupted between tries to change an entry");
    }
  }

  private boolean store(K key, V value, @Nullable MetadataValue<V> before) {
    return before == null
        ? cache.putIfAbsent(key, value, expiry) == null
        : cache.replaceWithVersion(key, value, before.version(), expiry);
  }

  boolean replaceIfEqual(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return repeated(() -> {
      MetadataValue<V> found = cache.readAtServer(key);
      if (found == null || !cache.isEqual(oldValue, found.value())) {
        return false;
      }
      return store(key, newValue, found) ? true : null;
    });
  }

  boolean removeIfEqual(K key, Object value) {
    return repeated(() -> {
      MetadataValue<V> found = cache.readAtServer(key);
      if (found == null || !cache.isEqual(value, found.value())) {
        return false;
      }
      return cache.removeWithVersion(key, found.version()) ? true : null;
    });
  }

  @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
    Objects.requireNonNull(mapping, "mapping");
    V present = cache.get(key);
    if (present != null) {
      return present;
    }
    V made = mapping.apply(key);
    if (made == null) {
      return null;
    }
    V earlier = cache.putIfAbsent(key, made, expiry);
    return earlier == null ? made : earlier;
  }

  @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(remapping, "remapping");
    return repeated(
            () -> {
              MetadataValue<V> found = cache.getWithMetadata(key);
              if (found == null) {
                return new Outcome<V>(null);
              }
              return written(key, found, remapping.apply(key, found.value()));
            })
        .value();
  }

  @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(remapping, "remapping");
    return repeated(
            () -> {
              MetadataValue<V> found = cache.getWithMetadata(key);
              return written(
                  key, found, remapping.apply(key, found == null ? null : found.value()));
            })
        .value();
  }

  @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remapping, "remapping");
    return repeated(
            () -> {
              MetadataValue<V> found = cache.getWithMetadata(key);
              V merged = found == null ? value : remapping.apply(found.value(), value);
              return written(key, found, merged);
            })
        .value();
  }

  /** Stores a value, or removes the entry for null; null if another one wrote meanwhile. */
  private @Nullable Outcome<V> written(
      K key, @Nullable MetadataValue<V> before, @Nullable V after) {
    boolean isDone;
    if (after != null) {
      isDone = store(key, after, before);
    } else {
      isDone = before == null || cache.removeWithVersion(key, before.version());
    }
    return isDone ? new Outcome<>(after) : null;
  }
}
