package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a cache segment by segment. Each segment is walked while it may change; an entry
 * that is there all the time is seen exactly once. Holds the references of one segment. For one
 * thread.
 */
final class EntryIterator<K, V, S, T, R> implements Iterator<R> {
  private final EmbeddedCache<K, V, S, T> cache;
  private final CacheEngine<S, T> engine;
  private final Function<CacheEntry<K, V>, R> shape;
  private final EntryView<S, T> view;
  private int nextSegment;
  private @Nullable SegmentSnapshot<S, T> snapshot;
  private @Nullable CacheEntry<K, V> next;
  private @Nullable CacheEntry<K, V> last;

  EntryIterator(
      EmbeddedCache<K, V, S, T> cache,
      CacheEngine<S, T> engine,
      Function<CacheEntry<K, V>, R> shape) {
    this.cache = cache;
    this.engine = engine;
    this.shape = shape;
    this.view = engine.newView();
  }

  @Override
  public boolean hasNext() {
    while (next == null) {
      if (snapshot != null && snapshot.next(view)) {
        if (!view.isMortal() || !view.isExpired(engine.nowMillis())) {
          next = cache.entry(view);
        }
      } else if (nextSegment < engine.segmentCount()) {
        snapshot = engine.snapshot(nextSegment++);
      } else {
        return false;
      }
    }
    return true;
  }

  @Override
  public R next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    last = next;
    next = null;
    return shape.apply(last);
  }

  /** Removes the key that was last returned, whatever its value is now. */
  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("nothing to remove; call next first");
    }
    Cache<K, V> map = cache;
    map.remove(last.key());
    last = null;
  }
}
