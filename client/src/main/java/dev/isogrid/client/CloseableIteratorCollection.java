package dev.isogrid.client;

import java.util.Collection;

/**
 * A view of a cache as a collection. Each operation asks the servers; nothing is kept here. Streams
 * and iterators that are not used to their end must be closed.
 */
public interface CloseableIteratorCollection<E> extends Collection<E> {
  @Override
  CloseableIterator<E> iterator();
}
