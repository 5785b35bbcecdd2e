package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.ObjectTables;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache that is all on this node. A read takes no lock and allocates nothing. A
 * write runs its {@link Mutation} under the lock of the key's segment, in the caller's thread.
 * Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
public final class LocalEngine<K, V> extends CacheEngine<K, V> {
  /** Places of a table that are looked through for expired entries in one hold of the lock. */
  private static final int REAPER_STEP_PLACES = 4096;

  private final Container<K, V> container;
  private final @Nullable ObjectTables objects;
  private final Scheduler.@Nullable Task reaper;
  private final ChangeListeners<K, V> listeners = new ChangeListeners<>();

  /** Null if the cache is not bounded. */
  private final @Nullable Evictor<K, V> evictor;

  private final EffectApplier<K, V> applier;

  /**
   * Begins a cache.
   *
   * @param container its entries; owned from now on
   */
  public LocalEngine(String name, CacheConfig config, Container<K, V> container, Env env) {
    super(name, config, env);
    this.container = container;
    this.objects = container.objects();
    this.evictor =
        config.isBounded()
            ? new Evictor<>(
                name,
                config,
                container,
                listeners,
                counters,
                env.epochClock(),
                env.random().nextLong())
            : null;
    this.applier = new EffectApplier<>(name, config, container, listeners, evictor);
    long interval = config.reaperIntervalMillis();
    this.reaper = interval >= 1 ? env.scheduler().every(interval, this::reap) : null;
  }

  @Override
  public int segmentCount() {
    return container.segmentCount();
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    return false;
  }

  @Override
  public boolean isClustered() {
    return false;
  }

  @Override
  public EntryView<K, V> newView() {
    return container.newView();
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
        expire(key, hash);
        yield false;
      }
    };
  }

  @Override
  public @Nullable Object readObject(K key, int hash) {
    checkOpen();
    Object value = Objects.requireNonNull(objects).get(key, hash);
    if (ObjectTables.isExpired(value)) {
      expire(key, hash);
      value = null;
    } else if (value != null && evictor != null) {
      evictor.used(hash);
    }
    countRead(value != null);
    return value;
  }

  @Override
  public byte @Nullable [] readBytes(BinaryKey key, int hash) {
    checkOpen();
    @SuppressWarnings("unchecked") // the key tells that this is a cache of bytes
    LocalEngine<BinaryKey, Bytes> bytes = (LocalEngine<BinaryKey, Bytes>) this;
    byte[] value = bytes.container.segment(hash).readBytes(key, hash);
    if (Segment.isUnclear(value)) {
      byte[][] taken = new byte[1][];
      boolean found =
          bytes.read(key, hash, bytes.newView(), entry -> taken[0] = entry.value().toByteArray());
      return found ? taken[0] : null;
    }
    if (value != null && evictor != null) {
      evictor.used(hash);
    }
    countRead(value != null);
    return value;
  }

  @Override
  public long write(K key, int hash, Mutation<K, V> mutation) {
    checkOpen();
    int index = container.segmentOf(hash);
    checkNoMutation(index);
    Segment<K, V> segment = container.segmentAt(index);
    EffectApplier.Applied applied;
    segment.lock();
    try {
      if (evictor != null && evictor.isFullAndRefusing()) {
        removeExpired(segment, index);
      }
      EntryView<K, V> current = segment.writeView();
      locateLive(segment, key, hash, current);
      Effect<V> effect = segment.writeEffect();
      boolean existed = current.isPresent();
      mutation.apply(current, effect);
      applied = applier.apply(segment, key, hash, current, effect);
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
    return applied.version();
  }

  /** Refuses a write from within a mutation of the same segment, whose place it would move. */
  private void checkNoMutation(int index) {
    if (container.segmentAt(index).isLockedByMe()) {
      throw new IllegalStateException(
          "recursive update: cache=%s, segment=%d; a compute function must not write to the cache"
              .formatted(name(), index));
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

  private void expire(K key, int hash) {
    Segment<K, V> segment = container.segment(hash);
    if (segment.isLockedByMe()) {
      return; // read from within a mutation: the next access or the reaper removes it
    }
    segment.lock();
    try {
      locateLive(segment, key, hash, container.newView());
    } finally {
      segment.unlock();
    }
    notifyAfterChange(hash);
  }

  @Override
  public void clear() {
    checkOpen();
    for (int index = 0; index < container.segmentCount(); index++) {
      checkNoMutation(index);
    }
    for (int index = 0; index < container.segmentCount(); index++) {
      clear(index);
    }
  }

  private void clear(int index) {
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      if (!listeners.isEmpty()) {
        removeExpired(segment, index);
        EntryView<K, V> view = container.newView();
        SegmentSnapshot<K, V> snapshot = segment.snapshot();
        while (snapshot.next(view)) {
          long version = segment.nextVersion();
          listeners.tell(
              new Change<>(CacheEvent.Kind.REMOVED, index, view.key(), view, null, version));
        }
      }
      segment.clear();
    } finally {
      segment.unlock();
    }
    notifyAfterChangeAt(index);
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
      Segment<K, V> segment = container.segmentAt(index);
      reap(segment, index);
      size += segment.count();
    }
    return size;
  }

  @Override
  public long approximateSize() {
    checkOpen();
    long size = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      size += container.segmentAt(index).count();
    }
    return size;
  }

  @Override
  public SegmentSnapshot<K, V> snapshot(int index) {
    checkOpen();
    Segment<K, V> segment = container.segmentAt(index);
    boolean nested = segment.isLockedByMe();
    segment.lock();
    try {
      if (!nested) {
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

  private void reap() {
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
        place = removeExpired(segment, index, place, REAPER_STEP_PLACES);
      } finally {
        segment.unlock();
      }
      notifyAfterChangeAt(index);
    }
  }

  private boolean isDue(Segment<K, V> segment) {
    return segment.mortalCount() > 0 && segment.earliestExpiryMillis() <= nowMillis();
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

  private void notifyAfterChangeAt(int segment) {
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
  public void vacate() {
    container.vacate();
  }

  @Override
  public MemoryUse memoryUse() {
    checkOpen();
    return container.memoryUse();
  }

  @Override
  public MemoryUse memoryUse(int segment) {
    checkOpen();
    return container.memoryUse(Objects.checkIndex(segment, container.segmentCount()));
  }

  @Override
  public List<PageUse> pages(int segment) {
    checkOpen();
    return container.pages(Objects.checkIndex(segment, container.segmentCount()));
  }

  @Override
  void free() {
    if (reaper != null) {
      reaper.close();
    }
    for (int index = 0; index < container.segmentCount(); index++) {
      close(container.segmentAt(index));
    }
  }

  private static void close(Segment<?, ?> segment) {
    if (segment.isLockedByMe()) {
      return; // closed by a mutation, which still needs the table; it goes with the cache
    }
    segment.lock();
    try {
      segment.clear();
    } finally {
      segment.unlock();
    }
  }
}
