package dev.isogrid.jcache;

import org.jspecify.annotations.Nullable;

/**
 * Where the caches of a manager are: in a grid of this process, or behind a client. Thread-safe.
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

  /** Ends what was started for this backend. */
  void close();
}
