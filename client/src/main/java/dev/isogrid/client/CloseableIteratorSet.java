package dev.isogrid.client;

import java.util.Set;

/**
 * A view of a cache as a set. Each operation asks the servers; nothing is kept here. Streams and
 * iterators that are not used to their end must be closed.
 */
public interface CloseableIteratorSet<E> extends Set<E> {
  @Override
  CloseableIterator<E> iterator();
}
