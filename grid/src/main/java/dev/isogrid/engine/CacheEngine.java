package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.SegmentSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one cache, for every way in, wherever its entries are. Thread-safe.
 *
 * <p>Single-key operations are linearizable. After {@link #close} every operation throws {@link
 * FatalGridException}.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public abstract class CacheEngine<K, V> implements AutoCloseable {
  private final String name;
  private final CacheConfig config;
  final Env env;

  /** Null if statistics are off. */
  final @Nullable CacheCounters counters;

  /** Written by {@link #close}. */
  private volatile boolean closed;

  CacheEngine(String name, CacheConfig config, Env env) {
    this.name = name;
    this.config = config;
    this.env = env;
    this.counters = config.statistics() ? new CacheCounters(env.epochClock().millis()) : null;
  }

  /** The cache's name. */
  public final String name() {
    return name;
  }

  /** The cache's configuration. */
  public final CacheConfig config() {
    return config;
  }

  /** The wall clock that expiry goes by, milliseconds since 1970. */
  public final long nowMillis() {
    return env.epochClock().millis();
  }

  /** The number of segments. */
  public abstract int segmentCount();

  /** A new window that fits this cache, for {@link #read} and {@link #snapshot}. */
  public abstract EntryView<K, V> newView();

  /**
   * Whether an operation on a key may have to wait for another node as things are. One that has not
   * must not be kept from it either: it is a hint for those who can't block.
   *
   * @param hash the key's hash
   * @param isRead whether the operation is {@link #read}, {@link #peek} or {@link #readBytes}
   */
  public abstract boolean mayWait(int hash, boolean isRead);

  /** Whether any operation on this cache may have to wait for another node. */
  public abstract boolean isClustered();

  /**
   * Reads an entry; counts as a hit or a miss.
   *
   * @param key the key
   * @param hash its hash
   * @param view the window to use; the caller's own
   * @param reader called if there is a live entry
   * @return whether there is one
   */
  public final boolean read(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    boolean found = peek(key, hash, view, reader);
    countRead(found);
    return found;
  }

  /** As {@link #read}, but counts nothing. A live entry with max idle is touched all the same. */
  public abstract boolean peek(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader);

  /**
   * The value of a live entry in a cache of objects; counts as a hit or a miss.
   *
   * @return the value, or null if there is none
   */
  public abstract @Nullable Object readObject(K key, int hash);

  /**
   * The value of a live entry in a cache of bytes, as a new array; counts as a hit or a miss.
   *
   * @return the bytes, or null if there is no entry
   */
  public abstract byte @Nullable [] readBytes(BinaryKey key, int hash);

  /**
   * Writes an entry: the one path of all single-key writes.
   *
   * @return the version that the write got, or 0 if it changed nothing or the times only
   * @throws IllegalStateException if called from a mutation in the same segment
   */
  public abstract long write(K key, int hash, Mutation<K, V> mutation);

  /**
   * Removes every entry, segment by segment.
   *
   * @throws IllegalStateException if called from a mutation
   */
  public abstract void clear();

  /** The number of live entries. */
  public abstract long size();

  /** The number of entries on this node, those included whose expiry nobody noticed yet. */
  public abstract long approximateSize();

  /** The entries that a segment has at this moment; they may expire while they are looked at. */
  public abstract SegmentSnapshot<K, V> snapshot(int index);

  /** Adds a listener for the changes from now on. */
  public abstract Subscription addListener(ChangeListener<K, V> listener);

  /** Moves what is in regions that the pool gives back; nothing on the heap. Takes locks. */
  public abstract void vacate();

  /** The memory of the cache on this node. */
  public abstract MemoryUse memoryUse();

  /** The memory of a segment on this node. */
  public abstract MemoryUse memoryUse(int segment);

  /** The pages of a segment on this node; none on the heap. */
  public abstract List<PageUse> pages(int segment);

  final void countRead(boolean hit) {
    if (counters != null) {
      (hit ? counters.hits : counters.misses).increment();
    }
  }

  /** What was counted, or null if statistics are off. */
  public final @Nullable CacheStats stats() {
    return counters == null ? null : counters.stats();
  }

  /** Starts counting again from zero. */
  public final void resetStats() {
    if (counters != null) {
      counters.reset(nowMillis());
    }
  }

  /**
   * Refuses whatever would follow if the cache was closed.
   *
   * @throws FatalGridException if it was
   */
  public final void checkOpen() {
    if (closed) {
      throw new FatalGridException(
          "cache closed: cache=%s; it was removed or its grid was closed".formatted(name));
    }
  }

  /** Whether the cache was closed. */
  public final boolean isClosed() {
    return closed;
  }

  /** Ends the cache and frees its entries. Closing twice is harmless. */
  @Override
  public final void close() {
    closed = true;
    free();
  }

  /** Frees everything, once or more. */
  abstract void free();
}
