package dev.isogrid.engine;

import dev.isogrid.store.EntryView;
import java.util.BitSet;

/**
 * A walk through the live entries of a cache, wherever they are, while they may change and nodes
 * come and go. An entry that is there all the time is seen exactly once; one that comes or goes
 * meanwhile at most once for each time that it comes. For one thread at a time.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public interface EntryWalk<K, V> extends AutoCloseable {
  /**
   * Moves a window to the next live entry. Blocks while other nodes are waited for.
   *
   * @param view one of the cache; what it shows is valid until it is moved
   * @return whether there was one
   * @throws dev.isogrid.api.RetryableGridException if other nodes don't answer in time
   */
  boolean next(EntryView<K, V> view);

  /**
   * The segments of which the last entry was shown, or that turned out to have none, since this was
   * asked last; after the end all segments that are wanted were among them.
   */
  BitSet takeFinished();

  /** Ends it, and what other nodes do for it. Calling it twice is harmless. */
  @Override
  void close();
}
