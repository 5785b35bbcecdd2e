package dev.isogrid.engine;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.engine.SegmentPuts.Put;
import dev.isogrid.journal.JournalRecord;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings entries of a cache back into memory that are on the disk only, when they are read or
 * written. See {@link EvictedEntries} for the order of the steps. Thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class EntryReturn<K, V> {
  /** Times that an operation looks again, since others changed the entry meanwhile. */
  static final int LOOKS_MAX = 10_000;

  /** Expired entries of a segment that are removed together where other nodes have them, too. */
  private static final int EXPIRED_MAX = 500;

  private final LocalEngine<K, V> engine;
  private final Container<K, V> container;
  private final EntryJournal<K, V> kept;
  private final EvictedEntries<K, V> evicted;

  EntryReturn(LocalEngine<K, V> engine, EntryJournal<K, V> kept, EvictedEntries<K, V> evicted) {
    this.engine = engine;
    this.container = engine.container;
    this.kept = kept;
    this.evicted = evicted;
  }

  /** The number of a segment's entries that are on the disk only. */
  int count(int index) {
    return evicted.count(index);
  }

  /** Whether the disk may have to be read for an entry. A hint, which costs no lock. */
  boolean mayWait(int hash) {
    return evicted.mayHave(hash);
  }

  /** The finding of a look under the lock. */
  private enum Look {
    NONE,
    IN_MEMORY,
    UNKNOWN,
    EXPIRED,
    LIVE,
    WOULD_WAIT
  }

  /**
   * Reads an entry that was not found in memory.
   *
   * @param mayWait whether to wait for the segment's lock and the disk
   * @return live if the reader was called with it; that it would wait also if it may, but only
   *     another node can tell
   */
  Segment.Found read(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    int index = container.segmentOf(hash);
    EvictedEntries.Lookup lookup = null;
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      switch (look(key, hash, view, lookup, mayWait)) {
        case NONE -> {
          engine.countLoad(false);
          return Segment.Found.NONE;
        }
        case IN_MEMORY -> {
          Segment.Found found = container.segmentAt(index).read(key, hash, view, reader, mayWait);
          if (found != Segment.Found.NONE) {
            return engine.noted(found, key, hash);
          }
        }
        case UNKNOWN -> {
          if (!mayWait) {
            return Segment.Found.WOULD_WAIT;
          }
          lookup = evicted.lookUp(key, hash);
        }
        case WOULD_WAIT -> {
          return Segment.Found.WOULD_WAIT;
        }
        case EXPIRED -> {
          engine.notifyAfterChangeAt(index);
          if (!engine.isHere(index)) {
            engine.foundExpired(key, hash);
          }
          return Segment.Found.NONE;
        }
        case LIVE -> {
          reader.read(view);
          view.release();
          engine.countLoad(true);
          engine.afterReturn(hash);
          return Segment.Found.LIVE;
        }
      }
    }
    throw tooManyWrites();
  }

  RetryableGridException tooManyWrites() {
    return new RetryableGridException(
        "too many writes at once: cache=%s, attempts=%d; try again"
            .formatted(engine.name(), LOOKS_MAX));
  }

  private Look look(
      K key,
      int hash,
      EntryView<K, V> view,
      EvictedEntries.@Nullable Lookup lookup,
      boolean mayWait) {
    Segment<K, V> segment = container.segment(hash);
    boolean isNested = segment.isLockedByMe(); // then it was just seen that it is not in memory
    if (!segment.lock(mayWait)) {
      return Look.WOULD_WAIT;
    }
    try {
      if (!isNested) {
        segment.locate(key, hash, view);
        if (view.isPresent()) {
          return Look.IN_MEMORY;
        }
      }
      return switch (evicted.state(hash, lookup)) {
        case ABSENT -> Look.NONE;
        case UNKNOWN -> Look.UNKNOWN;
        case FOUND -> found(segment, key, hash, view, Objects.requireNonNull(lookup), isNested);
      };
    } finally {
      segment.unlock();
    }
  }

  // tidy: the entry and how it was found
  private Look found(
      Segment<K, V> segment,
      K key,
      int hash,
      EntryView<K, V> view,
      EvictedEntries.Lookup lookup,
      boolean isNested) {
    JournalRecord record = Objects.requireNonNull(lookup.record());
    Effect<V> effect = kept.loaded(record, new Effect<>(), engine.nowMillis());
    if (!isNested) {
      tryRestore(segment, key, hash, view, effect, lookup);
    }
    view.show(key, effect, record.version());
    int index = container.segmentOf(hash);
    if (view.isMortal() && !engine.knowsTimes(index)) {
      return Look.WOULD_WAIT;
    }
    if (!view.isMortal() || !view.isExpired(engine.nowMillis())) {
      return Look.LIVE;
    }
    if (!isNested && engine.isHere(index)) {
      expire(segment, hash, view, lookup);
    }
    return Look.EXPIRED;
  }

  private void expire(
      Segment<K, V> segment, int hash, EntryView<K, V> view, EvictedEntries.Lookup lookup) {
    kept.removed(hash, lookup, true);
    engine.tellExpired(segment, container.segmentOf(hash), view);
  }

  // tidy: the entry and how it was found
  private void tryRestore(
      Segment<K, V> segment,
      K key,
      int hash,
      EntryView<K, V> view,
      Effect<V> effect,
      EvictedEntries.Lookup lookup) {
    JournalRecord record = Objects.requireNonNull(lookup.record());
    view.show(key, effect, record.version());
    boolean isExpired = view.isMortal() && view.isExpired(engine.nowMillis());
    if (isExpired || !evicted.canRestore(container.segmentOf(hash), record)) {
      return;
    }
    segment.locate(key, hash, view);
    try {
      engine.applier.restore(key, hash, view, effect, record.version());
    } catch (CacheFullException _) {
      return; // it is read from the disk the next time as well
    }
    restored(segment, hash, lookup);
  }

  private void restored(Segment<K, V> segment, int hash, EvictedEntries.Lookup lookup) {
    JournalRecord record = Objects.requireNonNull(lookup.record());
    try {
      evicted.restored(hash, lookup, record.version());
    } catch (MemoryFullException _) {
      segment.removeLocated();
    }
  }

  /**
   * Makes sure that an entry is in memory before it is written, if there is one. Locked.
   *
   * @param lookup what {@link #lookUp} found; null if it was not called yet
   * @return false if the disk has to tell first
   */
  boolean isInMemory(
      Segment<K, V> segment, K key, int hash, EvictedEntries.@Nullable Lookup lookup) {
    int index = container.segmentOf(hash);
    if (evicted.count(index) == 0) {
      return true;
    }
    EntryView<K, V> current = segment.writeView();
    segment.locate(key, hash, current);
    if (current.isPresent()) {
      return true;
    }
    return switch (evicted.state(hash, lookup)) {
      case ABSENT -> true;
      case UNKNOWN -> false;
      case FOUND -> {
        restore(segment, key, hash, Objects.requireNonNull(lookup));
        yield true;
      }
    };
  }

  private void restore(Segment<K, V> segment, K key, int hash, EvictedEntries.Lookup lookup) {
    JournalRecord record = Objects.requireNonNull(lookup.record());
    boolean isFree = evicted.canRestore(container.segmentOf(hash), record);
    long version = isFree ? record.version() : segment.nextVersion();
    EntryView<K, V> current = segment.writeView();
    Effect<V> effect = kept.loaded(record, segment.writeEffect(), engine.nowMillis());
    engine.applier.restore(key, hash, current, effect, version);
    effect.clear();
    try {
      if (isFree) {
        evicted.restored(hash, lookup, version);
      } else {
        kept.renew(key, hash, lookup, current);
      }
    } catch (MemoryFullException full) {
      segment.locate(key, hash, current);
      segment.removeLocated();
      throw Evictor.outOfMemory(engine.name(), full);
    }
    engine.countLoad(true);
  }

  /**
   * Whether a segment can be cleared at once: entries on the disk need no mention. Locked.
   *
   * @param isTold whether listeners hear of each entry
   */
  boolean canClear(int index, boolean isTold) {
    return evicted.count(index) == 0 || (!isTold && kept.form().hasLastingHash());
  }

  /**
   * Removes the entries of a segment that are on the disk only, one by one. Blocks; not locked.
   *
   * @param isTold whether listeners hear of it
   */
  void removeAll(int index, boolean isTold) {
    Segment<K, V> segment = container.segmentAt(index);
    for (EvictedEntries.Lookup found : evicted.all(index)) {
      JournalRecord record = evicted.read(found.place());
      if (record != null) {
        segment.lock();
        try {
          if (!engine.isHere(index)) {
            return;
          }
          remove(
              segment,
              index,
              new EvictedEntries.Lookup(found.places(), found.place(), record),
              isTold);
        } finally {
          segment.unlock();
        }
      }
    }
  }

  private void remove(
      Segment<K, V> segment, int index, EvictedEntries.Lookup found, boolean isTold) {
    JournalRecord record = Objects.requireNonNull(found.record());
    K key = kept.form().key(record.key());
    int hash = kept.form().hash(key);
    if (evicted.state(hash, found) != EvictedEntries.State.FOUND) {
      return;
    }
    if (isTold) {
      EntryView<K, V> view = container.newView();
      view.show(key, kept.loaded(record, new Effect<>(), engine.nowMillis()), record.version());
      engine.tellRemoved(segment, index, view);
    }
    kept.removed(hash, found, false);
  }

  /** Whether entries may be expired that are on the disk only. */
  boolean isDue() {
    return evicted.isDue(engine.nowMillis());
  }

  /** Removes the expired entries that are on the disk only. Blocks; not locked. */
  void removeExpired() {
    Map<Integer, List<Expired<K>>> shared = new HashMap<>();
    evicted.forEachDue(engine.nowMillis(), record -> removeExpired(record, shared));
    shared.forEach(engine::expireShared);
  }

  /**
   * An entry that is on the disk only, and whose time is over.
   *
   * @param version that of the entry
   */
  record Expired<K>(K key, long version) {}

  /**
   * Removes an entry.
   *
   * @param shared takes it, by its segment, if other nodes have it as well
   */
  private void removeExpired(JournalRecord record, Map<Integer, List<Expired<K>>> shared) {
    K key = kept.form().key(record.key());
    int hash = kept.form().hash(key);
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      EvictedEntries.Lookup found = new EvictedEntries.Lookup(new long[0], record.place(), record);
      if (evicted.state(hash, found) != EvictedEntries.State.FOUND) {
        return;
      }
      if (engine.isHere(index)) {
        EntryView<K, V> view = container.newView();
        view.show(key, kept.loaded(record, new Effect<>(), engine.nowMillis()), record.version());
        expire(segment, hash, view, found);
      } else {
        boolean isOthers = !engine.knowsTimes(index);
        evicted.notRemoved(record, isOthers);
        if (!isOthers) {
          expireLater(index, new Expired<>(key, record.version()), shared);
        }
      }
    } finally {
      segment.unlock();
    }
    if (shared.getOrDefault(index, List.of()).size() >= EXPIRED_MAX) {
      engine.expireShared(index, Objects.requireNonNull(shared.remove(index)));
    }
    engine.notifyAfterChangeAt(index);
  }

  private static <K> void expireLater(
      int index, Expired<K> expired, Map<Integer, List<Expired<K>>> shared) {
    shared.computeIfAbsent(index, _ -> new ArrayList<>()).add(expired);
  }

  /** This node answers for more from now on: what is expired there it has to remove. */
  void takeBackLeft() {
    evicted.takeBackLeft();
  }

  // ---- entries that other nodes have, too

  /** As {@link EvictedEntries#tryHold}. Takes the lock; does not wait for the disk. */
  boolean tryHold(K key, int hash) {
    Segment<K, V> segment = container.segment(hash);
    segment.lock();
    try {
      return evicted.tryHold(key, hash);
    } finally {
      segment.unlock();
    }
  }

  /** As {@link EvictedEntries#hold}. */
  void hold(int hash) {
    evicted.hold(hash);
  }

  /** As {@link EvictedEntries#release}. */
  void release(int hash) {
    evicted.release(hash);
  }

  /**
   * Brings an entry into memory if it is on the disk only, expired or not. Blocks; not locked.
   *
   * @throws CacheFullException if there is no memory
   */
  void bringBack(K key, int hash) {
    Segment<K, V> segment = container.segment(hash);
    EvictedEntries.Lookup lookup = null;
    for (int looks = 0; looks < LOOKS_MAX; looks++) {
      segment.lock();
      try {
        if (isInMemory(segment, key, hash, lookup)) {
          break;
        }
      } finally {
        segment.endWrite();
        segment.unlock();
      }
      if (looks == LOOKS_MAX - 1) {
        throw tooManyWrites();
      }
      lookup = evicted.lookUp(key, hash);
    }
    engine.afterReturn(hash);
  }

  /** Begins a walk through the entries of a segment, in memory or not, in no order. */
  SegmentSnapshot<K, V> snapshot(int index) {
    if (container.objects() == null) {
      return orderedFrom(index, null);
    }
    Segment<K, V> segment = container.segmentAt(index);
    segment.lock();
    try {
      return new StoredObjectWalk<>(segment, index, kept, evicted, kept.form(), engine.nowMillis());
    } finally {
      segment.unlock();
    }
  }

  /** Begins a walk in an order that depends on keys only. Only for caches of bytes. */
  @SuppressWarnings("unchecked") // a container without objects has bytes
  SegmentSnapshot<K, V> orderedFrom(int index, @Nullable K after) {
    EntryReturn<BinaryKey, Bytes> bytes = (EntryReturn<BinaryKey, Bytes>) this;
    return (SegmentSnapshot<K, V>)
        new StoredWalk(
            bytes.container.segmentAt(index),
            index,
            bytes.kept,
            bytes.evicted,
            bytes.container.newView(),
            (BinaryKey) after,
            engine.nowMillis());
  }

  /** Reads the entry of a key from the disk, if it is there only. Blocks; not locked. */
  EvictedEntries.Lookup lookUp(K key, int hash) {
    return evicted.lookUp(key, hash);
  }

  /** Brings the entries of some keys into memory that are written together. Blocks; not locked. */
  void bringBack(List<Put<K, V>> puts) {
    EntryView<K, V> view = container.newView();
    for (Put<K, V> put : puts) {
      if (evicted.mayHave(put.hash())) {
        Segment.Found _ = read(put.key(), put.hash(), view, _ -> {}, true);
      }
    }
  }

  /** Whether the entries of all keys are in memory, if there are any. Locked. */
  boolean areInMemory(Segment<K, V> segment, List<Put<K, V>> puts) {
    for (Put<K, V> put : puts) {
      if (!isInMemory(segment, put.key(), put.hash(), null)) {
        return false;
      }
    }
    return true;
  }
}
