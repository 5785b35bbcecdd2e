package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.SegmentPuts.Put;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntrySize;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.UserMutation;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache that is all on this node. A read takes no lock and allocates nothing. A
 * write runs its {@link Mutation} under the lock of the key's segment, in the caller's thread; a
 * function of a user runs without the lock, one at a time per key. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public sealed class LocalEngine<K, V> extends CacheEngine<K, V>
    permits ReplicatedEngine, InvalidatingEngine {
  /*
   * All operations of a cache, as in the other engines, in one class: each is a few lines under a
   * segment's lock, in the same order of steps, which the other engines go by as well where a
   * segment is theirs alone.
   */
  /** What {@link #writeHere} returns if it must not write. */
  static final long NOT_HERE = -1;

  /** What a write returns that waits for its turn. */
  private static final long IN_FLIGHT = -2;

  /** Times that a function is called, if each time something changes the entry meanwhile. */
  private static final int CALLS_MAX = 10_000;

  /** Places of a table that are looked through for expired entries in one hold of the lock. */
  private static final int REAPER_STEP_PLACES = 4096;

  private final @Nullable ObjectTables objects;

  /** Null if entries are in memory only. */
  private final @Nullable EntryJournal<K, V> kept;

  private final Scheduler.@Nullable Task reaper;

  /**
   * Begins a cache.
   *
   * @param container its entries; owned from now on
   */
  public LocalEngine(String name, CacheConfig config, Container<K, V> container, Env env) {
    this(name, config, container, env, new FlightWaits());
  }

  /**
   * Begins a cache.
   *
   * @param container its entries; owned from now on
   * @param waits shared by the caches whose functions may wait for each other
   */
  public LocalEngine(
      String name, CacheConfig config, Container<K, V> container, Env env, FlightWaits waits) {
    this(name, config, container, env, waits, null);
  }

  /**
   * Begins a cache.
   *
   * @param container its entries; owned from now on
   * @param waits shared by the caches whose functions may wait for each other
   * @param kept keeps the entries, which it has loaded already; null for memory only
   */
  // tidy: the parts of one cache
  public LocalEngine(
      String name,
      CacheConfig config,
      Container<K, V> container,
      Env env,
      FlightWaits waits,
      @Nullable EntryJournal<K, V> kept) {
    super(name, config, container, env, waits);
    this.kept = kept;
    this.objects = container.objects();
    long interval = config.reaperIntervalMillis();
    this.reaper = interval >= 1 ? env.scheduler().every(interval, this::reap) : null;
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    return !isRead && kept != null && kept.mayWait();
  }

  @Override
  public boolean mayWait() {
    return isClustered() || (kept != null && kept.isWritten());
  }

  @Override
  public boolean isClustered() {
    return false;
  }

  @Override
  public boolean peek(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    checkOpen();
    return switch (container.segment(hash).read(key, hash, view, reader)) {
      case LIVE -> {
        if (evictor != null) {
          evictor.used(hash);
        }
        yield true;
      }
      case NONE -> false;
      case EXPIRED -> {
        foundExpired(key, hash);
        yield false;
      }
    };
  }

  @Override
  public @Nullable Object readObject(K key, int hash) {
    checkOpen();
    Object value = Objects.requireNonNull(objects).get(key, hash);
    if (ObjectTables.isExpired(value)) {
      foundExpired(key, hash);
      value = null;
    } else if (value != null && evictor != null) {
      evictor.used(hash);
    }
    countRead(value != null);
    return value;
  }

  @Override
  @SuppressWarnings("unchecked") // the key tells that this is a cache of bytes
  public <R> @Nullable R readValue(BinaryKey key, int hash, ValueReader<R> reader) {
    checkOpen();
    LocalEngine<BinaryKey, Bytes> bytes = (LocalEngine<BinaryKey, Bytes>) this;
    Object value = bytes.container.segment(hash).readValue(key, hash, reader);
    if (Segment.isUnclear(value)) {
      return readSlowly(bytes, key, hash, reader);
    }
    if (Segment.isExpired(value)) {
      bytes.foundExpired(key, hash);
      value = null;
    } else if (value != null && evictor != null) {
      evictor.used(hash);
    }
    countRead(value != null);
    return (R) value;
  }

  @Override
  public long write(K key, int hash, Mutation<K, V> mutation) {
    checkOpen();
    if (!(mutation instanceof KeyWrite) && mutation instanceof UserMutation<K, V> code) {
      return compute(key, hash, code);
    }
    flights.refuseRecursion(key);
    return writeHere(key, hash, mutation);
  }

  @Override
  public long writeInTurn(K key, int hash, Mutation<K, V> mutation) {
    flights.refuseRecursion(key);
    long version;
    do {
      checkOpen();
      version = writeHere(key, hash, mutation, true);
      Flight ahead = version == IN_FLIGHT ? flights.of(key) : null;
      if (ahead != null) {
        flights.await(ahead, timeoutMillis());
      }
    } while (version == IN_FLIGHT);
    return version;
  }

  /** Runs a function of a user, in its turn, and writes what it wants. */
  private long compute(K key, int hash, UserMutation<K, V> code) {
    Computing<K, V> computing = new Computing<>(flights, key, code);
    try {
      for (int calls = 0; calls <= CALLS_MAX; ) {
        long version = writeHere(key, hash, computing);
        if (computing.isDone()) {
          return version;
        }
        Flight ahead = computing.ahead();
        if (ahead != null) {
          flights.await(ahead, timeoutMillis());
        } else {
          computing.decide();
          calls++;
        }
        checkOpen();
      }
    } finally {
      computing.end();
    }
    throw new RetryableGridException(
        "too many writes at once: cache=%s, key=%s, attempts=%d; try again"
            .formatted(name(), code.userKey(), CALLS_MAX));
  }

  /**
   * Whether a segment is written by this node's callers, who need nobody else for it. Asked under
   * its lock.
   */
  boolean isHere(int index) {
    return true;
  }

  /**
   * Writes an entry of a segment that is {@link #isHere here}.
   *
   * @return as {@link #write}, or {@link #NOT_HERE} if it is not
   */
  final long writeHere(K key, int hash, Mutation<K, V> mutation) {
    return writeHere(key, hash, mutation, false);
  }

  /** As {@link #writeHere}; or {@link #IN_FLIGHT} if a function goes first that has its turn. */
  private long writeHere(K key, int hash, Mutation<K, V> mutation, boolean isInTurn) {
    int index = container.segmentOf(hash);
    checkNoMutation(index);
    if (kept != null) {
      kept.admit();
    }
    Segment<K, V> segment = container.segmentAt(index);
    EffectApplier.Applied applied;
    long position = 0;
    segment.lock();
    try {
      if (!isHere(index)) {
        return NOT_HERE;
      }
      if (isInTurn && flights.isTaken(key)) {
        return IN_FLIGHT;
      }
      if (evictor != null && evictor.isFullAndRefusing()) {
        removeExpired(segment, index);
      }
      EntryView<K, V> current = segment.writeView();
      locateLive(segment, key, hash, current);
      Effect<V> effect = segment.writeEffect();
      boolean existed = current.isPresent();
      mutation.apply(current, effect);
      EntryJournal.Prepared prepared = kept == null ? null : kept.prepare(key, current, effect);
      applied = applier.apply(key, hash, current, effect, 0);
      if (kept != null && prepared != null) {
        position = kept.append(key, hash, effect, prepared, applied.version(), current);
      }
      if (counters != null) {
        count(counters, effect.kind(), mutation, existed);
      }
    } finally {
      segment.endWrite();
      segment.unlock();
      notifyAfterChange(hash);
    }
    if (evictor != null) {
      evictor.afterWrite(hash, applied.use(), applied.bytes());
    }
    if (kept != null) {
      kept.await(position);
    }
    return applied.version();
  }

  @Override
  public Bulk<K, V> bulk() {
    return new DirectBulk<>(this);
  }

  /**
   * Does puts of a segment that is {@link #isHere here} together: all of them or none, and no read
   * sees some of them only. Should the node's memory be used up by others meanwhile, some may be
   * done.
   *
   * <p>Does not wait for the store; {@link #awaitKept} does.
   *
   * @return false if it is not here
   * @throws dev.isogrid.api.CacheFullException if there is no room for all of them
   */
  final boolean tryPutTogether(int index, List<Put<K, V>> puts) {
    checkOpen();
    checkNoMutation(index);
    if (kept != null) {
      kept.admit();
    }
    Segment<K, V> segment = container.segmentAt(index);
    List<EffectApplier.Applied> applied = new ArrayList<>(puts.size());
    segment.lock();
    try {
      if (!isHere(index)) {
        return false;
      }
      removeExpired(segment, index);
      long growth = claimRoom(segment, puts);
      segment.beginTogether();
      try {
        puts.forEach(put -> applied.add(putLocked(segment, put)));
      } finally {
        segment.endTogether();
        if (evictor != null) {
          evictor.endRoom(segment, growth);
        }
      }
    } finally {
      segment.endWrite();
      segment.unlock();
      notifyAfterChangeAt(index);
    }
    for (int i = 0; evictor != null && i < puts.size(); i++) {
      EffectApplier.Applied each = applied.get(i);
      evictor.afterWrite(puts.get(i).hash(), each.use(), each.bytes());
    }
    return true;
  }

  /** Makes sure that there is room for puts; returns the bytes that the evictor keeps for them. */
  private long claimRoom(Segment<K, V> segment, List<Put<K, V>> puts) {
    EntryView<K, V> current = segment.writeView();
    long size = 0;
    long largest = 0;
    long growth = 0;
    int inserted = 0;
    boolean isMeasured =
        puts.getFirst().key() instanceof BinaryKey || (evictor != null && evictor.isMeasuring());
    for (Put<K, V> put : puts) {
      V value = Objects.requireNonNull(put.write().value());
      long bytes = isMeasured ? EntrySize.of(put.key(), value) : 0;
      segment.locate(put.key(), put.hash(), current);
      boolean isNew = !current.isPresent();
      inserted += isNew ? 1 : 0;
      long before = isNew || !isMeasured ? 0 : EntrySize.of(current.key(), current.value());
      growth += Math.max(0, bytes - before);
      size += bytes;
      largest = Math.max(largest, bytes);
    }
    boolean mayEvict = evictor != null && !evictor.isRefusing();
    if (!mayEvict && !container.hasSpare(size)) {
      throw new CacheFullException(
          ("no memory for a write: cache=%s, wanted=%d B; remove entries, or raise the heap or"
                  + " off-heap limit")
              .formatted(name(), size));
    }
    if (evictor != null) {
      growth += inserted > 0 ? segment.indexGrowth() : 0;
      evictor.claimRoom(segment, inserted, growth, largest);
    }
    return growth;
  }

  private EffectApplier.Applied putLocked(Segment<K, V> segment, Put<K, V> put) {
    EntryView<K, V> current = segment.writeView();
    locateLive(segment, put.key(), put.hash(), current);
    Effect<V> effect = segment.writeEffect();
    effect.clear();
    put.write().apply(current, effect);
    if (counters != null) {
      counters.stores.increment();
    }
    EntryJournal.Prepared prepared = kept == null ? null : kept.prepare(put.key(), current, effect);
    EffectApplier.Applied applied =
        applier.apply(put.key(), put.hash(), current, effect, segment.nextVersion());
    if (kept != null && prepared != null) {
      long _ = kept.append(put.key(), put.hash(), effect, prepared, applied.version(), current);
    }
    return applied;
  }

  /** Waits until what was written is in the store, if the cache is so configured. */
  final void awaitKept() {
    if (kept != null) {
      kept.awaitAll();
    }
  }

  /** Removes an entry, if there is one, since that was done elsewhere; not counted here. */
  final void removeUncounted(K key, int hash) {
    Segment<K, V> segment = container.segment(hash);
    segment.lock();
    try {
      EntryView<K, V> current = segment.writeView();
      locateLive(segment, key, hash, current);
      Effect<V> effect = segment.writeEffect();
      if (current.isPresent()) {
        effect.remove();
      }
      applier.apply(key, hash, current, effect, 0);
    } finally {
      segment.endWrite();
      segment.unlock();
      notifyAfterChange(hash);
    }
  }

  /** Refuses a write from within a mutation of the same segment, whose place it would move. */
  private void checkNoMutation(int index) {
    if (container.segmentAt(index).isLockedByMe()) {
      throw new IllegalStateException(
          "write from within a write: cache=%s, segment=%d; marshallers and keys must not write"
              .formatted(name(), index));
    }
  }

  /** Refuses to change all segments from within a mutation or a function of a user. */
  final void checkNoMutation() {
    flights.refuseAll();
    for (int index = 0; index < container.segmentCount(); index++) {
      checkNoMutation(index);
    }
  }

  private void locateLive(Segment<K, V> segment, K key, int hash, EntryView<K, V> view) {
    segment.locate(key, hash, view);
    if (view.isPresent() && view.isMortal() && view.isExpired(nowMillis())) {
      expired(segment, container.segmentOf(hash), view);
      segment.removeLocated();
      segment.locate(key, hash, view);
    }
  }

  private static void count(
      CacheCounters counters, Effect.Kind kind, Mutation<?, ?> mutation, boolean existed) {
    switch (kind) {
      case STORE -> counters.stores.increment();
      case REMOVE -> counters.removeHits.increment();
      case LEAVE, TOUCH -> {
        if (mutation.isRemoval() && !existed) {
          counters.removeMisses.increment();
        }
      }
    }
  }

  @Override
  void foundExpired(K key, int hash) {
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    if (segment.isLockedByMe()) {
      return; // read from within a mutation: the next access or the reaper removes it
    }
    segment.lock();
    try {
      if (isHere(index)) {
        locateLive(segment, key, hash, container.newView());
      }
    } finally {
      segment.unlock();
    }
    notifyAfterChange(hash);
  }

  @Override
  public void clear(boolean isSilent) {
    checkOpen();
    checkNoMutation();
    if (kept != null) {
      kept.admit();
    }
    for (int index = 0; index < container.segmentCount(); index++) {
      clearHere(index, isSilent);
    }
    awaitKept();
  }

  /** Removes every entry of a segment; false if it is not {@link #isHere here}. */
  final boolean clearHere(int index, boolean isSilent) {
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      if (!isHere(index)) {
        return false;
      }
      if (!isSilent && !listeners.isEmpty()) {
        removeExpired(segment, index);
        EntryView<K, V> view = container.newView();
        SegmentSnapshot<K, V> snapshot = segment.snapshot();
        while (snapshot.next(view)) {
          long version = segment.nextVersion();
          listeners.tell(
              new Change<>(CacheEvent.Kind.REMOVED, index, view.key(), view, null, version));
        }
      }
      if (kept != null && segment.count() > 0) {
        long _ = kept.clear(index);
      }
      segment.clear();
    } finally {
      segment.unlock();
    }
    notifyAfterChangeAt(index);
    return true;
  }

  /**
   * The number of live entries: the sum of the segments' counts. What is due to expire is looked
   * for and removed first; a segment in which nothing is costs two numbers read.
   */
  @Override
  public long size() {
    checkOpen();
    long size = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      size += countHere(index);
    }
    return size;
  }

  @Override
  public long count(int index) {
    checkOpen();
    return countHere(Objects.checkIndex(index, segmentCount()));
  }

  /** The number of live entries of a segment that is {@link #isHere here}. */
  final long countHere(int index) {
    Segment<K, V> segment = container.segmentAt(index);
    reap(segment, index);
    return segment.count();
  }

  @Override
  public long serving(int index) {
    checkOpen();
    return Objects.checkIndex(index, segmentCount());
  }

  @Override
  public boolean hasServed(int index, long since) {
    return !isClosed();
  }

  @Override
  public @Nullable NodeId primary(int index) {
    return null;
  }

  @Override
  public SegmentSnapshot<K, V> snapshot(int index) {
    checkOpen();
    Segment<K, V> segment = container.segmentAt(index);
    boolean nested = segment.isLockedByMe();
    segment.lock();
    try {
      if (!nested && isHere(index)) {
        removeExpired(segment, index);
      }
      return segment.snapshot();
    } finally {
      segment.unlock();
      if (!nested) {
        notifyAfterChangeAt(index);
      }
    }
  }

  @Override
  public SegmentSnapshot<K, V> orderedFrom(int index, @Nullable K after) {
    checkOpen();
    return container.segmentAt(index).orderedFrom(after);
  }

  /** Removes what is expired. */
  void reap() {
    for (int index = 0; index < container.segmentCount() && !isClosed(); index++) {
      reap(container.segmentAt(index), index);
    }
  }

  /** Removes what is expired, step by step, so that writers get the lock in between. */
  private void reap(Segment<K, V> segment, int index) {
    int place = 0;
    while (place >= 0 && isDue(segment) && !segment.isLockedByMe()) {
      segment.lock();
      try {
        place = isHere(index) ? removeExpired(segment, index, place, REAPER_STEP_PLACES) : -1;
      } finally {
        segment.unlock();
      }
      notifyAfterChangeAt(index);
    }
  }

  private void removeExpired(Segment<K, V> segment, int index) {
    if (isDue(segment)) {
      removeExpired(segment, index, 0, Integer.MAX_VALUE);
    }
  }

  private int removeExpired(Segment<K, V> segment, int index, int from, int placesMax) {
    return segment.removeExpired(
        from, placesMax, nowMillis(), container.newView(), entry -> expired(segment, index, entry));
  }

  private void expired(Segment<K, V> segment, int index, EntryView<K, V> entry) {
    if (kept != null) {
      kept.removed(index, entry);
    }
    if (counters != null) {
      counters.expirations.increment();
    }
    if (!listeners.isEmpty()) {
      long version = segment.nextVersion();
      listeners.tell(
          new Change<>(CacheEvent.Kind.EXPIRED, index, entry.key(), entry, null, version));
    }
  }

  private void notifyAfterChange(int hash) {
    if (!listeners.isEmpty()) {
      notifyAfterChangeAt(container.segmentOf(hash));
    }
  }

  final void notifyAfterChangeAt(int segment) {
    listeners.tellAfter(segment);
    if (evictor != null) {
      evictor.tellAfter();
    }
  }

  @Override
  public Subscription addListener(ChangeListener<K, V> listener) {
    checkOpen();
    return listeners.add(listener);
  }

  @Override
  void endTasks() {
    if (reaper != null) {
      reaper.close();
    }
    if (kept != null) {
      kept.close();
    }
  }
}
