package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.EntryView;
import java.util.BitSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a cache, wherever its entries are, as {@link EntryWalk} does. Holds up to a mebibyte
 * of each other node, and the references of one segment. For one thread.
 */
final class EntryIterator<K, V, S, T, R> implements Iterator<R> {
  /** Makes an entry the element that a user gets. */
  @FunctionalInterface
  interface Shape<K, S, T, R> {
    /** Makes it of a key and a window, which is valid during the call. */
    R of(K key, EntryView<S, T> view);
  }

  private final EmbeddedCache<K, V, S, T> cache;
  private final Shape<K, S, T, R> shape;
  private final EntryView<S, T> view;
  private final EntryWalk<S, T> walk;
  private @Nullable K nextKey;
  private @Nullable R next;
  private @Nullable K lastKey;

  /**
   * Begins.
   *
   * @param withValues whether the shape needs values
   */
  EntryIterator(
      EmbeddedCache<K, V, S, T> cache,
      CacheEngine<S, T> engine,
      boolean withValues,
      Shape<K, S, T, R> shape) {
    this.cache = cache;
    this.shape = shape;
    this.view = engine.newView();
    BitSet all = new BitSet();
    all.set(0, engine.segmentCount());
    this.walk = engine.walk(all, withValues);
  }

  @Override
  public boolean hasNext() {
    if (next == null && walk.next(view)) {
      K key = cache.key(view);
      nextKey = key;
      next = shape.of(key, view);
    }
    return next != null;
  }

  @Override
  public R next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    R element = next;
    lastKey = nextKey;
    next = null;
    return element;
  }

  /** Removes the key that was last returned, whatever its value is now. */
  @Override
  public void remove() {
    if (lastKey == null) {
      throw new IllegalStateException("nothing to remove; call next first");
    }
    Cache<K, V> map = cache;
    map.remove(lastKey);
    lastKey = null;
  }
}
