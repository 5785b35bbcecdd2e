package dev.isogrid.engine;

import dev.isogrid.api.CacheStore;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreEntry;
import dev.isogrid.api.StoreStats;
import dev.isogrid.base.Turns;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a store, counted, with failures in words. Opens the store when it is needed first.
 * Methods block. Thread-safe.
 */
public final class StoreCalls {
  private static final System.Logger log = System.getLogger(StoreCalls.class.getName());

  private final String cache;
  private final String what;
  private final Opener opener;
  private final Turns opening = new Turns("opening a store");
  private final LongAdder loads = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder dropped = new LongAdder();

  /** Written in a turn of {@link #opening}. */
  private volatile @Nullable CacheStore<Object, Object> store;

  /** Written in a turn of {@link #opening}. */
  private volatile boolean isClosed;

  /** Makes and opens a store. */
  @FunctionalInterface
  public interface Opener {
    /** Returns the store, ready to be used. */
    CacheStore<Object, Object> open() throws Exception;
  }

  /**
   * Begins with a store that is not open.
   *
   * @param what names the store in messages
   */
  public StoreCalls(String cache, String what, Opener opener) {
    this.cache = cache;
    this.what = what;
    this.opener = opener;
  }

  /**
   * Opens the store, unless it is open.
   *
   * @throws InvalidRequestException if its configuration is not valid
   * @throws RetryableGridException if it fails; the message has the reason
   */
  public void open() {
    CacheStore<Object, Object> _ = opened();
  }

  /** Opens the store, and clears it if that is wanted. */
  public void prepare(boolean isPurged) {
    open();
    if (isPurged) {
      clear();
    }
  }

  private CacheStore<Object, Object> opened() {
    CacheStore<Object, Object> known = store;
    if (known != null) {
      return known;
    }
    opening.take(this::openInTurn);
    known = store;
    if (known == null) {
      throw new RetryableGridException(
          "store closed: cache=%s, store=%s; the cache was removed".formatted(cache, what));
    }
    return known;
  }

  private void openInTurn() {
    if (store != null || isClosed) {
      return;
    }
    try {
      store = opener.open();
    } catch (InvalidRequestException refusal) {
      throw refusal;
    } catch (InvalidConfigurationException refusal) {
      throw new InvalidRequestException(String.valueOf(refusal.getMessage()), refusal);
    } catch (Exception failure) {
      throw failed("store can't be opened", failure);
    }
  }

  private RetryableGridException failed(String happened, Exception failure) {
    failures.increment();
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    String message = failure.getMessage();
    return new RetryableGridException(
        "%s: cache=%s, store=%s, reason=%s; mend the store, then try again"
            .formatted(happened, cache, what, message == null ? failure.toString() : message),
        failure);
  }

  /**
   * Loads an entry.
   *
   * @return null if there is none that lives
   * @throws RetryableGridException if the store fails
   */
  @Nullable StoreEntry<Object, Object> load(Object key, long nowMillis) {
    CacheStore<Object, Object> open = opened();
    StoreEntry<Object, Object> found;
    try {
      found = open.load(key);
    } catch (Exception failure) {
      throw failed("entry not read, since its store failed", failure);
    }
    boolean isLive = found != null && !found.isExpired(nowMillis);
    (isLive ? loads : misses).increment();
    return isLive ? found : null;
  }

  /**
   * Loads the value that follows an old one.
   *
   * @param oldValue null if there is none
   * @return null if there is none any more
   * @throws RetryableGridException if the store fails
   */
  @Nullable Object reload(Object key, @Nullable Object oldValue, long nowMillis) {
    if (oldValue == null || !(opened() instanceof ReloadingStore reloading)) {
      StoreEntry<Object, Object> found = load(key, nowMillis);
      return found == null ? null : found.value();
    }
    try {
      Object value = reloading.reload(key, oldValue);
      (value == null ? misses : loads).increment();
      return value;
    } catch (Exception failure) {
      throw failed("entry not refreshed, since its store failed", failure);
    }
  }

  /** As {@link #load} of several keys. */
  void loadAll(List<Object> keys, long nowMillis, Consumer<StoreEntry<Object, Object>> target) {
    int[] found = {0};
    try {
      opened()
          .loadAll(
              keys,
              entry -> {
                if (!entry.isExpired(nowMillis)) {
                  found[0]++;
                  target.accept(entry);
                }
              });
    } catch (Exception failure) {
      throw failed("entries not read, since their store failed", failure);
    }
    loads.add(found[0]);
    misses.add(Math.max(0, keys.size() - found[0]));
  }

  /**
   * Makes changes, those that delete last.
   *
   * @throws RetryableGridException if the store fails; it may have some of them
   */
  void change(List<StoreChange> changes) {
    List<StoreEntry<Object, Object>> written = new ArrayList<>();
    List<Object> deleted = new ArrayList<>();
    for (StoreChange change : changes) {
      StoreEntry<Object, Object> entry = change.entry();
      if (entry == null) {
        deleted.add(change.key());
      } else {
        written.add(entry);
      }
    }
    CacheStore<Object, Object> open = opened();
    try {
      if (!written.isEmpty()) {
        open.write(written);
      }
      if (!deleted.isEmpty()) {
        open.delete(deleted);
      }
    } catch (Exception failure) {
      throw failed("entry not written, since its store failed", failure);
    }
    writes.add(written.size());
    deletes.add(deleted.size());
  }

  /** Shows all entries. */
  void publish(Consumer<StoreEntry<Object, Object>> target) {
    CacheStore<Object, Object> open = opened();
    try {
      open.publish(_ -> true, target);
    } catch (Exception failure) {
      throw failed("entries not loaded, since their store failed", failure);
    }
  }

  /** Deletes all entries. */
  void clear() {
    CacheStore<Object, Object> open = opened();
    try {
      open.clear();
    } catch (Exception failure) {
      throw failed("store not cleared, since it failed", failure);
    }
  }

  /** Deletes what is expired. */
  void deleteExpired(long nowMillis) {
    CacheStore<Object, Object> open = opened();
    try {
      open.deleteExpired(nowMillis);
    } catch (Exception failure) {
      throw failed("expired entries not deleted, since the store failed", failure);
    }
  }

  /** Counts changes that the store is never asked for again. */
  void countDropped(int changes) {
    dropped.add(changes);
  }

  /** Names the store in messages. */
  String what() {
    return what;
  }

  /** The counts. */
  StoreStats stats(long queued) {
    return new StoreStats(
        loads.sum(),
        misses.sum(),
        writes.sum(),
        deletes.sum(),
        failures.sum(),
        dropped.sum(),
        queued);
  }

  /** Closes the store. Closing twice is harmless. */
  public void close() {
    opening.take(() -> {
      CacheStore<Object, Object> known = store;
      isClosed = true;
      store = null;
      if (known != null) {
        close(known);
      }
    });
  }

  private void close(CacheStore<Object, Object> known) {
    try {
      known.close();
    } catch (Exception failure) {
      log.log(
          Level.WARNING,
          "store not closed properly: cache=%s, store=%s".formatted(cache, what),
          failure);
    }
  }
}
