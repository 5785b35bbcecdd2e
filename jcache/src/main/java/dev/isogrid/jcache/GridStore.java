package dev.isogrid.jcache;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.Expiry;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a grid in this process.
 *
 * @param cache keeps the entries
 * @param copier copies what the cache would keep, or give out, as a reference
 * @param clock the clock that entries expire by
 */
record GridStore<K, V>(Cache<K, V> cache, Copier copier, InstantSource clock)
    implements EntryStore<K, V> {
  @Override
  public @Nullable StoredEntry<V> entry(K key) {
    CacheEntry<K, V> entry = cache.getEntry(key);
    return entry == null
        ? null
        : new StoredEntry<>(
            copier.copy(entry.value()),
            entry.version(),
            entry.createdMillis(),
            entry.lifespanMillis());
  }

  @Override
  public void put(K key, V value, Expiry expiry) {
    cache.put(copier.copy(key), copier.copy(value), expiry);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries, Expiry expiry) {
    Map<K, V> copies = new HashMap<>();
    entries.forEach((key, value) -> copies.put(copier.copy(key), copier.copy(value)));
    cache.putAll(copies, expiry);
  }

  @Override
  public boolean putIfAbsent(K key, V value, Expiry expiry) {
    return cache.putIfAbsent(copier.copy(key), copier.copy(value), expiry) == null;
  }

  @Override
  public boolean replaceIfVersion(K key, V value, long version, Expiry expiry) {
    return cache.replaceIfVersion(copier.copy(key), copier.copy(value), version, expiry);
  }

  @Override
  public boolean replaceKeepingEnd(K key, V value, StoredEntry<V> old) {
    long rest = old.isEternal() ? 0 : Math.max(1, old.endMillis() - clock.millis());
    Expiry expiry = old.isEternal() ? Expiry.NEVER : new Expiry(rest, Expiry.UNLIMITED);
    return replaceIfVersion(key, value, old.version(), expiry);
  }

  @Override
  public boolean removeIfVersion(K key, long version) {
    return cache.removeIfVersion(key, version);
  }

  @Override
  public void removeAll(Collection<? extends K> keys, BiConsumer<K, V> removed) {
    for (K key : keys) {
      V old = cache.remove(key);
      if (old != null) {
        removed.accept(key, copier.copy(old));
      }
    }
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public Set<K> keys() {
    Set<K> keys = new HashSet<>();
    cache.keySet().forEach(key -> keys.add(copier.copy(key)));
    return keys;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    Iterator<Map.Entry<K, V>> entries = cache.entrySet().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Map.Entry<K, V> next() {
        Map.Entry<K, V> entry = entries.next();
        return Map.entry(copier.copy(entry.getKey()), copier.copy(entry.getValue()));
      }
    };
  }

  @Override
  public AutoCloseable onExpired(BiConsumer<K, @Nullable V> listener) {
    return cache.addListener(
        event -> {
          V last = event.oldValue();
          if (event.kind() == CacheEvent.Kind.EXPIRED && last != null) {
            listener.accept(copier.copy(event.key()), copier.copy(last));
          }
        },
        CacheListener.Delivery.SYNC);
  }

  @Override
  public long evictions() {
    return cache.stats().evictions();
  }
}
