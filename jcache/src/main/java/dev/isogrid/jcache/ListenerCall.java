package dev.isogrid.jcache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.Executor;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** One registered listener: its filter, and the thread that calls it. Thread-safe. */
final class ListenerCall<K, V> {
  private static final Logger log = System.getLogger(ListenerCall.class.getName());

  private final CacheEntryListenerConfiguration<K, V> configuration;
  private final CacheEntryListener<? super K, ? super V> listener;
  private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;
  private final @Nullable SerialTasks tasks;

  /**
   * Makes listener and filter by their factories.
   *
   * @param executor runs calls of a listener that is not synchronous
   */
  ListenerCall(CacheEntryListenerConfiguration<K, V> configuration, Executor executor) {
    this.configuration = configuration;
    listener = configuration.getCacheEntryListenerFactory().create();
    Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
        configuration.getCacheEntryEventFilterFactory();
    filter = filters == null ? null : filters.create();
    tasks = configuration.isSynchronous() ? null : new SerialTasks(executor);
  }

  CacheEntryListenerConfiguration<K, V> configuration() {
    return configuration;
  }

  boolean hears(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  /**
   * Calls the listener, if its filter lets the event pass; now or by another thread.
   *
   * @throws CacheEntryListenerException if a synchronous one fails
   */
  void take(CacheEntryEvent<K, V> event) {
    if (tasks == null) {
      call(event);
    } else {
      tasks.add(() -> callAndLog(event));
    }
  }

  private void callAndLog(CacheEntryEvent<K, V> event) {
    try {
      call(event);
    } catch (CacheEntryListenerException e) {
      log.log(Level.WARNING, "cache listener failed: " + listener, e);
    }
  }

  private void call(CacheEntryEvent<K, V> event) {
    try {
      if (filter == null || filter.evaluate(event)) {
        deliver(event);
      }
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("the cache listener failed: " + listener, e);
    }
  }

  @SuppressWarnings("unchecked") // a listener of super types takes the event
  private void deliver(CacheEntryEvent<K, V> event) {
    List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
    switch (event.getEventType()) {
      case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
      case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
      case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
      case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
    }
  }

  /** Closes listener and filter, if they can be. */
  void close() {
    Closing.close(listener);
    Closing.close(filter);
  }
}
