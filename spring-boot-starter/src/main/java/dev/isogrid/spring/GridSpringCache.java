package dev.isogrid.spring;

import dev.isogrid.api.BasicCache;
import dev.isogrid.api.Expiry;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/** A cache of a grid or of its client, for Spring. A null value is kept as {@link NoValue}. */
final class GridSpringCache extends AbstractValueAdaptingCache {
  private final String name;
  private final BasicCache<Object, Object> cache;
  private final Expiry expiry;

  /** The loads under way by {@link #retrieve(Object, Supplier)}, which their callers share. */
  private final Map<Object, CompletableFuture<Object>> loads = new ConcurrentHashMap<>();

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

  /**
   * The value for a method that answers by a future: a wrapper, or null if there is none. What
   * follows runs on the common pool: it may write to the cache, for which threads of the client or
   * the grid must not wait.
   */
  @Override
  public CompletableFuture<?> retrieve(Object key) {
    return cache.getAsync(MethodArguments.key(key)).thenApplyAsync(this::toValueWrapper);
  }

  /**
   * The value in the cache, else that of the loader. Callers in this process that ask for the same
   * key at the same time share one call of it.
   */
  @Override
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
    Object argument = MethodArguments.key(key);
    CompletableFuture<Object> begun = new CompletableFuture<>();
    CompletableFuture<Object> running = loads.putIfAbsent(argument, begun);
    if (running != null) {
      return typed(running);
    }
    try {
      cache
          .getAsync(argument)
          .thenComposeAsync(found ->
              found == null
                  ? loadedAsync(argument, loader)
                  : CompletableFuture.completedFuture(found))
          .whenComplete((value, failure) -> settle(argument, begun, value, failure));
    } catch (RuntimeException failure) {
      settle(argument, begun, null, failure);
    }
    return typed(begun);
  }

  private CompletableFuture<Object> loadedAsync(
      Object argument, Supplier<? extends CompletableFuture<?>> loader) {
    return loader
        .get()
        .thenCompose(value -> {
          Object stored = toStoreValue(value);
          return cache.putAsync(argument, stored, expiry).thenApply(before -> stored);
        });
  }

  /** Ends a load. It is no longer shared when its callers learn of its end. */
  private void settle(
      Object argument,
      CompletableFuture<Object> begun,
      @Nullable Object value,
      @Nullable Throwable failure) {
    loads.remove(argument, begun);
    if (failure != null) {
      begun.completeExceptionally(failure);
    } else if (value != null) {
      begun.complete(value);
    }
  }

  /** A future of the caller's own, which nobody else can cancel. */
  @SuppressWarnings("unchecked") // the caller knows the type, as with any cache of Spring
  private <T> CompletableFuture<T> typed(CompletableFuture<Object> stored) {
    return (CompletableFuture<T>) stored.thenApplyAsync(this::fromStoreValue);
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
