package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import dev.isogrid.jcache.EntryChanges.Outcome;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes single entries: the writer first, so that a failure of it changes nothing here.
 *
 * @param changes makes the changes
 * @param locks are held for the length of an operation
 * @param statistics counts
 * @param writing the writer, if there is one
 */
record EntryWrites<K, V>(
    EntryChanges<K, V> changes, KeyLocks<K> locks, Statistics statistics, Writing<K, V> writing) {
  /** An entry before an operation, and whether the operation changed something. */
  private record Written<V>(@Nullable StoredEntry<V> old, boolean isChanged) {
    @Nullable V oldValue() {
      return old == null ? null : old.value();
    }
  }

  void put(K key, V value) {
    locks.locked(
        key,
        () -> {
          writing.write(key, value);
          set(key, value);
          return null;
        });
  }

  @Nullable V getAndPut(K key, V value) {
    return locks.locked(
        key,
        () -> {
          writing.write(key, value);
          Written<V> written = setReading(key, value);
          statistics.read(written.old != null);
          return written.oldValue();
        });
  }

  /** Stores a value that the writer has already. */
  void set(K key, V value) {
    Expiry always = changes.expiries().constant();
    if (always != null && changes.listeners().isEmpty()) {
      changes.store().put(key, value, always);
      statistics.put(1);
    } else {
      setReading(key, value);
    }
  }

  private Written<V> setReading(K key, V value) {
    return changes.retried(
        key,
        () -> {
          StoredEntry<V> old = changes.store().entry(key);
          return putWritten(old, changes.set(key, old, value));
        });
  }

  private @Nullable Written<V> putWritten(@Nullable StoredEntry<V> old, Outcome outcome) {
    if (outcome == Outcome.CONFLICT) {
      return null;
    }
    statistics.put(outcome == Outcome.DONE ? 1 : 0);
    return new Written<>(old, true);
  }

  boolean putIfAbsent(K key, V value) {
    return locks.locked(
        key,
        () ->
            changes.retried(
                    key,
                    () -> {
                      StoredEntry<V> old = changes.store().entry(key);
                      if (old == null) {
                        writing.write(key, value);
                      }
                      Written<V> written =
                          old == null
                              ? putWritten(null, changes.create(key, value))
                              : new Written<>(old, false);
                      return counted(written);
                    })
                .isChanged);
  }

  private @Nullable Written<V> counted(@Nullable Written<V> written) {
    if (written != null) {
      statistics.read(written.old != null);
    }
    return written;
  }

  boolean replace(K key, V value) {
    return replaceIf(key, value, old -> true).isChanged;
  }

  boolean replace(K key, V oldValue, V value) {
    return replaceIf(key, value, old -> Objects.deepEquals(oldValue, old)).isChanged;
  }

  @Nullable V getAndReplace(K key, V value) {
    return replaceIf(key, value, old -> true).oldValue();
  }

  private Written<V> replaceIf(K key, V value, Predicate<V> condition) {
    return locks.locked(
        key,
        () ->
            changes.retried(
                key,
                () -> {
                  StoredEntry<V> old = changes.store().entry(key);
                  if (old == null || !condition.test(old.value())) {
                    return counted(unchanged(key, old));
                  }
                  writing.write(key, value);
                  return counted(putWritten(old, changes.update(key, old, value)));
                }));
  }

  /** An entry was read, and is not as the caller wants it. */
  private Written<V> unchanged(K key, @Nullable StoredEntry<V> old) {
    if (old != null) {
      changes.access(key, old);
    }
    return new Written<>(old, false);
  }

  boolean remove(K key) {
    return removeAlways(key).isChanged;
  }

  @Nullable V getAndRemove(K key) {
    Written<V> written = removeAlways(key);
    statistics.read(written.old != null);
    return written.oldValue();
  }

  private Written<V> removeAlways(K key) {
    return locks.locked(
        key,
        () -> {
          writing.delete(key);
          return removePresent(key);
        });
  }

  private Written<V> removePresent(K key) {
    return changes.retried(
        key,
        () -> {
          StoredEntry<V> old = changes.store().entry(key);
          return old == null ? new Written<V>(null, false) : removed(key, old);
        });
  }

  private @Nullable Written<V> removed(K key, StoredEntry<V> old) {
    if (changes.remove(key, old) == Outcome.CONFLICT) {
      return null;
    }
    statistics.removed(1);
    return new Written<>(old, true);
  }

  boolean remove(K key, V oldValue) {
    return locks.locked(
        key,
        () ->
            changes.retried(
                    key,
                    () -> {
                      StoredEntry<V> old = changes.store().entry(key);
                      if (old == null || !Objects.deepEquals(oldValue, old.value())) {
                        return counted(unchanged(key, old));
                      }
                      writing.delete(key);
                      return counted(removed(key, old));
                    })
                .isChanged);
  }
}
