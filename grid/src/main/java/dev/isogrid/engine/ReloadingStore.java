package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/** A store that can make a new value of an old one. */
@FunctionalInterface
public interface ReloadingStore {
  /**
   * Loads the value that follows an old one.
   *
   * @return the value, or null if there is none any more
   */
  @Nullable Object reload(Object key, Object oldValue) throws Exception;
}
