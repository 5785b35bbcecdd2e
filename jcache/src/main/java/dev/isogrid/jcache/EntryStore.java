package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The cache of a grid or of a client that keeps the entries of a JCache. Thread-safe. Expired
 * entries are absent.
 */
interface EntryStore<K, V> {
  /** The entry of a key, or null. */
  @Nullable StoredEntry<V> entry(K key);

  /** The entries of those keys that have one. */
  default Map<K, StoredEntry<V>> entries(Set<? extends K> keys) {
    Map<K, StoredEntry<V>> found = new HashMap<>();
    for (K key : keys) {
      StoredEntry<V> entry = entry(key);
      if (entry != null) {
        found.put(key, entry);
      }
    }
    return found;
  }

  /** Stores a value, in place of any other. */
  void put(K key, V value, Expiry expiry);

  /** Stores values, in place of any others. */
  void putAll(Map<? extends K, ? extends V> entries, Expiry expiry);

  /** Stores a value if there is none, and returns whether it did. */
  boolean putIfAbsent(K key, V value, Expiry expiry);

  /** Stores a value if the entry still has a version, and returns whether it did. */
  boolean replaceIfVersion(K key, V value, long version, Expiry expiry);

  /**
   * Stores a value if the entry is still as it was read, and lets it live as long as that one would
   * have. Returns whether it did.
   */
  boolean replaceKeepingEnd(K key, V value, StoredEntry<V> old);

  /** Removes an entry if it still has a version, and returns whether it did. */
  boolean removeIfVersion(K key, long version);

  /**
   * Removes entries, whatever they are, and calls back with each that there was. After a failure,
   * of the callback too, it begins no more removals; those that were made are reported.
   *
   * @param keys few enough that the removals of all may be under way at the same time
   */
  void removeAll(Collection<? extends K> keys, BiConsumer<K, V> removed);

  /** Removes all entries. */
  void clear();

  /** The keys of all entries, weakly consistent. */
  Set<K> keys();

  /** The entries, weakly consistent. */
  Iterator<Map.Entry<K, V>> iterator();

  /**
   * Calls back with key and value of each entry whose time is over, when the cache notices it; with
   * null in place of a value that is not known.
   *
   * @return ends that
   */
  AutoCloseable onExpired(BiConsumer<K, @Nullable V> listener);

  /**
   * The number of entries that were evicted since the creation of the cache, as far as it is known.
   */
  long evictions();

  /** Copies an object to which this store would otherwise keep a reference. */
  Copier copier();

  /** The cache underneath: of a grid or of a client. */
  Object cache();
}
