package dev.isogrid.jcache;

import org.jspecify.annotations.Nullable;

/**
 * The home of a manager's caches: a grid of this process, or servers behind a client. Thread-safe.
 */
interface Backend {
  /**
   * Opens the cache of a name, and makes it if there is none.
   *
   * @param loader finds the classes of copies
   */
  <K, V> EntryStore<K, V> open(
      String name, IsogridConfiguration<K, V> configuration, ClassLoader loader);

  /** Removes a cache with its entries. */
  void remove(String name);

  /** The grid or the client, if it is of this type; else null. */
  <T> @Nullable T unwrap(Class<T> type);

  /** Closes the grid or client that was started for this backend. */
  void close();
}
