package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheEntry;
import dev.isogrid.api.CacheLoader;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.LoadingCache;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.base.EpochClock;
import dev.isogrid.engine.Claims;
import dev.isogrid.engine.LoadClaim;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Loads the missing values of a cache. Thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EmbeddedLoading<K, V> implements LoadingCache<K, V> {
  private static final System.Logger log = System.getLogger(EmbeddedLoading.class.getName());

  private static final Expiry AGED =
      Expiry.lifespan(LoadedEntries.AGED_MILLIS, TimeUnit.MILLISECONDS);

  /** The shortest time between two log lines about failed refreshes. */
  private static final long TOLD_MILLIS = 10_000;

  private final EmbeddedCache<K, V, ?, ?> cache;
  private final CacheLoader<? super K, V> loader;
  private final LoadingConfig config;
  private final EpochClock clock;

  private final AbsentKeys absent;

  private final Map<Object, CompletableFuture<@Nullable V>> refreshes = new ConcurrentHashMap<>();
  private final AtomicLong nextTold = new AtomicLong(Long.MIN_VALUE);

  EmbeddedLoading(
      EmbeddedCache<K, V, ?, ?> cache,
      CacheLoader<? super K, V> loader,
      LoadingConfig config,
      EpochClock clock) {
    this.cache = cache;
    this.loader = Objects.requireNonNull(loader, "loader");
    this.config = Objects.requireNonNull(config, "config");
    this.clock = clock;
    this.absent = new AbsentKeys(clock, config.absentLifespanMillis());
  }

  @Override
  public Cache<K, V> cache() {
    return cache;
  }

  /** A call of the loader, which may throw anything. */
  private interface Load<R extends @Nullable Object> {
    R run() throws Exception;
  }

  private static <R extends @Nullable Object> R checked(Load<R> load) {
    try {
      return load.run();
    } catch (RuntimeException thrown) {
      throw thrown;
    } catch (InterruptedException thrown) {
      Thread.currentThread().interrupt();
      throw new CompletionException(thrown);
    } catch (Exception thrown) {
      throw new CompletionException(thrown);
    }
  }

  private Expiry expiry() {
    return LoadedEntries.needsAge(cache.config(), config) ? AGED : Expiry.DEFAULT;
  }

  // ---- single values

  @Override
  public @Nullable V getIfPresent(K key) {
    if (config.refreshAfterWriteMillis() < 0) {
      return cache.get(key);
    }
    CacheEntry<K, V> entry = cache.getEntry(key);
    if (entry == null) {
      return null;
    }
    boolean isOld =
        entry.createdMillis() >= 0
            && clock.millis() - entry.createdMillis() >= config.refreshAfterWriteMillis();
    if (isOld && !refreshes.containsKey(cache.identity(key))) {
      CompletableFuture<@Nullable V> _ = refresh(key);
    }
    return entry.value();
  }

  @Override
  @SuppressWarnings("NullAway") // it takes no null from the wildcard of the function
  public @Nullable V get(K key) {
    V present = getIfPresent(key);
    if (present != null || isKnownAbsent(key)) {
      return present;
    }
    return cache.load(key, this::loadUnlessAbsent, expiry(), this);
  }

  /** Another thread may just have found that there is nothing. */
  private @Nullable V loadUnlessAbsent(K key) {
    if (isKnownAbsent(key)) {
      return null;
    }
    V loaded = checked(() -> loader.load(key));
    if (loaded == null) {
      rememberAbsent(key);
    }
    return loaded;
  }

  private boolean isKnownAbsent(K key) {
    return !absent.isEmpty() && absent.contains(cache.identity(key));
  }

  private void rememberAbsent(K key) {
    if (config.absentLifespanMillis() >= 0) {
      absent.add(cache.identity(key));
    }
  }

  @Override
  public void put(K key, V value) {
    cache.put(key, value, expiry());
    absent.remove(cache.identity(key));
  }

  @Override
  public void invalidate(K key) {
    absent.remove(cache.identity(key));
    cache.remove(key);
  }

  @Override
  public CompletableFuture<@Nullable V> getAsync(K key) {
    return cache.function(() -> get(key), Set.of(Objects.requireNonNull(key, "key")));
  }

  // ---- several values

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    Map<K, V> found = cache.getAll(keys);
    Map<K, LoadClaim> claims = new LinkedHashMap<>();
    Set<K> others = new HashSet<>();
    try {
      for (K key : keys) {
        if (found.containsKey(key) || isKnownAbsent(key)) {
          continue;
        }
        LoadClaim claim = cache.tryLoad(key);
        if (claim == null) {
          others.add(key);
        } else {
          claims.put(key, claim);
        }
      }
      found.putAll(loadClaimed(claims));
    } finally {
      claims.values().forEach(LoadClaim::close);
    }
    for (K key : others) {
      V value = get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }

  private Map<K, V> loadClaimed(Map<K, LoadClaim> claims) {
    if (claims.isEmpty()) {
      return Map.of();
    }
    // Some may have been loaded before they were claimed.
    Map<K, V> found = cache.getAll(claims.keySet());
    Set<K> missing = new HashSet<>(claims.keySet());
    missing.removeAll(found.keySet());
    if (missing.isEmpty()) {
      return found;
    }
    Set<K> asked = Collections.unmodifiableSet(missing);
    Map<K, V> answer = checked(() -> this.<K>all(asked));
    Map<K, V> loaded = new HashMap<>(Objects.requireNonNull(answer, "loadAll gave no map"));
    loaded.keySet().retainAll(missing);
    claims.values().forEach(LoadClaim::beginStoring);
    found.putAll(cache.putAllIfAbsent(loaded, expiry()));
    missing.removeAll(loaded.keySet());
    missing.forEach(this::rememberAbsent);
    return found;
  }

  @SuppressWarnings("unchecked") // it loads values of these keys, whatever else it may load
  private <T extends K> Map<K, V> all(Set<T> keys) throws Exception {
    return ((CacheLoader<K, V>) loader).loadAll(keys);
  }

  @Override
  public CompletableFuture<Map<K, V>> getAllAsync(Set<? extends K> keys) {
    return cache.function(() -> getAll(keys), Objects.requireNonNull(keys, "keys"));
  }

  // ---- refreshing

  @Override
  public CompletableFuture<@Nullable V> refresh(K key) {
    Object identity = cache.identity(Objects.requireNonNull(key, "key"));
    CompletableFuture<@Nullable V> begun = new CompletableFuture<>();
    CompletableFuture<@Nullable V> other = refreshes.putIfAbsent(identity, begun);
    if (other != null) {
      return other.copy();
    }
    CompletableFuture<@Nullable V> running = cache.function(() -> reload(key), Set.of(key));
    running.whenComplete((value, failure) -> {
      refreshes.remove(identity);
      if (failure == null) {
        begun.complete(value);
      } else {
        tell(failure);
        begun.completeExceptionally(failure);
      }
    });
    return begun.copy();
  }

  private void tell(Throwable failure) {
    long now = clock.millis();
    long next = nextTold.get();
    if (now >= next && nextTold.compareAndSet(next, now + TOLD_MILLIS)) {
      log.log(
          Level.WARNING,
          "value not refreshed, the old one stays: cache=" + cache.name() + "; see the cause",
          failure);
    }
  }

  private @Nullable V reload(K key) {
    CacheEntry<K, V> entry = cache.getEntry(key);
    if (entry == null) {
      absent.remove(cache.identity(key));
      return get(key);
    }
    if (cache.config().store() != null) {
      return reloadInTurn(key, entry);
    }
    try (Claims.Claim claim = cache.tryClaim(key)) {
      return claim == null ? entry.value() : follow(key, entry, reloaded(key, entry));
    }
  }

  /** In a cache with a store every write has the turn of its key, so this one has it already. */
  private @Nullable V reloadInTurn(K key, CacheEntry<K, V> entry) {
    try (LoadClaim claim = cache.tryLoad(key)) {
      if (claim == null) {
        return entry.value();
      }
      V loaded = reloaded(key, entry);
      claim.beginStoring();
      return follow(key, entry, loaded);
    }
  }

  private @Nullable V reloaded(K key, CacheEntry<K, V> entry) {
    return checked(() -> loader.reload(key, entry.value()));
  }

  /** Puts a new value in the place of an old one, unless that was changed. */
  private @Nullable V follow(K key, CacheEntry<K, V> old, @Nullable V loaded) {
    if (loaded != null) {
      cache.replaceIfVersion(key, loaded, old.version(), expiry());
    } else if (cache.removeIfVersion(key, old.version())) {
      rememberAbsent(key);
    }
    return loaded;
  }
}
