package dev.isogrid.jcache;

import dev.isogrid.jcache.EntryChanges.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries, and loads those that are missing.
 *
 * @param changes stores what is loaded, and notes accesses
 * @param locks are held while an entry is loaded
 * @param statistics counts hits and misses
 * @param loading null if the cache does not read through
 */
record EntryReads<K, V>(
    EntryChanges<K, V> changes,
    KeyLocks<K> locks,
    Statistics statistics,
    @Nullable Loading<K, V> loading) {
  @Nullable V get(K key) {
    StoredEntry<V> entry = changes.store().entry(key);
    statistics.read(entry != null);
    if (entry != null) {
      changes.access(key, entry);
      return entry.value();
    }
    return loading == null ? null : locks.locked(key, () -> load(key, loading));
  }

  private @Nullable V load(K key, Loading<K, V> used) {
    StoredEntry<V> other = changes.store().entry(key);
    if (other != null) {
      return other.value(); // another thread has loaded it
    }
    V loaded = used.load(key);
    return loaded == null ? null : addLoaded(key, loaded);
  }

  /** Stores a loaded value if there is none; returns the one that is there. */
  private V addLoaded(K key, V loaded) {
    return changes.retried(
        key,
        () -> {
          StoredEntry<V> present = changes.store().entry(key);
          if (present != null) {
            return present.value();
          }
          return changes.create(key, loaded) == Outcome.CONFLICT ? null : loaded;
        });
  }

  Map<K, V> getAll(Set<? extends K> keys) {
    Map<K, StoredEntry<V>> entries = changes.store().entries(keys);
    Map<K, V> found = new HashMap<>();
    Set<K> missing = new HashSet<>();
    for (K key : keys) {
      StoredEntry<V> entry = entries.get(key);
      statistics.read(entry != null);
      if (entry == null) {
        missing.add(key);
      } else {
        changes.access(key, entry);
        found.put(key, entry.value());
      }
    }
    if (loading != null && !missing.isEmpty()) {
      loading
          .loadAll(missing)
          .forEach((key, value) -> found.put(key, locks.locked(key, () -> addLoaded(key, value))));
    }
    return found;
  }

  boolean containsKey(K key) {
    return changes.store().entry(key) != null;
  }

  /** Loads entries, those that are present too if they are to be replaced. */
  void loadAll(Set<? extends K> keys, boolean replaceExisting) {
    if (loading == null) {
      return;
    }
    Set<K> wanted = new HashSet<>(keys);
    if (!replaceExisting) {
      wanted.removeIf(this::containsKey);
    }
    if (!wanted.isEmpty()) {
      loading.loadAll(wanted).forEach((key, value) -> addLoaded(key, value, replaceExisting));
    }
  }

  private void addLoaded(K key, V value, boolean replaceExisting) {
    locks.locked(
        key,
        () ->
            changes.retried(
                key,
                () -> {
                  StoredEntry<V> present = changes.store().entry(key);
                  if (present != null && !replaceExisting) {
                    return Outcome.DONE;
                  }
                  Outcome outcome = changes.set(key, present, value);
                  return outcome == Outcome.CONFLICT ? null : outcome;
                }));
  }
}
