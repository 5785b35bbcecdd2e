package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import dev.isogrid.client.CloseableIterator;
import dev.isogrid.client.EntryEvent.Kind;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.Flag;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.RemoteCache;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A cache of servers.
 *
 * @param cache keeps the entries
 */
record RemoteStore<K, V>(RemoteCache<K, V> cache) implements EntryStore<K, V> {
  private static final String EVICTIONS = "evictions";

  @Override
  public @Nullable StoredEntry<V> entry(K key) {
    MetadataValue<V> entry = cache.getWithMetadata(key);
    return entry == null ? null : stored(entry);
  }

  private static <V> StoredEntry<V> stored(MetadataValue<V> entry) {
    return new StoredEntry<>(
        entry.value(), entry.version(), entry.createdMillis(), entry.lifespanMillis());
  }

  /** Asks for all before it waits for the first, so that it takes about one round trip. */
  @Override
  public Map<K, StoredEntry<V>> entries(Set<? extends K> keys) {
    Map<K, CompletableFuture<@Nullable MetadataValue<V>>> asked = new HashMap<>();
    for (K key : keys) {
      asked.put(key, cache.getWithMetadataAsync(key));
    }
    Map<K, StoredEntry<V>> found = new HashMap<>();
    asked.forEach((key, answer) -> {
      MetadataValue<V> entry = awaited(answer);
      if (entry != null) {
        found.put(key, stored(entry));
      }
    });
    return found;
  }

  /** The result of an operation, which the client ends in time. */
  private static <T extends @Nullable Object> T awaited(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public void put(K key, V value, Expiry expiry) {
    cache.put(key, value, expiry);
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries, Expiry expiry) {
    cache.putAll(entries, expiry);
  }

  @Override
  public boolean putIfAbsent(K key, V value, Expiry expiry) {
    return cache.withFlags(Flag.FORCE_RETURN_VALUE).putIfAbsent(key, value, expiry) == null;
  }

  @Override
  public boolean replaceIfVersion(K key, V value, long version, Expiry expiry) {
    return cache.replaceWithVersion(key, value, version, expiry);
  }

  @Override
  public boolean replaceKeepingEnd(K key, V value, StoredEntry<V> old) {
    if (old.isEternal()) {
      return replaceIfVersion(key, value, old.version(), Expiry.NEVER);
    }
    Instant end = Instant.ofEpochMilli(old.endMillis());
    return cache.replaceWithVersion(key, value, old.version(), end);
  }

  @Override
  public boolean removeIfVersion(K key, long version) {
    return cache.removeWithVersion(key, version);
  }

  /** Asks for all before it waits for the first, so that it takes about one round trip. */
  @Override
  public void removeAll(Collection<? extends K> keys, BiConsumer<K, V> removed) {
    Map<K, CompletableFuture<@Nullable V>> asked = new LinkedHashMap<>();
    RuntimeException failure = null;
    try {
      for (K key : keys) {
        asked.put(key, cache.removeAsync(key));
      }
    } catch (RuntimeException e) { // those before it are under way
      failure = e;
    }
    for (Map.Entry<K, CompletableFuture<@Nullable V>> each : asked.entrySet()) {
      try {
        V old = awaited(each.getValue());
        if (old != null) {
          removed.accept(each.getKey(), old);
        }
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public Set<K> keys() {
    Set<K> keys = new HashSet<>();
    try (CloseableIterator<K> all = cache.keySet().iterator()) {
      all.forEachRemaining(keys::add);
    }
    return keys;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return cache.entrySet().iterator();
  }

  /** The values of entries that are over are not known here. */
  @Override
  public AutoCloseable onExpired(BiConsumer<K, @Nullable V> listener) {
    EntryListener<K, V> expirations =
        new EntryListener<>() {
          @Override
          public void onExpired(dev.isogrid.client.EntryEvent<K, V> event) {
            K key = event.key();
            if (key != null) {
              listener.accept(key, null);
            }
          }
        };
    return cache.addListener(expirations, ListenerOptions.DEFAULT.withKinds(Kind.EXPIRED));
  }

  @Override
  public long evictions() {
    String count = cache.serverStatistics().get(EVICTIONS);
    return count == null ? 0 : Math.max(0, Long.parseLong(count));
  }

  @Override
  public Copier copier() {
    return Copier.NONE;
  }
}
