package dev.isogrid.jcache;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** The listeners of a cache. Thread-safe. */
final class Listeners<K, V> {
  private final Executor executor;
  private final EntryStore<K, V> store;
  private final List<ListenerCall<K, V>> calls = new CopyOnWriteArrayList<>();
  private volatile @Nullable Cache<K, V> source; // written by: attach, once
  private volatile @Nullable AutoCloseable expirations; // written by: add and close, locked

  /**
   * None yet.
   *
   * @param executor runs those that are not synchronous
   */
  Listeners(EntryStore<K, V> store, Executor executor) {
    this.store = store;
    this.executor = executor;
  }

  /** Sets the source of all events. */
  void attach(Cache<K, V> cache) {
    source = cache;
  }

  /** Adds a listener. The caller ensures that no other thread adds or closes meanwhile. */
  void add(CacheEntryListenerConfiguration<K, V> configuration) {
    ListenerCall<K, V> call = new ListenerCall<>(configuration, executor);
    calls.add(call);
    if (expirations == null && call.hears(EventType.EXPIRED)) {
      expirations = store.onExpired(this::expired);
    }
  }

  void remove(CacheEntryListenerConfiguration<K, V> configuration) {
    List<ListenerCall<K, V>> found =
        calls.stream().filter(call -> call.configuration().equals(configuration)).toList();
    calls.removeAll(found);
    found.forEach(ListenerCall::close);
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  void created(K key, V value) {
    raise(EventType.CREATED, key, value, null);
  }

  void updated(K key, V value, V oldValue) {
    raise(EventType.UPDATED, key, value, oldValue);
  }

  void removed(K key, V oldValue) {
    raise(EventType.REMOVED, key, oldValue, oldValue);
  }

  void expired(K key, @Nullable V oldValue) {
    raise(EventType.EXPIRED, key, oldValue, oldValue);
  }

  // The event gets copies: the caller may change its objects as soon as the operation has returned.
  private void raise(EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    CacheEntryEvent<K, V> event = null;
    for (ListenerCall<K, V> call : calls) {
      if (call.hears(type)) {
        if (event == null) {
          Copier copier = store.copier();
          event =
              new EntryEvent<>(
                  Objects.requireNonNull(source),
                  type,
                  copier.copy(key),
                  value == null ? null : copier.copy(value),
                  oldValue);
        }
        call.take(event);
      }
    }
  }

  /** Ends all. */
  void close() {
    Closing.close(expirations);
    calls.forEach(ListenerCall::close);
    calls.clear();
  }
}
