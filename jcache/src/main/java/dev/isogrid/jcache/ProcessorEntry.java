package dev.isogrid.jcache;

import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** The entry that an entry processor sees. Used by one thread. */
final class ProcessorEntry<K, V> implements MutableEntry<K, V> {
  /** The final effect of the processor. */
  enum Effect {
    NONE,
    ACCESS,
    LOAD,
    SET,
    REMOVE
  }

  private final K key;
  private final boolean wasPresent;
  private final @Nullable Loading<K, V> loading;
  private @Nullable V value;
  private Effect effect = Effect.NONE;

  ProcessorEntry(K key, @Nullable StoredEntry<V> stored, @Nullable Loading<K, V> loading) {
    this.key = key;
    this.loading = loading;
    wasPresent = stored != null;
    value = stored == null ? null : stored.value();
  }

  Effect effect() {
    return effect;
  }

  /** The value now; null if there is none. */
  @Nullable V value() {
    return value;
  }

  @Override
  public boolean exists() {
    return value != null;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    if (effect == Effect.NONE && value != null) {
      effect = Effect.ACCESS;
    } else if (effect == Effect.NONE && loading != null) {
      value = loading.load(key);
      effect = value == null ? Effect.NONE : Effect.LOAD;
    }
    return value;
  }

  @Override
  public void setValue(V newValue) {
    if (newValue == null) {
      throw new NullPointerException("value");
    }
    value = newValue;
    effect = Effect.SET;
  }

  @Override
  public void remove() {
    boolean isNew = !wasPresent && (effect == Effect.SET || effect == Effect.LOAD);
    value = null;
    effect = isNew ? Effect.NONE : Effect.REMOVE;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.cast(this, type);
  }
}
