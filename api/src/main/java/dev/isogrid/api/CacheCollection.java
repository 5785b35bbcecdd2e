package dev.isogrid.api;

import java.util.Collection;

/**
 * A live view of a cache whose streams are evaluated where the entries are. Thread-safe; its
 * streams are for one thread each.
 *
 * @param <T> the type of the elements
 */
public interface CacheCollection<T> extends Collection<T> {
  /** A stream that uses one thread of each node. */
  @Override
  CacheStream<T> stream();

  /** A stream that uses all processors of each node. */
  @Override
  CacheStream<T> parallelStream();
}
