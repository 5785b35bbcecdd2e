package dev.isogrid.engine;

import dev.isogrid.api.CacheChange;
import dev.isogrid.api.ChangeToken;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of a cache in their order, as containers keep keys and values. For one thread;
 * methods block.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface ChangeTail<K, V> extends AutoCloseable {
  /**
   * Returns the next change, with arrays of its own.
   *
   * @param millis how long to wait for one; 0 for not at all
   * @return null if there is none in time, or the thread is interrupted
   * @throws dev.isogrid.api.ChangesGoneException if changes were deleted that were not read
   * @throws dev.isogrid.api.RetryableGridException if no node of the cluster can be asked for some
   *     of them; a later call goes on
   */
  @Nullable CacheChange<K, V> next(long millis);

  /** Returns the place behind the last change. */
  ChangeToken token();

  /** Ends it. Closing twice is harmless. */
  @Override
  void close();
}
