package dev.isogrid.jcache;

import dev.isogrid.api.Expiry;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.expiry.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Single changes of an entry as it was read, with its expiry and its events. Each fails with {@link
 * Outcome#CONFLICT} if the entry was changed meanwhile: by a user of the cache underneath, by
 * another node, or since its time was over.
 *
 * @param store keeps the entries
 * @param expiries computes the times of entries
 * @param listeners are called for changes
 */
record EntryChanges<K, V>(EntryStore<K, V> store, Expiries expiries, Listeners<K, V> listeners) {
  /** The outcome of a change. */
  enum Outcome {
    /** The change is made. */
    DONE,
    /** The expiry policy gave it no time: there is no entry now. */
    OVER,
    /** Nothing is changed: the entry is not as it was read. */
    CONFLICT
  }

  /** Far more than a key that many nodes write at once can need. */
  private static final int ATTEMPTS_MAX = 10_000;

  /** Runs an attempt, which reads the entry and changes it, until it gives something. */
  <R> R retried(K key, Supplier<@Nullable R> attempt) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      R result = attempt.get();
      if (result != null) {
        return result;
      }
    }
    throw new CacheException(
        "cannot change an entry that others keep changing: attempts="
            + ATTEMPTS_MAX
            + ", key="
            + key.getClass().getName()
            + "; try again");
  }

  /** Stores a value where there was none. */
  Outcome create(K key, V value) {
    Expiry expiry = expiries.ofCreation();
    if (expiry == null) {
      return Outcome.OVER;
    }
    if (!store.putIfAbsent(key, value, expiry)) {
      return Outcome.CONFLICT;
    }
    listeners.created(key, value);
    return Outcome.DONE;
  }

  /** Gives an entry a new value. */
  Outcome update(K key, StoredEntry<V> old, V value) {
    Duration duration = expiries.ofUpdate();
    Expiry expiry = duration == null ? null : Expiries.expiry(duration);
    if (duration != null && expiry == null) {
      return expire(key, old) ? Outcome.OVER : Outcome.CONFLICT;
    }
    boolean isDone =
        expiry == null
            ? store.replaceKeepingEnd(key, value, old)
            : store.replaceIfVersion(key, value, old.version(), expiry);
    if (!isDone) {
      return Outcome.CONFLICT;
    }
    listeners.updated(key, value, old.value());
    return Outcome.DONE;
  }

  /** Stores a value, whether there was one or not. */
  Outcome set(K key, @Nullable StoredEntry<V> old, V value) {
    return old == null ? create(key, value) : update(key, old, value);
  }

  /** Removes an entry. */
  Outcome remove(K key, StoredEntry<V> old) {
    if (!store.removeIfVersion(key, old.version())) {
      return Outcome.CONFLICT;
    }
    listeners.removed(key, old.value());
    return Outcome.DONE;
  }

  /** Notes that an entry was used. An entry that was changed meanwhile keeps the expiry of that. */
  void access(K key, StoredEntry<V> entry) {
    Duration duration = expiries.ofAccess();
    if (duration == null) {
      return;
    }
    Expiry expiry = Expiries.expiry(duration);
    if (expiry == null) {
      expire(key, entry);
    } else {
      store.replaceIfVersion(key, entry.value(), entry.version(), expiry);
    }
  }

  private boolean expire(K key, StoredEntry<V> entry) {
    boolean removed = store.removeIfVersion(key, entry.version());
    if (removed) {
      listeners.expired(key, entry.value());
    }
    return removed;
  }
}
