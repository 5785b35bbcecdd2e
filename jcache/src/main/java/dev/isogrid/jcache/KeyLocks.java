package dev.isogrid.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock per key, for as long as it is in use. Writers, loaders, listeners and entry processors run
 * while their key's lock is held, as JCache requires. So these may use their own key again, and
 * another key only if no thread locks the two in the opposite order.
 */
final class KeyLocks<K> {
  /** A lock and the number of threads that have or want it; changed inside of the map's compute. */
  private static final class KeyLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    final long id;
    int users;

    KeyLock(long id) {
      this.id = id;
    }
  }

  private record Held<K>(K key, KeyLock lock) {}

  private final ConcurrentHashMap<K, KeyLock> locks = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();

  /** Runs an action while the key's lock is held. */
  <R extends @Nullable Object> R locked(K key, Supplier<R> action) {
    KeyLock lock = join(key);
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
      leave(key);
    }
  }

  /** Runs an action while the locks of all keys are held; taken in one order by all threads. */
  <R extends @Nullable Object> R locked(Collection<? extends K> keys, Supplier<R> action) {
    List<Held<K>> all = new ArrayList<>();
    for (K key : new HashSet<K>(keys)) {
      all.add(new Held<>(key, join(key)));
    }
    all.sort(Comparator.comparingLong(held -> held.lock.id));
    all.forEach(held -> held.lock.lock());
    try {
      return action.get();
    } finally {
      for (Held<K> held : all) {
        held.lock.unlock();
        leave(held.key);
      }
    }
  }

  private KeyLock join(K key) {
    KeyLock joined =
        locks.compute(
            key,
            (same, lock) -> {
              KeyLock used = lock == null ? new KeyLock(ids.getAndIncrement()) : lock;
              used.users++;
              return used;
            });
    return joined;
  }

  private void leave(K key) {
    locks.computeIfPresent(key, (same, lock) -> --lock.users == 0 ? null : lock);
  }

  /** How many keys have a lock now. */
  int size() {
    return locks.size();
  }
}
