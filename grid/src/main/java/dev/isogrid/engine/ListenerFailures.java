package dev.isogrid.engine;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells listeners of changes, and goes on if one of them fails: a change has taken effect by then,
 * and other nodes go on with it. Logs ever fewer of the failures. Thread-safe.
 */
final class ListenerFailures {
  private static final System.Logger log = System.getLogger(ListenerFailures.class.getName());

  private final String cache;
  private final AtomicLong failures = new AtomicLong();

  /** Begins without failures; the name of the cache is for the log. */
  ListenerFailures(String cache) {
    this.cache = cache;
  }

  /**
   * Tells a listener of a change. If it can't take the change, such as one of a value that no
   * marshaller of this node can read, it is told that it misses something.
   */
  <K, V> void tell(ChangeListener<K, V> listener, Change<K, V> change) {
    try {
      listener.onChange(change);
    } catch (RuntimeException | LinkageError | StackOverflowError failure) {
      failed(change.segment(), failure);
      listener.onGap(change.segment());
    }
  }

  private void failed(int segment, Throwable failure) {
    long count = failures.incrementAndGet();
    if (Long.bitCount(count) == 1) { // the first one, the second, the fourth and so on
      log.log(
          Level.WARNING,
          ("a change can't be read for a listener, which is told of a gap instead: cache=%s,"
                  + " segment=%d, failures=%d; put the classes of keys and values on all nodes")
              .formatted(cache, segment, count),
          failure);
    }
  }
}
