package dev.isogrid.api;

/**
 * Makes stores of a kind that configurations know by a name, such as {@code jdbc}. Found by {@link
 * java.util.ServiceLoader} on the class path.
 */
public interface CacheStoreProvider {
  /** The name of the kind. */
  String name();

  /** A new store, which is opened next. */
  CacheStore<?, ?> newStore();
}
