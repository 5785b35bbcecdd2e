package dev.isogrid.stream;

import dev.isogrid.store.EntryView;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The elements that nodes send page by page. For one thread. */
final class PagedElements<S, T> implements Iterator<@Nullable Object>, AutoCloseable {
  private final Rounds rounds;
  private final EntrySpliterator.Shape<S, T> shape;
  private final EntryView<S, T> window;
  private final @Nullable Consumer<int[]> listener;
  private @Nullable StreamAnswer page;
  private int next;

  /**
   * Begins without a question.
   *
   * @param shape makes the user's elements, if pages have entries
   * @param window for these entries
   * @param listener receives segments whose elements were all taken, or null
   */
  PagedElements(
      Rounds rounds,
      EntrySpliterator.Shape<S, T> shape,
      EntryView<S, T> window,
      @Nullable Consumer<int[]> listener) {
    this.rounds = rounds;
    this.shape = shape;
    this.window = window;
    this.listener = listener;
  }

  @Override
  public boolean hasNext() {
    while (page == null || next == page.count()) {
      if (page != null && listener != null && !page.done.isEmpty()) {
        listener.accept(page.done.stream().toArray());
      }
      next = 0;
      page = rounds.next();
      if (page == null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public @Nullable Object next() {
    if (!hasNext() || page == null) {
      throw new NoSuchElementException();
    }
    if (page.elements.isEmpty()) {
      next++;
      page.packed.next(window);
      return shape.of(window);
    }
    Object element = page.elements.get(next);
    page.elements.set(next++, null); // not kept alive longer than its user wants
    return element;
  }

  @Override
  public void close() {
    page = null;
    rounds.close();
  }
}
