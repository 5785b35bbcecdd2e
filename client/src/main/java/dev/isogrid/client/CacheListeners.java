package dev.isogrid.client;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listeners of a client on one cache. Thread-safe. */
final class CacheListeners {
  /** Guarded by itself. */
  private final IdentityHashMap<Object, ListenerQueue<?, ?>> registered = new IdentityHashMap<>();

  /**
   * Registers a listener, and waits for the server.
   *
   * @param user the object that identifies it
   * @throws IllegalArgumentException if it is registered already
   */
  <K, V> void add(Object user, ListenerQueue<K, V> queue) {
    synchronized (registered) {
      if (registered.putIfAbsent(user, queue) != null) {
        throw new IllegalArgumentException(
            "listener is registered already: class=%s; remove it first, or use another object"
                .formatted(user.getClass().getName()));
      }
    }
    boolean begun = false;
    try {
      Answers.awaitAll(queue.begin());
      begun = true;
    } finally {
      if (!begun) {
        remove(user);
      }
    }
  }

  /** Ends a listener; false if it was not registered. */
  boolean remove(Object user) {
    ListenerQueue<?, ?> queue = take(user);
    if (queue != null) {
      queue.close();
    }
    return queue != null;
  }

  /** Ends one registration of a listener; nothing happens if it has ended, or is another one. */
  void remove(Object user, ListenerQueue<?, ?> queue) {
    boolean isThere;
    synchronized (registered) {
      isThere = registered.get(user) == queue;
      if (isThere) {
        registered.remove(user);
      }
    }
    if (isThere) {
      queue.close();
    }
  }

  private @Nullable ListenerQueue<?, ?> take(Object user) {
    synchronized (registered) {
      return registered.remove(user);
    }
  }

  /** Those that are registered. */
  List<Object> all() {
    synchronized (registered) {
      return new ArrayList<>(registered.keySet());
    }
  }
}
