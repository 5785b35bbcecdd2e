package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import dev.isogrid.client.EntryEvent.Kind;
import dev.isogrid.client.EntryListener;
import dev.isogrid.client.Flag;
import dev.isogrid.client.ListenerOptions;
import dev.isogrid.client.MetadataValue;
import dev.isogrid.client.RemoteCache;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    if (entry == null) {
      return null;
    }
    int seconds = entry.lifespanSeconds();
    long lifespanMillis = seconds < 0 ? -1 : TimeUnit.SECONDS.toMillis(seconds);
    return new StoredEntry<>(entry.value(), entry.version(), entry.createdMillis(), lifespanMillis);
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
  public boolean removeIfVersion(K key, long version) {
    return cache.removeWithVersion(key, version);
  }

  @Override
  public void clear() {
    cache.clear();
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
