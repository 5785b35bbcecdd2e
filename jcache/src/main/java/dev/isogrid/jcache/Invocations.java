package dev.isogrid.jcache;

import dev.isogrid.jcache.EntryChanges.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * Runs entry processors, in the caller's thread while the key's lock is held. A processor runs
 * again if another node, or a user of the cache underneath, changed the entry meanwhile.
 *
 * @param reads reads and loads
 * @param writing the writer, if there is one
 */
record Invocations<K, V>(EntryReads<K, V> reads, Writing<K, V> writing) {
  /** A processor's result, which may be null. */
  private record Result<T>(@Nullable T value) {}

  <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    return reads
        .locks()
        .locked(
            key,
            () ->
                reads
                    .changes()
                    .<Result<T>>retried(key, () -> attempt(key, processor, arguments))
                    .value());
  }

  private <T> @Nullable Result<T> attempt(
      K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    StoredEntry<V> stored = reads.changes().store().entry(key);
    ProcessorEntry<K, V> entry = new ProcessorEntry<>(key, stored, reads.loading());
    T result = run(() -> processor.process(entry, arguments));
    if (apply(entry, stored) == Outcome.CONFLICT) {
      return null;
    }
    reads.statistics().read(stored != null);
    return new Result<>(result);
  }

  private static <T> @Nullable T run(Supplier<@Nullable T> processing) {
    try {
      return processing.get();
    } catch (CacheException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException(e);
    }
  }

  private Outcome apply(ProcessorEntry<K, V> entry, @Nullable StoredEntry<V> stored) {
    EntryChanges<K, V> changes = reads.changes();
    K key = entry.getKey();
    return switch (entry.effect()) {
      case NONE -> Outcome.DONE;
      case ACCESS -> {
        changes.access(key, Objects.requireNonNull(stored));
        yield Outcome.DONE;
      }
      case LOAD -> changes.create(key, Objects.requireNonNull(entry.value()));
      case SET -> set(key, stored, Objects.requireNonNull(entry.value()));
      case REMOVE -> remove(key, stored);
    };
  }

  private Outcome set(K key, @Nullable StoredEntry<V> stored, V value) {
    writing.write(key, value);
    Outcome outcome = reads.changes().set(key, stored, value);
    reads.statistics().put(outcome == Outcome.DONE ? 1 : 0);
    return outcome;
  }

  private Outcome remove(K key, @Nullable StoredEntry<V> stored) {
    writing.delete(key);
    Outcome outcome = stored == null ? Outcome.OVER : reads.changes().remove(key, stored);
    reads.statistics().removed(outcome == Outcome.DONE ? 1 : 0);
    return outcome;
  }

  <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    Map<K, EntryProcessorResult<T>> results = new HashMap<>();
    for (K key : keys) {
      EntryProcessorResult<T> result = resultOf(() -> invoke(key, processor, arguments));
      if (result != null) {
        results.put(key, result);
      }
    }
    return results;
  }

  /** A result, or one that throws; null if the processor gave null. */
  private static <T> @Nullable EntryProcessorResult<T> resultOf(Supplier<@Nullable T> invocation) {
    try {
      T value = invocation.get();
      return value == null ? null : () -> value;
    } catch (CacheException e) {
      return () -> {
        throw e instanceof EntryProcessorException known ? known : new EntryProcessorException(e);
      };
    }
  }
}
