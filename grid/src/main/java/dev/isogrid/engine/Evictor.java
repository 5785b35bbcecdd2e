package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.base.EpochClock;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntrySize;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.Segment;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a bounded cache within its bound: refuses writes, or removes the entries that are likely to
 * be missed least. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class Evictor<K, V> {
  /*
   * After a write that left the cache over its bound the writer evicts, when it has given its own
   * segment's lock back. A victim whose segment is locked is passed over for another one, up to
   * ATTEMPTS_UNTIL_WAIT times; then the writer waits for the lock, unless it holds one itself
   * because a compute function writes, or must not wait, as event loops. So a cache is over its
   * count by at most the number of its concurrent writers, and by what event loops leave to the
   * next writer while most segments are locked.
   *
   * Bytes off the heap are given back in pages and later than entries are removed. So beyond a
   * target somewhat below the bound each write evicts twice what it adds, and four times beyond the
   * bound, instead of evicting until the bytes fall.
   *
   * When the node has no memory left, the writer evicts from its own segment, whose lock it holds:
   * what it frees there, compaction gives back on the spot. If that is not enough it tries other
   * segments, without waiting for their locks.
   *
   * Where writes are refused, the number of entries is claimed before an insertion, so that the
   * bound holds exactly however many write. Bytes are compared with those of all writes under way
   * added, and with that of an index that has to grow, so a write may be refused that would just
   * fit after another one that fails.
   */

  /** Victims that may turn out to be gone or locked before the writer waits for locks. */
  private static final int ATTEMPTS_UNTIL_WAIT = 8;

  /** Victims that may turn out to be gone before the writer leaves the rest to the next one. */
  private static final int ATTEMPTS_MAX = 64;

  /** Entries that one write may evict: it must end soon, and the next ones go on. */
  private static final int EVICTIONS_MAX = 4096;

  /** The part of a bound in bytes that is kept free off the heap, where pages are freed late. */
  private static final int SPARE_FRACTION = 16;

  /** Evicted per written byte off the heap, between the target and the bound. */
  private static final int FACTOR_BELOW_BOUND = 2;

  /** The same beyond the bound. */
  private static final int FACTOR_ABOVE_BOUND = 4;

  /** Rounds of eviction for one write that finds no memory. */
  private static final int MEMORY_ROUNDS_MAX = 8;

  /** Entries that the first round evicts; each further one twice as many. */
  private static final int MEMORY_ROUND_FIRST = 8;

  private final String cache;
  private final Container<K, V> container;
  private final Occupancy occupancy;
  private final ChangeListeners<K, V> listeners;

  /** Written by: {@link #count}, once. */
  private @Nullable CacheCounters counters;

  /** Whether a task is to begin that evicts what the store has by now. */
  private final AtomicBoolean isAfterStored = new AtomicBoolean();

  /** Keeps evicted entries; null if they are lost. Written by {@link #keepIn}, once. */
  private @Nullable EntryJournal<K, V> kept;

  private final EpochClock clock;
  private final VictimChooser chooser;

  // The bounds are written by reconfigure; which of them there are does not change.
  private volatile long maxCount;
  private volatile long maxBytes;
  private volatile long targetBytes;

  private final boolean isFreedLate;
  private final boolean isRefusing;

  /** Bytes that writes under way will add. */
  private final AtomicLong pendingBytes = new AtomicLong();

  /** Segments that were changed under the lock of another one, so that nobody was told after. */
  private final ConcurrentLinkedQueue<Integer> untold = new ConcurrentLinkedQueue<>();

  Evictor(
      String cache,
      CacheConfig config,
      Container<K, V> container,
      ChangeListeners<K, V> listeners,
      @Nullable CacheCounters counters,
      EpochClock clock,
      long seed) {
    this.cache = cache;
    this.container = container;
    this.occupancy = container.occupancy();
    this.listeners = listeners;
    this.counters = counters;
    this.clock = clock;
    this.isFreedLate = config.storage() == StorageType.OFF_HEAP;
    this.maxCount = maxCount(config);
    this.maxBytes = maxBytes(config);
    this.targetBytes = targetBytes(config);
    this.isRefusing = config.whenFull() == WhenFull.EXCEPTION;
    this.chooser = new VictimChooser(container, maxCount, seed);
  }

  /**
   * Lets entries go only as far as a store has them. To be called once, before it is used.
   *
   * @param aside runs what may call listeners, which the store's own thread must not wait for
   */
  void keepIn(EntryJournal<K, V> store, Executor aside) {
    if (store.evicted() != null) {
      kept = store;
      store.onSettled(() -> afterStored(aside));
    }
  }

  private void afterStored(Executor aside) {
    if (listeners.isEmpty()) {
      afterStored();
    } else if (isAfterStored.compareAndSet(false, true)) {
      aside.execute(() -> {
        isAfterStored.set(false);
        afterStored();
      });
    }
  }

  /** Evicts what could not be evicted before the store had it. Without a lock. */
  private void afterStored() {
    long excess = isMeasuring() ? occupancy.bytes() - targetBytes : 0;
    evictOverBound(VictimChooser.NONE, VictimChooser.NONE, excess / FACTOR_ABOVE_BOUND, true);
    if (!listeners.isEmpty()) {
      tellAfter();
    }
  }

  /** Takes the bounds from another configuration from now on. */
  void reconfigure(CacheConfig changed) {
    maxCount = maxCount(changed);
    maxBytes = maxBytes(changed);
    targetBytes = targetBytes(changed);
  }

  /** Counts evictions from now on. */
  void count(CacheCounters begun) {
    counters = begun;
  }

  private static long maxCount(CacheConfig config) {
    return config.maxCount() < 0 ? Long.MAX_VALUE : config.maxCount();
  }

  private static long maxBytes(CacheConfig config) {
    return config.maxSizeBytes() < 0 ? Long.MAX_VALUE : config.maxSizeBytes();
  }

  private long targetBytes(CacheConfig config) {
    long bytes = maxBytes(config);
    return bytes - (isFreedLate ? bytes / SPARE_FRACTION : 0);
  }

  /** Notes that a live entry was read. */
  void used(int hash) {
    chooser.used(hash);
  }

  /** Whether it refuses what has no room; else it evicts for it. */
  boolean isRefusing() {
    return isRefusing;
  }

  /** Whether the bytes of entries are bounded. */
  boolean isMeasuring() {
    return maxBytes != Long.MAX_VALUE;
  }

  /** Whether an insertion would be refused just now because of the number of entries. */
  boolean isFullAndRefusing() {
    return isRefusing && occupancy.count() >= maxCount;
  }

  /**
   * Applies a STORE or TOUCH to the entry that was just located. Locked.
   *
   * @return the bytes that were written; 0 if they don't matter
   * @throws CacheFullException if there is no room; nothing was changed then
   */
  long apply(K key, int hash, EntryView<K, V> current, Effect<V> effect, long version) {
    Segment<K, V> segment = container.segment(hash);
    boolean measured = maxBytes != Long.MAX_VALUE && effect.kind() == Effect.Kind.STORE;
    long size = measured ? EntrySize.of(key, effect.value()) : 0;
    long before =
        measured && current.isPresent() ? EntrySize.of(current.key(), current.value()) : 0;
    long growth = Math.max(0, size - before);
    if (measured && isRefusing && !current.isPresent()) {
      growth += segment.indexGrowth();
    }
    boolean claims = isRefusing && !current.isPresent() && maxCount != Long.MAX_VALUE;
    if (claims && !segment.tryClaim(1, maxCount)) {
      throw fullOfEntries();
    }
    long pending = pendingBytes.addAndGet(growth);
    try {
      checkBytes(size, growth, pending);
      applyLocated(key, hash, current, effect, version);
    } finally {
      pendingBytes.addAndGet(-growth);
      if (claims) {
        segment.endClaim();
      }
    }
    return size;
  }

  /**
   * The same for a write that the cluster decided on: the bound is not asked for.
   *
   * @throws CacheFullException if the node has no memory
   */
  long applyDecided(K key, int hash, EntryView<K, V> current, Effect<V> effect, long version) {
    boolean measured = maxBytes != Long.MAX_VALUE && effect.kind() == Effect.Kind.STORE;
    long size = measured ? EntrySize.of(key, effect.value()) : 0;
    applyLocated(key, hash, current, effect, version);
    return size;
  }

  /**
   * Makes sure that there is room for several writes of a segment, until {@link #endRoom}. Locked.
   *
   * @param inserted new entries
   * @param growth bytes that they need in addition to what there is
   * @param largest the bytes of the largest one
   * @throws CacheFullException if there is none; nothing is to be ended then
   */
  void claimRoom(Segment<K, V> segment, int inserted, long growth, long largest) {
    boolean claims = isRefusing && inserted > 0 && maxCount != Long.MAX_VALUE;
    if (claims && !segment.tryClaim(inserted, maxCount)) {
      throw fullOfEntries();
    }
    long pending = pendingBytes.addAndGet(growth);
    boolean isFull = isRefusing && growth > 0 && occupancy.bytes() + pending > targetBytes;
    if (isMeasuring() && (isFull || largest > targetBytes)) {
      endRoom(segment, growth);
      throw fullOfBytes(isFull ? growth : largest);
    }
  }

  /** Gives back what of the room was not needed. Locked. */
  void endRoom(Segment<K, V> segment, long growth) {
    pendingBytes.addAndGet(-growth);
    segment.endClaim();
  }

  /**
   * Why entries can't be stored, or null if they can. Any thread; other writes may come between.
   *
   * @param inserted new entries
   * @param size the bytes of all
   * @param largest the bytes of the largest one
   */
  @Nullable CacheFullException refusal(int inserted, long size, long largest) {
    boolean isFullOfEntries = inserted > 0 && occupancy.count() + inserted > maxCount;
    if (isRefusing && isFullOfEntries) {
      return fullOfEntries();
    }
    boolean isFull = isRefusing && occupancy.bytes() + size > targetBytes;
    return isFull || largest > targetBytes ? fullOfBytes(isFull ? size : largest) : null;
  }

  private CacheFullException fullOfEntries() {
    return new CacheFullException(
        "cache full: cache=%s, max-count=%d, entries=%d; remove entries or raise max-count"
            .formatted(cache, maxCount, occupancy.count()));
  }

  private void checkBytes(long size, long growth, long pending) {
    boolean isFull = isRefusing && growth > 0 && occupancy.bytes() + pending > targetBytes;
    if (isFull || size > targetBytes) {
      throw fullOfBytes(growth);
    }
  }

  private CacheFullException fullOfBytes(long wanted) {
    return new CacheFullException(
        ("cache full: cache=%s, max-size=%d B, allocated=%d B, wanted=%d B;"
                + " remove entries or raise max-size")
            .formatted(cache, maxBytes, occupancy.bytes(), wanted));
  }

  private void applyLocated(
      K key, int hash, EntryView<K, V> current, Effect<V> effect, long version) {
    Segment<K, V> segment = container.segment(hash);
    for (int round = 0; ; round++) {
      try {
        segment.applyLocated(key, hash, current, effect, version);
        return;
      } catch (MemoryFullException full) {
        int count = MEMORY_ROUND_FIRST << round;
        if (isRefusing || round == MEMORY_ROUNDS_MAX || !makeRoom(segment, hash, count)) {
          throw outOfMemory(cache, full);
        }
        locateAgain(segment, key, hash, current);
      }
    }
  }

  /** Finds the entry after others were moved, and keeps it for the listeners as it was kept. */
  private void locateAgain(Segment<K, V> segment, K key, int hash, EntryView<K, V> current) {
    current.release();
    segment.locate(key, hash, current);
    if (!listeners.isEmpty()) {
      segment.hold(current);
    }
  }

  /** The answer to a write for which the node has no memory. */
  static CacheFullException outOfMemory(String cache, MemoryFullException cause) {
    return new CacheFullException(
        "no memory for a write: cache=%s, %s; remove entries, or raise the heap or off-heap limit"
            .formatted(cache, cause.getMessage()));
  }

  /** Evicts some entries, but not the one of a hash, whose segment's lock is held. */
  private boolean makeRoom(Segment<K, V> own, int hash, int count) {
    int index = container.segmentOf(hash);
    long written = VictimChooser.name(index, Segment.tag(hash));
    EntryView<K, V> view = container.newView();
    int evicted = 0;
    for (int i = 0; i < count; i++) {
      long victim = chooser.chooseIn(index, written);
      if (victim != VictimChooser.NONE && evictLocked(own, victim, view) >= 0) {
        evicted++;
      }
    }
    for (int i = evicted; i < count; i++) {
      long victim = chooser.choose(VictimChooser.NONE, written);
      if (victim != VictimChooser.NONE && evict(victim, false) >= 0) {
        evicted++;
      }
    }
    return evicted > 0;
  }

  /**
   * Evicts some entries for what needs memory before it is a write. Without a lock.
   *
   * @param round 0 for the first attempt
   * @return whether it is worth to try again
   */
  boolean tryMakeRoom(int round) {
    if (isRefusing || round >= MEMORY_ROUNDS_MAX) {
      return false;
    }
    boolean evicted = false;
    for (int i = MEMORY_ROUND_FIRST << round; i > 0; i--) {
      evicted |= evictOne(VictimChooser.NONE, VictimChooser.NONE, true) >= 0;
    }
    return evicted;
  }

  /** The kind of use that a write was to an entry. */
  enum Use {
    /** There is no entry. */
    NONE,
    /** There was an entry, and there still is. */
    USED,
    /** There is a new entry. */
    INSERTED
  }

  /**
   * Notes a write that was done and evicts what is too much. The lock is free again.
   *
   * @param hash that of the key
   * @param use what the write was
   * @param writtenBytes what {@link #apply} returned
   */
  void afterWrite(int hash, Use use, long writtenBytes) {
    afterWrite(hash, use, writtenBytes, true);
  }

  /** The same; a thread that must not wait passes over locked segments. */
  void afterWrite(int hash, Use use, long writtenBytes, boolean mayWait) {
    long newcomer = VictimChooser.NONE;
    switch (use) {
      case NONE -> {
        return;
      }
      case USED -> chooser.used(hash);
      case INSERTED -> newcomer = chooser.inserted(hash);
    }
    if (!isRefusing) {
      long written = VictimChooser.name(container.segmentOf(hash), Segment.tag(hash));
      evictOverBound(newcomer, written, writtenBytes, mayWait);
    }
  }

  private void evictOverBound(long newcomer, long written, long writtenBytes, boolean mayWait) {
    boolean isOverBound = occupancy.bytes() > maxBytes;
    long dueBytes = writtenBytes * (isOverBound ? FACTOR_ABOVE_BOUND : FACTOR_BELOW_BOUND);
    long candidate = newcomer;
    for (int i = 0; i < EVICTIONS_MAX; i++) {
      boolean isOverTarget = occupancy.bytes() > targetBytes && (!isFreedLate || dueBytes > 0);
      if (occupancy.count() <= maxCount && !isOverTarget) {
        return;
      }
      long freed = evictOne(candidate, written, mayWait);
      if (freed < 0) {
        return;
      }
      dueBytes -= freed;
      candidate = VictimChooser.NONE;
    }
  }

  /** Evicts one entry and returns its size, or -1 if it found none that it could. */
  private long evictOne(long newcomer, long written, boolean mayWait) {
    long candidate = newcomer;
    // while nothing can go, since the store does not have it yet, it goes when the store has it
    int attempts = kept == null ? ATTEMPTS_MAX : ATTEMPTS_UNTIL_WAIT;
    for (int attempt = 0; attempt < attempts; attempt++) {
      long victim = chooser.choose(candidate, written);
      if (victim == VictimChooser.NONE) {
        return -1;
      }
      long freed = evict(victim, mayWait && attempt >= ATTEMPTS_UNTIL_WAIT);
      if (freed >= 0) {
        return freed;
      }
      candidate = VictimChooser.NONE;
    }
    return -1;
  }

  /** Evicts an entry and returns its size, or -1 if it is gone or its segment locked. */
  private long evict(long victim, boolean mayWait) {
    int index = VictimChooser.segment(victim);
    Segment<K, V> segment = container.segmentAt(index);
    if (segment.isLockedByMe()) {
      return -1;
    }
    boolean isNested = holdsLock();
    if (!segment.tryLock()) {
      if (!mayWait || isNested) {
        return -1;
      }
      segment.lock();
    }
    long freed;
    try {
      freed = evictLocked(segment, victim, container.newView());
    } finally {
      segment.unlock();
    }
    if (freed >= 0 && !listeners.isEmpty()) {
      if (isNested) {
        untold.add(index);
      } else {
        listeners.tellAfter(index);
      }
    }
    return freed;
  }

  private boolean holdsLock() {
    for (int index = 0; index < container.segmentCount(); index++) {
      if (container.segmentAt(index).isLockedByMe()) {
        return true;
      }
    }
    return false;
  }

  /** Tells of evictions for which that was left to do. Called without a lock. */
  void tellAfter() {
    Integer index = untold.poll();
    while (index != null) {
      listeners.tellAfter(index);
      index = untold.poll();
    }
  }

  /** Notes in the store that an entry goes from memory; false if it can't yet. Locked. */
  private boolean leave(
      EntryJournal<K, V> store, int index, EntryView<K, V> entry, boolean isExpired) {
    if (isExpired) {
      store.expired(index, entry);
      return true;
    }
    return Objects.requireNonNull(store.evicted()).tryEvict(index, entry);
  }

  private long evictLocked(Segment<K, V> segment, long victim, EntryView<K, V> view) {
    segment.locateTag(VictimChooser.tag(victim), view);
    if (!view.isPresent()) {
      return -1;
    }
    boolean isForOthers = kept != null && kept.isShared(); // they agree on what is expired
    boolean expired = !isForOthers && view.isMortal() && view.isExpired(clock.millis());
    if (kept != null && !leave(kept, VictimChooser.segment(victim), view, expired)) {
      return -1;
    }
    if (counters != null) {
      (expired ? counters.expirations : counters.evictions).increment();
    }
    long size = maxBytes == Long.MAX_VALUE ? 0 : EntrySize.ofStored(view);
    CacheEvent.Kind kind = expired ? CacheEvent.Kind.EXPIRED : CacheEvent.Kind.EVICTED;
    long version = segment.nextVersion();
    if (!listeners.isEmpty()) {
      int index = VictimChooser.segment(victim);
      listeners.tell(new Change<>(kind, index, view.key(), view, null, version));
    }
    segment.removeLocated();
    return size;
  }
}
