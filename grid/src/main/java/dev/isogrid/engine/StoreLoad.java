package dev.isogrid.engine;

import dev.isogrid.api.StoreEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings the entry of a key into memory, unless there is one. For one thread.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class StoreLoad<K, V> implements BackedMutation<K, V> {
  private final BackingStore<K, V> backing;
  private final K key;
  private @Nullable StoreEntry<Object, Object> found;
  private boolean isInMemory;
  private boolean isAsked;

  StoreLoad(BackingStore<K, V> backing, K key) {
    this.backing = backing;
    this.key = key;
  }

  @Override
  public boolean look(EntryView<K, V> current) {
    isInMemory = current.isPresent();
    isAsked = false;
    return !isInMemory;
  }

  @Override
  public void decide(Effect<V> effect) {
    found = backing.find(key);
    isAsked = true;
    if (found != null) {
      backing.restore(found, effect);
    }
  }

  /** Whether there was an entry in memory, which stays. */
  boolean isInMemory() {
    return isInMemory;
  }

  /** The store's entry; null if it was not asked, or has none. */
  @Nullable StoreEntry<Object, Object> found() {
    return isInMemory ? null : found;
  }

  @Override
  public Object sharer() {
    return backing;
  }

  @Override
  public boolean hasFoundNothing() {
    return isAsked && found == null;
  }

  @Override
  public Object userKey() {
    return Objects.requireNonNull(backing.outerKey(key));
  }
}
