package dev.isogrid.stream;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.SegmentSnapshot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Iterates over the live entries of some segments of this node. Not split. For one thread. */
final class EntrySpliterator<S, T> implements Spliterator<Object> {
  /** Makes elements of entries. The window is valid during the call. */
  @FunctionalInterface
  interface Shape<S, T> {
    /** An element, or null if this entry is filtered out. */
    @Nullable Object of(EntryView<S, T> view);
  }

  private final CacheEngine<S, T> engine;
  private final EntryView<S, T> view;
  private final Shape<S, T> shape;
  private final BitSet segments;
  private final @Nullable Map<Integer, List<S>> keys;
  private final IntConsumer whenDone;
  private final boolean withValues;
  private final boolean isCancellable;
  private int segment = -1;
  private @Nullable SegmentSnapshot<S, T> snapshot;
  private @Nullable Iterator<S> wanted;

  /** The last one of the wanted keys, or null. */
  private @Nullable S visited;

  private @Nullable Object looked;
  private boolean isStopped;
  private boolean isOrdered;
  private @Nullable S after;

  /**
   * Begins before the first segment.
   *
   * @param keys the only keys to process, by their segments; null for all
   * @param withValues whether elements may be made of values
   * @param whenDone receives each segment after its last entry was taken
   * @param isCancellable whether it ends if its thread is interrupted
   */
  EntrySpliterator(
      CacheEngine<S, T> engine,
      Shape<S, T> shape,
      BitSet segments,
      @Nullable Map<Integer, List<S>> keys,
      boolean withValues,
      IntConsumer whenDone,
      boolean isCancellable) {
    this.engine = engine;
    this.view = engine.newView();
    this.shape = shape;
    this.segments = segments;
    this.keys = keys;
    this.withValues = withValues;
    this.whenDone = whenDone;
    this.isCancellable = isCancellable;
  }

  /**
   * Iterates over entries in order; call this only before the first, and for caches of bytes.
   *
   * @param key the key before the first one, or null; borrowed
   * @return this
   */
  EntrySpliterator<S, T> inOrder(@Nullable S key) {
    isOrdered = true;
    after = key;
    return this;
  }

  /**
   * Ends the iteration: there are no more elements.
   *
   * @return whether there may have been more
   */
  boolean stop() {
    boolean isEarly = !isStopped;
    isStopped = true;
    return isEarly;
  }

  /** The key of the last visited entry; valid as long as its window. */
  S key() {
    S ofWanted = visited;
    return ofWanted == null ? view.key() : ofWanted;
  }

  @Override
  public boolean tryAdvance(Consumer<? super Object> action) {
    Object element = next();
    if (element == null) {
      return false;
    }
    action.accept(element);
    return true;
  }

  @Override
  public void forEachRemaining(Consumer<? super Object> action) {
    for (Object element = next(); element != null; element = next()) {
      action.accept(element);
    }
  }

  private @Nullable Object next() {
    if (isCancellable && Thread.currentThread().isInterrupted()) {
      throw new CancellationException("stream cancelled: cache=" + engine.name());
    }
    while (!isStopped) {
      Object element = snapshot != null ? walked(snapshot) : wanted != null ? found(wanted) : null;
      if (element != null) {
        return element;
      }
      if (!nextSegment()) {
        return null;
      }
    }
    return null;
  }

  private boolean nextSegment() {
    if (segment >= 0) {
      whenDone.accept(segment);
    }
    segment = segments.nextSetBit(segment + 1);
    if (segment < 0) {
      isStopped = true;
    } else if (keys == null) {
      snapshot = isOrdered ? engine.orderedFrom(segment, after) : engine.snapshot(segment);
    } else {
      wanted = wanted(keys.getOrDefault(segment, List.of()));
    }
    return segment >= 0;
  }

  /** The wanted keys of a segment behind the one to begin after; all nodes have one order. */
  private Iterator<S> wanted(List<S> all) {
    byte[] before = after instanceof BinaryKey key ? key.toByteArray() : null;
    int from = 0;
    for (int i = 0; before != null && from == 0 && i < all.size(); i++) {
      if (all.get(i) instanceof BinaryKey key && Arrays.equals(before, key.toByteArray())) {
        from = i + 1;
      }
    }
    return all.listIterator(from);
  }

  private @Nullable Object walked(SegmentSnapshot<S, T> walk) {
    while (!isStopped && walk.next(view)) {
      if (!view.isMortal() || !view.isExpired(engine.nowMillis())) {
        Object element = shape.of(view);
        if (element != null) {
          return element;
        }
      }
    }
    return null;
  }

  private @Nullable Object found(Iterator<S> rest) {
    Object element = null;
    while (element == null && rest.hasNext()) {
      S key = rest.next();
      visited = key;
      element = key instanceof BinaryKey ? ofBytes(key) : ofObjects(key);
    }
    return element;
  }

  private @Nullable Object ofObjects(S key) {
    looked = null;
    boolean isFound =
        engine.peek(key, SegmentKeys.hash(key), view, entry -> looked = shape.of(entry));
    return isFound ? looked : null;
  }

  /** Makes the element of a copy, once: a read that is disturbed shows the entry again. */
  @SuppressWarnings("unchecked") // the entry of a key of bytes is bytes
  private @Nullable Object ofBytes(S key) {
    PackedEntries copy = new PackedEntries();
    boolean isFound =
        engine.peek(
            key,
            SegmentKeys.hash(key),
            view,
            entry -> {
              copy.truncate(0, 0);
              copy.add(entry, withValues);
            });
    return isFound ? shape.of((EntryView<S, T>) (EntryView<?, ?>) copy.first()) : null;
  }

  @Override
  public @Nullable Spliterator<Object> trySplit() {
    return null;
  }

  @Override
  public long estimateSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public int characteristics() {
    return NONNULL;
  }
}
