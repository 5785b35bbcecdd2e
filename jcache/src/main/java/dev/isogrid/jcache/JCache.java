package dev.isogrid.jcache;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** A cache as JCache sees it. Checks arguments, measures, and leaves the rest to its parts. */
final class JCache<K, V> implements Cache<K, V> {
  private final CacheRegistry registry;
  private final String name;
  private final IsogridConfiguration<K, V> configuration; // its changes are guarded by: lock
  private final Types types;
  private final EntryStore<K, V> store;
  private final Executor executor;
  private final ExpiryPolicy policy;
  private final @Nullable CacheLoader<K, V> loader;
  private final Statistics statistics;
  private final Listeners<K, V> listeners;
  private final EntryChanges<K, V> changes;
  private final EntryReads<K, V> reads;
  private final EntryWrites<K, V> writes;
  private final CacheBeans beans;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final RunningLoads running = new RunningLoads();

  /**
   * A cache over a store.
   *
   * @param registry has made the cache
   * @param configuration its own copy
   */
  JCache(
      CacheRegistry registry,
      String name,
      IsogridConfiguration<K, V> configuration,
      EntryStore<K, V> store) {
    this.registry = registry;
    this.name = name;
    this.configuration = configuration;
    this.store = store;
    executor = registry.executor();
    types = new Types(configuration);
    policy = configuration.getExpiryPolicyFactory().create();
    loader = made(configuration.getCacheLoaderFactory());
    statistics = new Statistics(store::evictions);
    listeners = new Listeners<>(store, executor);
    changes = new EntryChanges<>(store, new Expiries(policy), listeners);
    KeyLocks<K> locks = new KeyLocks<>();
    reads =
        new EntryReads<>(
            changes, locks, statistics, configuration.isReadThrough() ? loading() : null);
    writes =
        new EntryWrites<>(
            changes,
            locks,
            statistics,
            new Writing<>(configuration.isWriteThrough() ? writer(configuration) : null));
    beans = new CacheBeans(registry.getURI(), name);
  }

  /** Starts the listeners and MXBeans of the configuration. */
  void open() {
    listeners.attach(this);
    configuration.getCacheEntryListenerConfigurations().forEach(listeners::add);
    showStatistics(configuration.isStatisticsEnabled());
    showManagement(configuration.isManagementEnabled());
  }

  private static <T> @Nullable T made(@Nullable Factory<? extends T> factory) {
    return factory == null ? null : factory.create();
  }

  @SuppressWarnings("unchecked") // a writer of super types writes these keys and values
  private static <K, V> @Nullable CacheWriter<K, V> writer(
      IsogridConfiguration<K, V> configuration) {
    return (CacheWriter<K, V>) made(configuration.getCacheWriterFactory());
  }

  private @Nullable Loading<K, V> loading() {
    return loader == null ? null : new Loading<>(loader);
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the cache is closed: cache=" + name);
    }
  }

  private void checkKey(K key) {
    checkOpen();
    types.checkKey(key);
  }

  private void check(K key, V value) {
    checkKey(key);
    types.checkValue(value);
  }

  /** A copy of keys, without null. */
  private Set<K> checked(Set<? extends K> keys) {
    checkOpen();
    Objects.requireNonNull(keys, "keys");
    keys.forEach(types::checkKey);
    return new HashSet<>(keys);
  }

  // ---- reads ----------------------------------------------------------------------------------

  private <T extends @Nullable Object> T timedGet(Supplier<T> operation) {
    long start = statistics.start();
    T result = operation.get();
    statistics.getTook(start);
    return result;
  }

  @Override
  public @Nullable V get(K key) {
    checkOpen();
    Objects.requireNonNull(key, "key");
    return timedGet(() -> reads.get(key));
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    Set<K> wanted = checked(keys);
    return timedGet(() -> reads.getAll(wanted));
  }

  @Override
  public boolean containsKey(K key) {
    checkOpen();
    Objects.requireNonNull(key, "key");
    return reads.containsKey(key);
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExisting, @Nullable CompletionListener completion) {
    Set<K> wanted = checked(keys);
    Loading<K, V> loading = loading();
    EntryReads<K, V> loads = new EntryReads<>(changes, reads.locks(), statistics, loading);
    executor.execute(() -> load(loads, wanted, replaceExisting, completion));
  }

  private void load(
      EntryReads<K, V> loads,
      Set<K> keys,
      boolean replaceExisting,
      @Nullable CompletionListener completion) {
    try {
      running.run(() -> {
        checkOpen();
        loads.loadAll(keys, replaceExisting);
      });
    } catch (RuntimeException e) {
      if (completion != null) {
        completion.onException(e);
      }
      return;
    } catch (Error e) { // or the caller would wait for ever
      if (completion != null) {
        completion.onException(new CacheLoaderException("the loader failed: " + loader, e));
      }
      throw e;
    }
    if (completion != null) {
      completion.onCompletion();
    }
  }

  @Override
  public Iterator<Cache.Entry<K, V>> iterator() {
    checkOpen();
    return new EntryCursor<>(store.iterator(), this::noteRead, this::remove);
  }

  private void noteRead(K key) {
    statistics.read(true);
    if (!changes.expiries().ignoresAccess()) {
      StoredEntry<V> entry = store.entry(key);
      if (entry != null) {
        changes.access(key, entry);
      }
    }
  }

  // ---- writes ---------------------------------------------------------------------------------

  private <T extends @Nullable Object> T timedPut(Supplier<T> operation) {
    long start = statistics.start();
    T result = operation.get();
    statistics.putTook(start);
    return result;
  }

  private <T extends @Nullable Object> T timedRemove(Supplier<T> operation) {
    long start = statistics.start();
    T result = operation.get();
    statistics.removeTook(start);
    return result;
  }

  @Override
  public void put(K key, V value) {
    check(key, value);
    long start = statistics.start();
    writes.put(key, value);
    statistics.putTook(start);
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    check(key, value);
    return timedPut(() -> timedGet(() -> writes.getAndPut(key, value)));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    checkOpen();
    Objects.requireNonNull(map, "map");
    map.forEach(this::check);
    long start = statistics.start();
    new BulkWrites<>(writes).putAll(map);
    statistics.putTook(start);
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    check(key, value);
    return timedPut(() -> writes.putIfAbsent(key, value));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    check(key, newValue);
    types.checkValue(oldValue);
    return timedPut(() -> timedGet(() -> writes.replace(key, oldValue, newValue)));
  }

  @Override
  public boolean replace(K key, V value) {
    check(key, value);
    return timedPut(() -> timedGet(() -> writes.replace(key, value)));
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    check(key, value);
    return timedPut(() -> timedGet(() -> writes.getAndReplace(key, value)));
  }

  @Override
  public boolean remove(K key) {
    checkKey(key);
    return timedRemove(() -> writes.remove(key));
  }

  @Override
  public boolean remove(K key, V oldValue) {
    check(key, oldValue);
    return timedRemove(() -> timedGet(() -> writes.remove(key, oldValue)));
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    checkKey(key);
    return timedRemove(() -> timedGet(() -> writes.getAndRemove(key)));
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    Set<K> wanted = checked(keys);
    long start = statistics.start();
    new BulkWrites<>(writes).removeAll(wanted);
    statistics.removeTook(start);
  }

  @Override
  public void removeAll() {
    checkOpen();
    removeAll(store.keys());
  }

  @Override
  public void clear() {
    checkOpen();
    store.clear();
  }

  // ---- entry processors -----------------------------------------------------------------------

  @Override
  public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    checkKey(key);
    Objects.requireNonNull(processor, "entryProcessor");
    return timedGet(
        () -> new Invocations<>(reads, writes.writing()).invoke(key, processor, arguments));
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    Set<K> wanted = checked(keys);
    Objects.requireNonNull(processor, "entryProcessor");
    return timedGet(
        () -> new Invocations<>(reads, writes.writing()).invokeAll(wanted, processor, arguments));
  }

  // ---- the cache itself -----------------------------------------------------------------------

  @Override
  public String getName() {
    return name;
  }

  @Override
  public CacheManager getCacheManager() {
    return registry;
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    lock.lock();
    try {
      return Unwrapping.cast(new IsogridConfiguration<>(configuration), type);
    } finally {
      lock.unlock();
    }
  }

  Types types() {
    return types;
  }

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    checkOpen();
    Objects.requireNonNull(listener, "cacheEntryListenerConfiguration");
    lock.lock();
    try {
      configuration.addCacheEntryListenerConfiguration(listener);
      listeners.add(listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
    checkOpen();
    Objects.requireNonNull(listener, "cacheEntryListenerConfiguration");
    lock.lock();
    try {
      configuration.removeCacheEntryListenerConfiguration(listener);
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  /** Counts from now on and shows it by JMX, or not. */
  void showStatistics(boolean enabled) {
    checkOpen();
    lock.lock();
    try {
      configuration.setStatisticsEnabled(enabled);
      statistics.enable(enabled);
      beans.show(statistics, enabled);
    } finally {
      lock.unlock();
    }
  }

  /** Shows the configuration by JMX, or not. */
  void showManagement(boolean enabled) {
    checkOpen();
    lock.lock();
    try {
      configuration.setManagementEnabled(enabled);
      beans.show(new CacheDescription(configuration), enabled);
    } finally {
      lock.unlock();
    }
  }

  /** Closes the cache; its entries stay where they are. Waits for loads, but not long. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      registry.forget(this);
      lock.lock();
      try {
        beans.hide();
        listeners.close();
      } finally {
        lock.unlock();
      }
      running.awaitEnd();
      Closing.close(loader);
      Closing.close(writes.writing().writer());
      Closing.close(policy);
    }
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : Unwrapping.cast(store.cache(), type);
  }

  @Override
  public String toString() {
    return "JCache " + name + " of " + UriText.withoutSecrets(registry.getURI());
  }
}
