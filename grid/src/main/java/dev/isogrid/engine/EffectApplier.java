package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Segment;
import org.jspecify.annotations.Nullable;

/**
 * Carries out on a segment what a mutation decided, and tells of it. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class EffectApplier<K, V> {
  private final String name;

  /** Written by {@link #reconfigure}. */
  private volatile CacheConfig config;

  private final Container<K, V> container;
  private final ChangeListeners<K, V> listeners;
  private final @Nullable Evictor<K, V> evictor;

  EffectApplier(
      String name,
      CacheConfig config,
      Container<K, V> container,
      ChangeListeners<K, V> listeners,
      @Nullable Evictor<K, V> evictor) {
    this.name = name;
    this.config = config;
    this.container = container;
    this.listeners = listeners;
    this.evictor = evictor;
  }

  /** Takes default times from another configuration from now on. */
  void reconfigure(CacheConfig changed) {
    config = changed;
  }

  /** Whether a write that names no times stores an entry without any. */
  boolean isUntimed() {
    CacheConfig now = config;
    return now.lifespanMillis() < 0 && now.maxIdleMillis() < 0;
  }

  /**
   * The outcome of a write.
   *
   * @param version the version that it got, or 0 if it changed nothing or the times only
   * @param use what the write was to the entry
   * @param bytes as {@link Evictor#apply} returns them
   */
  record Applied(long version, Evictor.Use use, long bytes) {
    private static final Applied USED = new Applied(0, Evictor.Use.USED, 0);
    private static final Applied NOTHING = new Applied(0, Evictor.Use.NONE, 0);
  }

  /**
   * Applies an effect to the entry that was just located. Locked.
   *
   * @param given the version of a write that the cluster decided on, so that the cache's bound does
   *     not matter any more; or 0 to take the segment's next one
   * @throws dev.isogrid.api.CacheFullException if there is no room; nothing was changed then
   */
  Applied apply(K key, int hash, EntryView<K, V> current, Effect<V> effect, long given) {
    Segment<K, V> segment = container.segment(hash);
    return switch (effect.kind()) {
      case LEAVE -> current.isPresent() ? Applied.USED : Applied.NOTHING;
      case STORE -> store(key, hash, current, effect, given);
      case REMOVE -> {
        long version = version(segment, given);
        if (!listeners.isEmpty() && !effect.isSilent()) {
          int index = container.segmentOf(hash);
          listeners.tell(new Change<>(CacheEvent.Kind.REMOVED, index, key, current, null, version));
        }
        segment.removeLocated();
        yield new Applied(version, Evictor.Use.NONE, 0);
      }
      case TOUCH -> {
        effect.resolveDefaults(config.lifespanMillis(), config.maxIdleMillis());
        applyLocated(key, hash, current, effect, 0, given != 0);
        yield Applied.USED;
      }
    };
  }

  private static long version(Segment<?, ?> segment, long given) {
    return given == 0 ? segment.nextVersion() : given;
  }

  /** Stores, and then reports the change, since there may be no room to store. */
  private Applied store(K key, int hash, EntryView<K, V> current, Effect<V> effect, long given) {
    Segment<K, V> segment = container.segment(hash);
    effect.resolveDefaults(config.lifespanMillis(), config.maxIdleMillis());
    long version = version(segment, given);
    Evictor.Use use = current.isPresent() ? Evictor.Use.USED : Evictor.Use.INSERTED;
    if (listeners.isEmpty() || effect.isSilent()) {
      long bytes = applyLocated(key, hash, current, effect, version, given != 0);
      return new Applied(version, use, bytes);
    }
    segment.hold(current);
    try {
      CacheEvent.Kind kind =
          use == Evictor.Use.USED ? CacheEvent.Kind.MODIFIED : CacheEvent.Kind.CREATED;
      long bytes = applyLocated(key, hash, current, effect, version, given != 0);
      int index = container.segmentOf(hash);
      listeners.tell(new Change<>(kind, index, key, current, effect.value(), version));
      return new Applied(version, use, bytes);
    } finally {
      current.release();
    }
  }

  /**
   * Stores an entry that another node has, under the key that was just located; nobody is told.
   * Locked.
   *
   * @return as {@link Evictor#apply}
   */
  long restore(K key, int hash, EntryView<K, V> current, Effect<V> effect, long version) {
    return applyLocated(key, hash, current, effect, version, true);
  }

  // tidy: one write with all that is known of it
  private long applyLocated(
      K key, int hash, EntryView<K, V> current, Effect<V> effect, long version, boolean isDecided) {
    if (evictor != null) {
      return isDecided
          ? evictor.applyDecided(key, hash, current, effect, version)
          : evictor.apply(key, hash, current, effect, version);
    }
    try {
      container.segment(hash).applyLocated(key, hash, current, effect, version);
      return 0;
    } catch (MemoryFullException full) {
      throw Evictor.outOfMemory(name, full);
    }
  }
}
