package dev.isogrid.api;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A store that only loads: {@link StoreConfig#loading} makes one of a loader. It does not know its
 * keys, so preloading finds nothing. Writes of the cache change memory only.
 *
 * @param loader loads the values
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public record LoaderStore<K, V>(CacheLoader<K, V> loader) implements CacheStore<K, V> {
  @Override
  public @Nullable StoreEntry<K, V> load(K key) throws Exception {
    V value = loader.load(key);
    return value == null ? null : StoreEntry.of(key, value);
  }

  @Override
  public void loadAll(List<K> keys, Consumer<StoreEntry<K, V>> found) throws Exception {
    Set<K> asked = new HashSet<>(keys);
    for (Map.Entry<K, V> loaded : loader.loadAll(Set.copyOf(asked)).entrySet()) {
      if (asked.contains(loaded.getKey())) {
        found.accept(StoreEntry.of(loaded.getKey(), loaded.getValue()));
      }
    }
  }

  @Override
  public void write(List<StoreEntry<K, V>> batch) {
    throw refusal();
  }

  @Override
  public void delete(List<K> keys) {
    throw refusal();
  }

  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<K, V>> target) {}

  @Override
  public void clear() {
    throw refusal();
  }

  private UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "a loader can't be written: loader=%s; configure it by StoreConfig.loading, or as read-only"
            .formatted(loader));
  }
}
