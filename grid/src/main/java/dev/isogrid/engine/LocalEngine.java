package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.engine.SegmentPuts.Put;
import dev.isogrid.journal.JournalState;
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
import dev.isogrid.store.Segment.Found;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.UserMutation;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** What a write waits for. */
  enum Patience {
    /** Nothing, as on event loops. */
    NONE,
    /** Locks, the disk and other nodes. */
    LOCKS,
    /** Functions of users for the key as well. */
    TURN
  }

  /** Times that a function is called, if each time something changes the entry meanwhile. */
  private static final int CALLS_MAX = 10_000;

  /** Times that a write waits for memory until the store has what may then be evicted. */
  private static final int ROOMS_MAX = 16;

  /** The largest part of the heap that a chunked value may take while a store gets it. */
  private static final int STORED_VALUE_FRACTION = 4;

  /** What a write returns whose entry must be read from the disk first. */
  private static final long EVICTED = -3;

  /** Places of a table that are looked through for expired entries in one hold of the lock. */
  private static final int REAPER_STEP_PLACES = 4096;

  private final @Nullable ObjectTables objects;

  /** Null if entries are in memory only. */
  private final @Nullable EntryJournal<K, V> kept;

  /** Null if all entries are in memory. */
  private final @Nullable EntryReturn<K, V> returning;

  /** Null if no store outside of the grid has the entries. Written by {@link #backBy}. */
  private volatile @Nullable BackingStore<K, V> backing;

  /** Whether readers see only what is on the disk. */
  private final boolean showsForced;

  private final Scheduler scheduler;
  private final Scheduler.@Nullable Task reaper;

  /** Whether a task removes what is expired on the disk. Set by a tick, cleared by the task. */
  private final AtomicBoolean isReapingDisk = new AtomicBoolean();

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
    EvictedEntries<K, V> evicted = kept == null ? null : kept.evicted();
    this.returning =
        kept == null || evicted == null ? null : new EntryReturn<>(this, kept, evicted);
    if (kept != null && evictor != null) {
      evictor.keepIn(kept, env.scheduler()::execute);
    }
    this.objects = container.objects();
    FileStore store = config.fileStore();
    this.showsForced = kept != null && store != null && store.fsync() == Fsync.EACH;
    this.scheduler = env.scheduler();
    long interval = config.reaperIntervalMillis();
    this.reaper = interval >= 1 ? env.scheduler().every(interval, this::reapPeriodically) : null;
  }

  /** Says which store outside of the grid has the entries; once, before the cache is used. */
  public final void backBy(BackingStore<K, V> store) {
    backing = store;
  }

  /** The store outside of the grid that has the entries, or null. */
  public final @Nullable BackingStore<K, V> backing() {
    return backing;
  }

  @Override
  public final @Nullable StoreStats storeStats() {
    BackingStore<K, V> store = backing;
    return store == null ? null : store.stats();
  }

  @Override
  public final @Nullable JournalState journalState() {
    EntryJournal<K, V> journal = kept;
    return journal == null ? null : journal.state();
  }

  @Override
  final boolean losesEntries() {
    return evicts() && returning == null;
  }

  /** What brings entries back from the disk; null if all are in memory. */
  final @Nullable EntryReturn<K, V> returning() {
    return returning;
  }

  /**
   * Returns whether this node knows the times of the entries of a segment, so that what is mortal
   * can be read here, and what is expired is this node's to remove.
   */
  boolean knowsTimes(int index) {
    return true;
  }

  /** What keeps the entries on a disk, or null. */
  final @Nullable EntryJournal<K, V> kept() {
    return kept;
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    if (kept == null) {
      return backing != null;
    }
    boolean mayWaitForDisk = isRead ? !isShown(container.segmentOf(hash)) : kept.mayWait();
    return mayWaitForDisk || (returning != null && mayWait(returning, hash, isRead));
  }

  /** Entries that were not written yet can't make room: a write that needs it waits for that. */
  private boolean mayWait(EntryReturn<K, V> from, int hash, boolean isRead) {
    return from.mayWait(hash) || (!isRead && container.isNearlyFull());
  }

  @Override
  public boolean mayWait() {
    return isClustered() || backing != null || (kept != null && kept.isWritten());
  }

  @Override
  public boolean isClustered() {
    return false;
  }

  @Override
  Found look(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    Found found = lookInMemory(key, hash, view, reader, mayWait);
    BackingStore<K, V> store = backing;
    if (found != Found.NONE || store == null) {
      return found;
    }
    if (!mayWait) {
      return Found.WOULD_WAIT;
    }
    return store.read(key, hash, view, reader) ? Found.LIVE : Found.NONE;
  }

  /** As {@link #peek}, but without a store outside of the grid. */
  final boolean peekMemory(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    return lookInMemory(key, hash, view, reader, true) == Found.LIVE;
  }

  /** As {@link #look}, but without a store outside of the grid. */
  Found lookInMemory(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    checkOpen();
    Found found = container.segment(hash).read(key, hash, view, reader, mayWait);
    Found known =
        found == Found.NONE && returning != null
            ? returning.read(key, hash, view, reader, mayWait)
            : noted(found, key, hash);
    return !showsForced || canShow(container.segmentOf(hash), mayWait) ? known : Found.WOULD_WAIT;
  }

  /** Returns whether readers may be shown what a segment has; a hint. */
  final boolean isShown(int index) {
    EntryJournal<K, V> journal = kept;
    return !showsForced || journal == null || journal.isShown(index);
  }

  /**
   * Returns whether what was just read of a segment may be shown: a crash does not take it back.
   * Waits for the disk if it may; else false says that it would have to.
   */
  final boolean canShow(int index, boolean mayWait) {
    EntryJournal<K, V> journal = kept;
    return !showsForced || journal == null || awaitShown(journal, index, mayWait);
  }

  private boolean awaitShown(EntryJournal<K, V> journal, int index, boolean mayWait) {
    Segment<K, V> segment = container.segmentAt(index);
    if (segment.isLockedByMe()) {
      return true; // a write that reads; it waits itself
    }
    if (segment.isLocked()) { // by a write that may be seen already, but not have its record
      if (!segment.lock(mayWait)) {
        return false;
      }
      segment.unlock();
    }
    if (journal.isShown(index)) {
      return true;
    }
    if (mayWait) {
      journal.awaitShown(index);
    }
    return mayWait;
  }

  /** What was found, as it counts; notes its use, or that its time is over. */
  final Found noted(Found found, K key, int hash) {
    if (found == Found.EXPIRED) {
      foundExpired(key, hash);
      return Found.NONE;
    }
    if (found == Found.LIVE && evictor != null) {
      evictor.used(hash);
    }
    return found;
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
    } else if (value == null && returning != null) {
      value = returned(returning, key, hash);
    }
    BackingStore<K, V> store = backing;
    if (value == null && store != null) {
      value = loaded(store, key, hash);
    }
    boolean _ = canShow(container.segmentOf(hash), true);
    countRead(value != null);
    return value;
  }

  private @Nullable Object loaded(BackingStore<K, V> store, K key, int hash) {
    Object[] taken = {null};
    boolean _ = store.read(key, hash, newView(), entry -> taken[0] = entry.value());
    return taken[0];
  }

  private @Nullable Object returned(EntryReturn<K, V> from, K key, int hash) {
    Object[] taken = {null};
    Found _ = from.read(key, hash, newView(), entry -> taken[0] = entry.value(), true);
    return taken[0];
  }

  @Override
  @SuppressWarnings("unchecked") // the key tells that this is a cache of bytes
  public @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
    checkOpen();
    LocalEngine<BinaryKey, Bytes> bytes = (LocalEngine<BinaryKey, Bytes>) this;
    Object value = bytes.container.segment(hash).readValue(key, hash, reader);
    boolean isElsewhere = value == null && (returning != null || backing != null);
    boolean isHidden = showsForced && !canShow(container.segmentOf(hash), false);
    if (Segment.isUnclear(value) || isElsewhere || isHidden) {
      return Segment.unclear();
    }
    if (Segment.isExpired(value)) {
      bytes.foundExpired(key, hash);
      if (backing != null) {
        return Segment.unclear();
      }
      value = null;
    } else if (value != null && evictor != null) {
      evictor.used(hash);
    }
    countRead(value != null);
    return value;
  }

  @Override
  long change(K key, int hash, Mutation<K, V> mutation, boolean mayWait) {
    checkOpen();
    BackingStore<K, V> store = backing;
    if (store != null && !(mutation instanceof BackedMutation)) {
      return mayWait ? store.write(key, hash, mutation) : WOULD_WAIT;
    }
    if (!(mutation instanceof KeyWrite) && mutation instanceof UserMutation<K, V> code) {
      return mayWait ? compute(key, hash, code) : WOULD_WAIT;
    }
    flights.refuseRecursion(key);
    return writeHere(key, hash, mutation, mayWait ? Patience.LOCKS : Patience.NONE);
  }

  @Override
  public @Nullable PendingWrite tryBegin(K key, int hash, KeyWrite<K, V> write, Runnable whenDone) {
    checkOpen();
    EntryJournal<K, V> journal = kept;
    boolean waitsForMore = backing != null || write.previousReader() != null;
    if (journal == null || !showsForced || waitsForMore) {
      return null;
    }
    flights.refuseRecursion(key);
    Position position = new Position();
    long version = writeHere(key, hash, write, Patience.NONE, position);
    if (version == WOULD_WAIT || version == NOT_HERE) {
      return null;
    }
    journal.afterForce(position.value, whenDone);
    return new UnforcedWrite(position.value, version, write.outcome(), write.existed());
  }

  @Override
  public long finish(PendingWrite begun, K key, KeyWrite<K, V> write) {
    UnforcedWrite unforced = (UnforcedWrite) begun;
    Objects.requireNonNull(kept).checkForced(unforced.position());
    write.answer(unforced.outcome(), unforced.existed());
    return unforced.version();
  }

  /** Takes the position of a write that does not wait until it was forced. */
  private static final class Position {
    private long value;
  }

  @Override
  public long writeInTurn(K key, int hash, Mutation<K, V> mutation) {
    if (backing != null) {
      return write(key, hash, mutation);
    }
    flights.refuseRecursion(key);
    long version;
    do {
      checkOpen();
      version = writeHere(key, hash, mutation, Patience.TURN);
      Flight ahead = version == IN_FLIGHT ? flights.of(key) : null;
      if (ahead != null) {
        flights.await(ahead, timeoutMillis());
      }
    } while (version == IN_FLIGHT);
    return version;
  }

  @Override
  public @Nullable Object putObject(K key, int hash, Object value) {
    boolean isBare = objects != null && kept == null && backing == null && evictor == null;
    Segment<K, V> segment = container.segment(hash);
    if (!isBare || !applier.isUntimed() || segment.isLockedByMe()) {
      return Segment.unclear();
    }
    flights.refuseRecursion(key);
    segment.lock();
    try {
      checkOpen();
      if (flights.isTaken(key) || !listeners.isEmpty()) {
        return Segment.unclear();
      }
      Object before = segment.putObject(key, hash, value);
      if (counters != null && !Segment.isUnclear(before)) {
        counters.stores.increment();
      }
      return before;
    } finally {
      segment.unlock();
    }
  }

  /** Runs a function of a user, in its turn, and writes what it wants. */
  private long compute(K key, int hash, UserMutation<K, V> code) {
    Computing<K, V> computing = new Computing<>(flights, key, code);
    try {
      for (int calls = 0; calls <= CALLS_MAX; ) {
        long version = writeHere(key, hash, computing, Patience.LOCKS);
        if (computing.isDone()) {
          return version;
        }
        Flight ahead = computing.ahead();
        if (ahead != null) {
          flights.await(ahead, timeoutMillis());
          if (ahead.hasSharedNothing(code)) {
            return 0;
          }
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
   * @return as {@link #write}; {@link #NOT_HERE} if it is not; {@link #WOULD_WAIT} or {@link
   *     #IN_FLIGHT} if this would have to wait longer than its patience is
   */
  final long writeHere(K key, int hash, Mutation<K, V> mutation, Patience patience) {
    return writeHere(key, hash, mutation, patience, null);
  }

  /** As above; with a position it does not wait until the write was forced. */
  private long writeHere(
      K key, int hash, Mutation<K, V> mutation, Patience patience, @Nullable Position unforced) {
    boolean mayWait = patience != Patience.NONE;
    checkNoMutation(container.segmentOf(hash));
    if (kept != null && !isAdmitted(kept, mayWait, unforced != null)) {
      return WOULD_WAIT;
    }
    if (returning == null || kept == null) {
      return writeOnce(key, hash, mutation, patience, null, unforced);
    }
    EvictedEntries.Lookup lookup = null;
    int rooms = 0;
    for (int looks = 0; looks < EntryReturn.LOOKS_MAX; looks++) {
      try {
        long version = writeOnce(key, hash, mutation, patience, lookup, unforced);
        if (version != EVICTED) {
          return version;
        }
        if (!mayWait) {
          return WOULD_WAIT;
        }
        lookup = returning.lookUp(key, hash);
      } catch (CacheFullException full) { // perhaps of what can't be evicted before it is written
        boolean isRepeatable = mutation instanceof KeyWrite && rooms++ < ROOMS_MAX;
        if (isRepeatable && !mayWait) {
          return WOULD_WAIT;
        }
        if (!isRepeatable || !kept.awaitWritten()) {
          throw full;
        }
      }
    }
    throw returning.tooManyWrites();
  }

  private static boolean isAdmitted(EntryJournal<?, ?> kept, boolean mayWait, boolean isUnforced) {
    if (isUnforced) {
      return kept.tryAdmitUnforced();
    }
    if (!mayWait) {
      return kept.tryAdmit();
    }
    kept.admit();
    return true;
  }

  /** As {@link #writeHere}; or {@link #EVICTED} if the disk has to tell more than a lookup did. */
  // tidy: one write with all that is known of it
  private long writeOnce(
      K key,
      int hash,
      Mutation<K, V> mutation,
      Patience patience,
      EvictedEntries.@Nullable Lookup lookup,
      @Nullable Position unforced) {
    int index = container.segmentOf(hash);
    Segment<K, V> segment = container.segmentAt(index);
    EffectApplier.Applied applied;
    long position = 0;
    boolean mayWait = patience != Patience.NONE;
    if (!segment.lock(mayWait)) {
      return WOULD_WAIT;
    }
    try {
      if (!isHere(index)) {
        return NOT_HERE;
      }
      if (patience == Patience.TURN && flights.isTaken(key)) {
        return IN_FLIGHT;
      }
      if (returning != null && !returning.isInMemory(segment, key, hash, lookup)) {
        return EVICTED;
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
      evictor.afterWrite(hash, applied.use(), applied.bytes(), mayWait);
    }
    if (unforced != null) {
      unforced.value = position;
    } else if (kept != null) {
      kept.await(position);
    }
    return applied.version();
  }

  /** Writes an entry without the store outside of the grid, which knows of it already. */
  long writeMemory(K key, int hash, Mutation<K, V> mutation) {
    checkOpen();
    return writeHere(key, hash, mutation, Patience.LOCKS);
  }

  /** Corrects the statistics: an entry that came from a store is none that was stored. */
  final void uncountStore() {
    if (counters != null) {
      counters.stores.decrement();
    }
  }

  /** Less where a store gets the value, since it is copied to the heap for that. */
  @Override
  public int incomingValueMax(BinaryKey key) {
    int max = super.incomingValueMax(key);
    long copied = Runtime.getRuntime().maxMemory() / STORED_VALUE_FRACTION;
    return kept == null && backing == null ? max : (int) Math.min(max, copied);
  }

  /** Whether this thread holds the lock of a key's segment. */
  final boolean isLocked(int hash) {
    return container.segment(hash).isLockedByMe();
  }

  @Override
  public Bulk<K, V> bulk() {
    BackingStore<K, V> store = backing;
    return store == null ? new DirectBulk<>(this) : new BackedBulk<>(this, store);
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
    if (returning != null) {
      returning.bringBack(puts);
    }
    Segment<K, V> segment = container.segmentAt(index);
    List<EffectApplier.Applied> applied = new ArrayList<>(puts.size());
    segment.lock();
    try {
      if (!isHere(index) || (returning != null && !returning.areInMemory(segment, puts))) {
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
    if (isHeldUp() || segment.isLockedByMe() || !segment.tryLock()) {
      return; // in use, perhaps by a mutation that reads: the next access or the reaper removes it
    }
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
    BackingStore<K, V> store = backing;
    if (store == null) {
      clearMemory(isSilent);
    } else {
      checkOpen();
      checkNoMutation();
      store.clear(() -> clearMemory(isSilent));
    }
  }

  /** As {@link #clear}, but without a store outside of the grid. */
  void clearMemory(boolean isSilent) {
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
    for (int looks = 0; returning != null && !clearLocked(index, isSilent); looks++) {
      if (looks == EntryReturn.LOOKS_MAX) {
        throw returning.tooManyWrites();
      }
      if (!isHere(index)) {
        return false;
      }
      returning.removeAll(index, !isSilent && !listeners.isEmpty());
      notifyAfterChangeAt(index);
    }
    return returning != null || clearLocked(index, isSilent);
  }

  /** As {@link #clearHere}; false also if entries on the disk must be removed one by one first. */
  private boolean clearLocked(int index, boolean isSilent) {
    Segment<K, V> segment = container.segmentAt(index);
    boolean isTold = !isSilent && !listeners.isEmpty();
    segment.lock();
    try {
      if (!isHere(index) || (returning != null && !returning.canClear(index, isTold))) {
        return false;
      }
      if (isTold) {
        removeExpired(segment, index);
        EntryView<K, V> view = container.newView();
        SegmentSnapshot<K, V> snapshot = segment.snapshot();
        while (snapshot.next(view)) {
          tellRemoved(segment, index, view);
        }
      }
      if (kept != null && segment.count() + countEvicted(index) > 0) {
        long _ = kept.clear(index);
      }
      segment.clear();
    } finally {
      segment.unlock();
    }
    notifyAfterChangeAt(index);
    return true;
  }

  /** Tells that an entry is removed by a clear. Locked. */
  final void tellRemoved(Segment<K, V> segment, int index, EntryView<K, V> entry) {
    long version = segment.nextVersion();
    listeners.tell(new Change<>(CacheEvent.Kind.REMOVED, index, entry.key(), entry, null, version));
  }

  /**
   * The number of live entries: the sum of the segments' counts. What is due to expire is looked
   * for and removed first; a segment in which nothing is costs two numbers read.
   */
  @Override
  public long size() {
    checkOpen();
    reapEvicted();
    boolean mayLock = movesEntries() && !isLockedByMe();
    long size = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      size += countHere(index, mayLock);
    }
    return size;
  }

  @Override
  public long count(int index) {
    checkOpen();
    reapEvicted();
    boolean mayLock = movesEntries() && !isLockedByMe();
    return countHere(Objects.checkIndex(index, segmentCount()), mayLock);
  }

  /**
   * Counts the live entries of a segment that is {@link #isHere here}.
   *
   * @param mayLock whether to keep entries from moving between memory and disk meanwhile
   */
  private long countHere(int index, boolean mayLock) {
    Segment<K, V> segment = container.segmentAt(index);
    reap(segment, index);
    if (!mayLock) {
      return segment.count() + countEvicted(index);
    }
    segment.lock();
    try {
      return segment.count() + countEvicted(index);
    } finally {
      segment.unlock();
    }
  }

  @Override
  final boolean isDueOnDisk() {
    return returning != null && returning.isDue();
  }

  @Override
  final long countEvicted(int index) {
    return returning == null ? 0 : returning.count(index);
  }

  @Override
  final boolean movesEntries() {
    return returning != null;
  }

  /** Counts a look at the store. */
  final void countLoad(boolean hasFound) {
    if (counters != null) {
      (hasFound ? counters.loads : counters.loadMisses).increment();
    }
  }

  /** Has entries removed that are expired on the disk, and that other nodes have, too. Blocks. */
  void expireShared(int index, List<EntryReturn.Expired<K>> expired) {
    throw new IllegalStateException("entries of this node alone: cache=" + name());
  }

  /** Notes that an entry came back into memory, and evicts what is too much. Not locked. */
  final void afterReturn(int hash) {
    if (evictor != null) {
      evictor.afterWrite(hash, Evictor.Use.INSERTED, 0);
    }
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
      return returning == null ? segment.snapshot() : returning.snapshot(index);
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
    return returning == null
        ? container.segmentAt(index).orderedFrom(after)
        : returning.orderedFrom(index, after);
  }

  /** Removes what is expired in memory, unless the store can't take that now: nobody sees it. */
  void reapMemory() {
    for (int index = 0; index < container.segmentCount() && !isClosed() && !isHeldUp(); index++) {
      reap(container.segmentAt(index), index);
    }
  }

  /** Removes what is expired; what is on the disk on a thread that may block. */
  private void reapPeriodically() {
    reapMemory();
    boolean isDue = returning != null && returning.isDue() && !isClosed() && !isHeldUp();
    if (isDue && isReapingDisk.compareAndSet(false, true)) {
      scheduler.execute(this::reapDisk);
    }
  }

  private void reapDisk() {
    try {
      if (!isClosed()) {
        reapEvicted();
      }
    } finally {
      isReapingDisk.set(false);
    }
  }

  /** Whether the store refuses writes, so that what nobody asked for has to wait. */
  private boolean isHeldUp() {
    return kept != null && kept.trouble() != null;
  }

  /** Removes what is expired on the disk; reads the files that have something. */
  private void reapEvicted() {
    if (returning != null && returning.isDue() && !isLockedByMe()) {
      returning.removeExpired();
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
      kept.expired(index, entry);
    }
    tellExpired(segment, index, entry);
  }

  /** Counts and tells that an entry is removed, since its time is over. Locked. */
  final void tellExpired(Segment<K, V> segment, int index, EntryView<K, V> entry) {
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
  public ChangeTail<K, V> changes(ChangeToken from) {
    checkOpen();
    if (kept == null || isClustered()) {
      return super.changes(from);
    }
    return kept.changes(from);
  }

  @Override
  public Subscription addListener(ChangeListener<K, V> listener) {
    checkOpen();
    Subscription added = listeners.add(listener);
    if (isClosed()) {
      added.close(); // it may not have been told
      checkOpen();
    }
    return added;
  }

  @Override
  void endTasks() {
    if (reaper != null) {
      reaper.close();
    }
    if (kept != null) {
      kept.close();
    }
    BackingStore<K, V> store = backing;
    if (store != null) {
      store.close();
    }
  }
}
