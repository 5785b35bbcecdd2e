package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;

/**
 * Writes many entries. With a writer the locks of all keys are held, so that cache and writer
 * agree; writes that failed in the writer are not done here either.
 *
 * @param writes writes single entries
 */
record BulkWrites<K, V>(EntryWrites<K, V> writes) {
  /**
   * The most removals that are under way to servers at the same time: enough to hide the way to
   * them, and few enough to hold the removed values in memory.
   */
  static final int REMOVALS_MAX = 64;

  void putAll(Map<? extends K, ? extends V> entries) {
    if (writes.writing().writer() == null) {
      setAll(entries);
      return;
    }
    writes
        .locks()
        .locked(
            entries.keySet(),
            () -> {
              List<Cache.Entry<? extends K, ? extends V>> all = new ArrayList<>();
              entries.forEach((key, value) -> all.add(new WrittenEntry<K, V>(key, value)));
              var rest = writes.writing().writeAll(all);
              Set<Object> undone = new HashSet<>();
              rest.undone().forEach(entry -> undone.add(entry.getKey()));
              entries.forEach((key, value) -> {
                if (!undone.contains(key)) {
                  writes.set(key, value);
                }
              });
              rest.throwFailure();
              return null;
            });
  }

  private void setAll(Map<? extends K, ? extends V> entries) {
    EntryChanges<K, V> changes = writes.changes();
    Expiry always = changes.expiries().constant();
    if (always != null && changes.listeners().isEmpty()) {
      changes.store().putAll(entries, always);
      writes.statistics().put(entries.size());
    } else {
      entries.forEach(writes::put);
    }
  }

  void removeAll(Collection<? extends K> keys) {
    if (writes.writing().writer() == null) {
      for (List<K> part : BulkWrites.<K>parts(keys)) {
        writes
            .locks()
            .locked(
                part,
                () -> {
                  drop(part);
                  return null;
                });
      }
      return;
    }
    writes
        .locks()
        .locked(
            keys,
            () -> {
              var rest = writes.writing().deleteAll(keys);
              Set<Object> undone = new HashSet<>(rest.undone());
              Set<K> deleted = new HashSet<>(keys);
              deleted.removeIf(undone::contains);
              parts(deleted).forEach(this::drop);
              rest.throwFailure();
              return null;
            });
  }

  private static <K> List<List<K>> parts(Collection<? extends K> keys) {
    List<K> all = new ArrayList<>(keys);
    List<List<K>> parts = new ArrayList<>();
    for (int start = 0; start < all.size(); start += REMOVALS_MAX) {
      parts.add(all.subList(start, Math.min(all.size(), start + REMOVALS_MAX)));
    }
    return parts;
  }

  /** Removes entries that the writer has deleted already, if there is one. */
  private void drop(List<K> keys) {
    EntryChanges<K, V> changes = writes.changes();
    changes
        .store()
        .removeAll(
            keys,
            (key, old) -> {
              writes.statistics().removed(1);
              changes.listeners().removed(key, old);
            });
  }
}
