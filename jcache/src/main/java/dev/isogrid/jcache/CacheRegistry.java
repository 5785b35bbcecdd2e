package dev.isogrid.jcache;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** The caches of one URI and one class loader: a cache manager in the words of JCache. */
final class CacheRegistry implements CacheManager {
  /** How long a thread of listeners and loaders stays without work. */
  private static final long IDLE_SECONDS = 30;

  private final IsogridCachingProvider provider;
  private final URI uri;
  private final ClassLoader loader;
  private final Properties properties;
  private final Backend backend;
  private final ExecutorService executor;
  private final Map<String, JCache<?, ?>> caches = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean closed = new AtomicBoolean();

  CacheRegistry(
      IsogridCachingProvider provider,
      URI uri,
      ClassLoader loader,
      Properties properties,
      Backend backend) {
    this.provider = provider;
    this.uri = uri;
    this.loader = loader;
    this.properties = properties;
    this.backend = backend;
    executor =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = Executors.defaultThreadFactory().newThread(task);
              thread.setName("isogrid-jcache");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Runs asynchronous listeners and loads. */
  Executor executor() {
    return executor;
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException(
          "the cache manager is closed: uri=" + UriText.withoutSecrets(uri));
    }
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return loader;
  }

  @Override
  public Properties getProperties() {
    return properties;
  }

  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String name, C configuration) {
    checkOpen();
    Objects.requireNonNull(name, "cacheName");
    Objects.requireNonNull(configuration, "configuration");
    lock.lock();
    try {
      if (caches.containsKey(name)) {
        throw new CacheException("there is a cache of this name already: cache=" + name);
      }
      IsogridConfiguration<K, V> own = copy(configuration);
      JCache<K, V> cache = new JCache<>(this, name, own, backend.open(name, own, loader));
      caches.put(name, cache);
      boolean isOpen = false;
      try {
        cache.open();
        isOpen = true;
      } finally {
        if (!isOpen) {
          cache.close(); // so that the name is free
        }
      }
      return cache;
    } finally {
      lock.unlock();
    }
  }

  private static <K, V> IsogridConfiguration<K, V> copy(Configuration<K, V> given) {
    if (given instanceof CompleteConfiguration<K, V> complete) {
      return new IsogridConfiguration<>(complete);
    }
    MutableConfiguration<K, V> complete =
        new MutableConfiguration<K, V>()
            .setTypes(given.getKeyType(), given.getValueType())
            .setStoreByValue(given.isStoreByValue());
    return new IsogridConfiguration<>(complete);
  }

  @Override
  public <K, V> @Nullable Cache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    JCache<K, V> cache = find(name);
    if (cache != null) {
      cache.types().checkAsked(name, keyType, valueType);
    }
    return cache;
  }

  @Override
  public <K, V> @Nullable Cache<K, V> getCache(String name) {
    return find(name);
  }

  @SuppressWarnings("unchecked") // the caller knows the types, as in every cache manager
  private <K, V> @Nullable JCache<K, V> find(String name) {
    checkOpen();
    Objects.requireNonNull(name, "cacheName");
    return (JCache<K, V>) caches.get(name);
  }

  @Override
  public Iterable<String> getCacheNames() {
    checkOpen();
    return Set.copyOf(caches.keySet());
  }

  @Override
  public void destroyCache(String name) {
    JCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.close();
      backend.remove(name);
    }
  }

  /** A cache is closed. */
  void forget(JCache<?, ?> cache) {
    caches.remove(cache.getName(), cache);
  }

  @Override
  public void enableManagement(String name, boolean enabled) {
    JCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.showManagement(enabled);
    }
  }

  @Override
  public void enableStatistics(String name, boolean enabled) {
    JCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.showStatistics(enabled);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      provider.forget(this);
      List.copyOf(caches.values()).forEach(JCache::close);
      executor.shutdown();
      backend.close();
    }
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    T inner = type.isInstance(this) ? type.cast(this) : backend.unwrap(type);
    return inner == null ? Unwrapping.cast(this, type) : inner;
  }

  @Override
  public String toString() {
    return "caches of " + UriText.withoutSecrets(uri) + ": " + new TreeSet<>(caches.keySet());
  }
}
