package dev.isogrid.spring;

import dev.isogrid.api.BasicCache;
import dev.isogrid.api.Expiry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/** A cache of a grid or of its client, for Spring. A null value is kept as {@link NoValue}. */
final class GridSpringCache extends AbstractValueAdaptingCache {
  private final String name;
  private final BasicCache<Object, Object> cache;
  private final Expiry expiry;

  GridSpringCache(String name, BasicCache<Object, Object> cache, Expiry expiry) {
    super(true);
    this.name = name;
    this.cache = cache;
    this.expiry = expiry;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public Object getNativeCache() {
    return cache;
  }

  @Override
  protected @Nullable Object lookup(Object key) {
    return cache.get(MethodArguments.key(key));
  }

  @Override
  protected Object toStoreValue(@Nullable Object value) {
    return value == null ? NoValue.NULL : value;
  }

  @Override
  protected @Nullable Object fromStoreValue(@Nullable Object value) {
    return value == NoValue.NULL ? null : value;
  }

  /** The value in the cache, else that of the loader, which runs once per key at a time. */
  @Override
  @SuppressWarnings("unchecked") // the caller knows the type, as with any cache of Spring
  public <T> @Nullable T get(Object key, Callable<T> loader) {
    try {
      return (T)
          fromStoreValue(
              cache.computeIfAbsent(MethodArguments.key(key), same -> loaded(loader), expiry));
    } catch (LoaderFailure e) {
      throw new ValueRetrievalException(key, loader, e.getCause());
    }
  }

  private Object loaded(Callable<?> loader) {
    try {
      return toStoreValue(loader.call());
    } catch (Exception e) {
      throw new LoaderFailure(e);
    }
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    cache.put(MethodArguments.key(key), toStoreValue(value), expiry);
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return toValueWrapper(cache.putIfAbsent(MethodArguments.key(key), toStoreValue(value), expiry));
  }

  @Override
  public void evict(Object key) {
    cache.remove(MethodArguments.key(key));
  }

  @Override
  public boolean evictIfPresent(Object key) {
    return cache.remove(MethodArguments.key(key)) != null;
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public boolean invalidate() {
    boolean wasUsed = !cache.isEmpty();
    cache.clear();
    return wasUsed;
  }

  /** Carries what a loader throws through the cache. */
  private static final class LoaderFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoaderFailure(Exception cause) {
      super(cause);
    }
  }
}
