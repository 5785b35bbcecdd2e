package dev.isogrid.stream;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.EntryView;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The elements of this node, and those that other nodes send page by page. For one thread. */
final class PagedElements<S, T> implements Iterator<@Nullable Object>, AutoCloseable {
  private final Rounds rounds;
  private final CacheEngine<S, T> engine;
  private final EntrySpliterator.Shape<S, T> shape;
  private final EntryView<S, T> window;
  private final @Nullable Consumer<int[]> listener;
  private @Nullable StreamAnswer page;

  /** The number of elements of the page that were looked at. */
  private int looked;

  private @Nullable Object next;
  private boolean hasNext;

  /**
   * Begins without a question.
   *
   * @param engine the cache's, if pages have entries
   * @param shape makes the user's elements of these entries
   * @param listener receives segments whose elements were all taken, or null
   */
  PagedElements(
      Rounds rounds,
      CacheEngine<S, T> engine,
      EntrySpliterator.Shape<S, T> shape,
      @Nullable Consumer<int[]> listener) {
    this.rounds = rounds;
    this.engine = engine;
    this.shape = shape;
    this.window = engine.newView();
    this.listener = listener;
  }

  @Override
  public boolean hasNext() {
    while (!hasNext) {
      StreamAnswer current = page == null ? rounds.next() : page;
      if (current == null) {
        return false;
      }
      page = current;
      hasNext = look(current);
      if (!hasNext) {
        page = null;
        looked = 0;
        if (listener != null && !current.done.isEmpty()) {
          listener.accept(current.done.stream().toArray());
        }
      }
    }
    return true;
  }

  /** Looks for the next element of a page; returns whether there is one. */
  private boolean look(StreamAnswer current) {
    if (looked < current.elements.size()) {
      next = current.elements.get(looked);
      current.elements.set(looked++, null); // not kept alive longer than its user wants
      return true;
    }
    while (current.next(window)) {
      if (!window.isMortal() || !window.isExpired(engine.nowMillis())) {
        next = shape.of(window);
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Object element = next;
    next = null;
    hasNext = false;
    return element;
  }

  @Override
  public void close() {
    page = null;
    rounds.close();
  }
}
