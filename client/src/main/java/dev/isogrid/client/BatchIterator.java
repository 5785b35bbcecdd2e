package dev.isogrid.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that fetches a batch when it has returned all entries of the last one. For one thread
 * at a time.
 */
final class BatchIterator<E> implements CloseableIterator<E> {
  private final BatchSource iteration;
  private final Function<IterationOperation.Row, E> view;
  private final Consumer<IterationOperation.Row> remover;
  private Iterator<IterationOperation.Row> batch = List.<IterationOperation.Row>of().iterator();
  private IterationOperation.@Nullable Row last;
  private boolean isOver;

  /**
   * Creates an iterator over the batches of a source.
   *
   * @param view makes the returned object of an entry
   * @param remover removes an entry
   */
  BatchIterator(
      BatchSource iteration,
      Function<IterationOperation.Row, E> view,
      Consumer<IterationOperation.Row> remover) {
    this.iteration = iteration;
    this.view = view;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    while (!isOver && !batch.hasNext()) {
      List<IterationOperation.Row> fetched = Answers.awaitAll(iteration.next());
      isOver = fetched.isEmpty();
      batch = fetched.iterator();
    }
    return !isOver;
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    last = batch.next();
    return view.apply(last);
  }

  @Override
  public void remove() {
    IterationOperation.Row removed = last;
    if (removed == null) {
      throw new IllegalStateException("nothing to remove: call next() before each remove()");
    }
    last = null;
    remover.accept(removed);
  }

  @Override
  public void close() {
    isOver = true;
    iteration.close();
  }
}
