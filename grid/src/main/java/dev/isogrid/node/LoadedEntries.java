package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStore;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.LoaderStore;
import dev.isogrid.api.LoadingConfig;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.base.EpochClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ReloadingStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a configured loader gives: with an age if they are to be refreshed, and with a
 * memory for absent ones. Thread-safe.
 */
final class LoadedEntries implements CacheStore<Object, Object>, ReloadingStore {
  /** The lifespan of an entry that has none, so that its age is kept: longer than any process. */
  static final long AGED_MILLIS = TimeUnit.DAYS.toMillis(36_500);

  private final LoaderStore<Object, Object> loader;
  private final EpochClock clock;
  private final AbsentKeys absent;
  private final boolean addsAge;

  /**
   * For a cache.
   *
   * @param config has the store
   */
  LoadedEntries(LoaderStore<Object, Object> loader, CacheConfig config, EpochClock clock) {
    StoreConfig store = Objects.requireNonNull(config.store());
    LoadingConfig loading = store.loading();
    this.loader = loader;
    this.clock = clock;
    this.absent = new AbsentKeys(clock, loading.absentLifespanMillis());
    this.addsAge = needsAge(config, loading);
  }

  /** Whether entries of a cache must get a lifespan, so that their age is known. */
  static boolean needsAge(CacheConfig config, LoadingConfig loading) {
    return loading.refreshAfterWriteMillis() >= 0
        && config.lifespanMillis() < 0
        && config.maxIdleMillis() < 0;
  }

  private static Object identity(Object key) {
    return key instanceof byte[] bytes ? ByteString.of(bytes) : key;
  }

  private boolean isKnownAbsent(Object key) {
    return !absent.isEmpty() && absent.contains(identity(key));
  }

  private StoreEntry<Object, Object> aged(StoreEntry<Object, Object> entry) {
    return addsAge && entry.expiryMillis() == Expiry.UNLIMITED
        ? StoreEntry.until(entry.key(), entry.value(), clock.millis() + AGED_MILLIS)
        : entry;
  }

  @Override
  public @Nullable StoreEntry<Object, Object> load(Object key) throws Exception {
    if (isKnownAbsent(key)) {
      return null;
    }
    StoreEntry<Object, Object> found = loader.load(key);
    if (found == null) {
      absent.add(identity(key));
      return null;
    }
    return aged(found);
  }

  @Override
  public void loadAll(List<Object> keys, Consumer<StoreEntry<Object, Object>> found)
      throws Exception {
    List<Object> wanted = new ArrayList<>(keys);
    wanted.removeIf(this::isKnownAbsent);
    if (wanted.isEmpty()) {
      return;
    }
    Set<Object> missing = new HashSet<>(wanted);
    loader.loadAll(
        wanted,
        entry -> {
          missing.remove(entry.key());
          found.accept(aged(entry));
        });
    missing.forEach(key -> absent.add(identity(key)));
  }

  @Override
  public @Nullable Object reload(Object key, Object oldValue) throws Exception {
    Object value = loader.loader().reload(key, oldValue);
    if (value == null) {
      absent.add(identity(key));
    }
    return value;
  }

  @Override
  public void write(List<StoreEntry<Object, Object>> batch) {
    loader.write(batch);
  }

  @Override
  public void delete(List<Object> keys) {
    loader.delete(keys);
  }

  @Override
  public void publish(IntPredicate segments, Consumer<StoreEntry<Object, Object>> target) {
    loader.publish(segments, target);
  }

  @Override
  public void clear() {
    loader.clear();
  }

  @Override
  public void close() throws Exception {
    if (loader.loader() instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
