package dev.isogrid.engine;

import dev.isogrid.api.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The listeners of a cache. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class ChangeListeners<K, V> {
  private final ReentrantLock lock = new ReentrantLock();
  private final ListenerFailures failures;

  /** Written under the lock. Replaced as a whole, so that the usual case of none costs one look. */
  private volatile List<ChangeListener<K, V>> listeners = List.of();

  /** Begins without listeners; the name of the cache is for the log. */
  ChangeListeners(String cache) {
    this.failures = new ListenerFailures(cache);
  }

  boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** Adds a listener for the changes from now on. */
  Subscription add(ChangeListener<K, V> listener) {
    update(all -> all.add(listener));
    return () -> update(all -> all.remove(listener));
  }

  private void update(Consumer<List<ChangeListener<K, V>>> change) {
    lock.lock();
    try {
      List<ChangeListener<K, V>> all = new ArrayList<>(listeners);
      change.accept(all);
      listeners = List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** Tells of a change, under the lock of its segment. */
  void tell(Change<K, V> change) {
    for (ChangeListener<K, V> listener : listeners) {
      failures.tell(listener, change);
    }
  }

  /** Tells that changes of a segment were missed, under its lock. */
  void tellGap(int segment) {
    for (ChangeListener<K, V> listener : listeners) {
      listener.onGap(segment);
    }
  }

  /** Tells that the cache was closed. */
  void tellClosed() {
    for (ChangeListener<K, V> listener : listeners) {
      listener.onClosed();
    }
  }

  /** Tells that the lock of a segment that may have changed is free again. */
  void tellAfter(int segment) {
    for (ChangeListener<K, V> listener : listeners) {
      listener.afterChange(segment);
    }
  }
}
