package dev.isogrid.stream;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The elements that nodes hand over page by page. For one thread. */
final class PagedElements implements Iterator<@Nullable Object>, AutoCloseable {
  private final Rounds rounds;
  private final Function<@Nullable Object, @Nullable Object> shape;
  private final @Nullable Consumer<int[]> listener;
  private @Nullable StreamAnswer page;
  private int next;

  /**
   * Begins without asking.
   *
   * @param shape what the user gets for an element of a page
   * @param listener told of segments of which all elements were taken, or null
   */
  PagedElements(
      Rounds rounds,
      Function<@Nullable Object, @Nullable Object> shape,
      @Nullable Consumer<int[]> listener) {
    this.rounds = rounds;
    this.shape = shape;
    this.listener = listener;
  }

  @Override
  public boolean hasNext() {
    while (page == null || next == page.elements.size()) {
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
    Object element = page.elements.get(next);
    page.elements.set(next++, null); // not kept alive longer than its user wants
    return shape.apply(element);
  }

  @Override
  public void close() {
    page = null;
    rounds.close();
  }
}
