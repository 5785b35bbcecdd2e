package dev.isogrid.engine;

import dev.isogrid.api.StoreEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.UserMutation;
import org.jspecify.annotations.Nullable;

/**
 * A write of a cache with a store: looks at the entry, decides on the effect, has the store carry
 * it out, and then lets memory follow. For one thread.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class BackedWrite<K, V> implements BackedMutation<K, V> {
  /*
   * A plain mutation decides when the entry is looked at, as it always does; its value is copied
   * then, since it may be a window on memory. Only if the entry is not in memory, and the mutation
   * depends on it, it decides later on what the store has. Code of a user decides without a lock.
   */
  private final BackingStore<K, V> backing;
  private final K key;
  private final Mutation<K, V> mutation;
  private final @Nullable UserMutation<K, V> code;
  private final Effect<V> wanted = new Effect<>();
  private boolean isInMemory;
  private boolean mustLoad;
  private boolean isRestored;
  private boolean isStored;

  BackedWrite(BackingStore<K, V> backing, K key, Mutation<K, V> mutation) {
    this.backing = backing;
    this.key = key;
    this.mutation = mutation;
    this.code =
        !(mutation instanceof KeyWrite) && mutation instanceof UserMutation<K, V> user
            ? user
            : null;
  }

  /** Whether the decision depends on the entry as it is. */
  private boolean isDependent() {
    return !(mutation instanceof KeyWrite<K, V> write && write.isPlain() && !write.isRemoval());
  }

  @Override
  public boolean look(EntryView<K, V> current) {
    isInMemory = current.isPresent();
    isRestored = false;
    mustLoad = !isInMemory && isDependent();
    return mustLoad || sees(current);
  }

  private boolean sees(EntryView<K, V> current) {
    if (code != null) {
      return code.look(current);
    }
    wanted.clear();
    mutation.apply(current, wanted);
    if (wanted.kind() == Effect.Kind.STORE) {
      backing.keep(wanted);
    }
    return wanted.kind() != Effect.Kind.LEAVE;
  }

  @Override
  public void decide(Effect<V> effect) {
    StoreEntry<Object, Object> loaded = null;
    if (mustLoad) {
      loaded = backing.find(key);
      if (!sees(backing.view(key, loaded))) {
        restore(loaded, effect);
        return;
      }
    }
    if (code == null) {
      effect.copy(wanted);
    } else {
      code.decide(effect);
    }
    switch (effect.kind()) {
      case STORE -> isStored |= backing.store(key, effect);
      case REMOVE -> {
        isStored |= backing.delete(key);
        if (!isInMemory) {
          effect.clear();
        }
      }
      case TOUCH -> {
        if (!isInMemory) {
          effect.clear();
        }
      }
      case LEAVE -> restore(loaded, effect);
    }
  }

  private void restore(@Nullable StoreEntry<Object, Object> loaded, Effect<V> effect) {
    if (loaded != null) {
      backing.restore(loaded, effect);
      isRestored = true;
    }
  }

  /** Whether memory got what the store had, and nothing was written. */
  boolean isRestored() {
    return isRestored;
  }

  /** Whether the store may have something that memory lacks if this fails. */
  boolean isStored() {
    return isStored;
  }

  @Override
  public boolean isRemoval() {
    return mutation.isRemoval();
  }

  @Override
  public Object userKey() {
    return code == null ? backing.outerKey(key) : code.userKey();
  }
}
