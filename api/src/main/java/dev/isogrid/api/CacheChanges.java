package dev.isogrid.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a cache behind a token, in their order; see {@link Cache#changes}. For one thread.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface CacheChanges<K, V> extends AutoCloseable {
  /**
   * Returns the next change; waits for it. Reads the disk, or asks other nodes.
   *
   * @param wait how long at most; zero finds what is there, in a clustered cache what has come from
   *     other nodes since the last call
   * @return the change, or null if there is none in time or the thread is interrupted
   * @throws ChangesGoneException if the store deleted changes that were not read yet
   * @throws RetryableGridException if no node with a copy of some segment answers in time; a later
   *     call goes on
   * @throws InvalidRequestException if the marshallers can't read the change, which stays the next
   *     one; its message has the token of the place behind it. Or if this is closed
   * @throws FatalGridException if the cache was removed or its grid closed, or the disk fails
   */
  @Nullable CacheChange<K, V> next(Duration wait);

  /** The place behind the change that was returned last, or the one that this began at. */
  ChangeToken token();

  /** Ends it, and lets go of the store's file. Closing twice is harmless. */
  @Override
  void close();
}
