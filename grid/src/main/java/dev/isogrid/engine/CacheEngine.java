package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheStats;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.api.StoreStats;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.journal.JournalState;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.IncomingValue;
import dev.isogrid.store.MemoryFullException;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Segment;
import dev.isogrid.store.Segment.Found;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.UserMutation;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.NodeId;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
  /*
   * One class, since it is what all ways in have of a cache: each operation is declared here with
   * its meaning, and the few lines of those that all engines share. What is more than that is in
   * classes of its own: effects (EffectApplier), bounds (Evictor), functions of users (Flights).
   */
  /** What a write returns that would have to wait and must not. */
  static final long WOULD_WAIT = -4;

  /** What an entry has beside key and value, and what its array adds, at most. */
  private static final int ENTRY_OVERHEAD_MAX = 1024;

  /** Places that a prompt count looks at for expired entries: some 10 microseconds. */
  private static final int PROMPT_PLACES_MAX = 512;

  private final String name;

  /** Written by {@link #reconfigure}. */
  private volatile CacheConfig config;

  private final long startedMillis;
  final Env env;
  final Container<K, V> container;
  final ChangeListeners<K, V> listeners;
  final EffectApplier<K, V> applier;

  /** The functions of users that run for keys. */
  final Flights flights;

  /** Null if the cache is not bounded. */
  final @Nullable Evictor<K, V> evictor;

  /**
   * Null until statistics are on for the first time, then never again: so a thread that sees it
   * counts, and one that sees it late counts late. Written by: the constructor, {@link
   * #reconfigure}.
   */
  @Nullable CacheCounters counters;

  /** Written by {@link #close}. */
  private volatile boolean closed;

  /**
   * Begins a cache.
   *
   * @param container its entries on this node; owned from now on
   * @param waits shared by the caches whose functions may wait for each other
   */
  CacheEngine(
      String name, CacheConfig config, Container<K, V> container, Env env, FlightWaits waits) {
    this.name = name;
    this.config = config;
    this.env = env;
    this.container = container;
    this.listeners = new ChangeListeners<>(name);
    this.flights = new Flights(name, waits);
    this.startedMillis = env.epochClock().millis();
    this.counters = config.statistics() ? new CacheCounters(startedMillis) : null;
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
  }

  /** The cache's name. */
  public final String name() {
    return name;
  }

  /** When the cache began on this node, milliseconds since 1970. */
  public final long startedMillis() {
    return startedMillis;
  }

  /** The cache's configuration as it is now. */
  public final CacheConfig config() {
    return config;
  }

  /**
   * Changes, on this node, what can be changed while the cache is there: the default lifespan and
   * max idle, which hold for later writes, the number of a bound that there is, which later writes
   * enforce, and whether statistics are shown. Any thread; the last of several calls at the same
   * time wins.
   *
   * @throws InvalidRequestException if anything else differs; nothing is changed then
   */
  public final void reconfigure(CacheConfig changed) {
    CacheConfig now = config;
    CacheConfig rest =
        changed.toBuilder()
            .lifespan(now.lifespanMillis(), TimeUnit.MILLISECONDS)
            .maxIdle(now.maxIdleMillis(), TimeUnit.MILLISECONDS)
            .maxCount(now.maxCount())
            .maxSize(now.maxSizeBytes())
            .statistics(now.statistics())
            .build();
    boolean hasSameBounds =
        now.maxCount() < 0 == changed.maxCount() < 0
            && now.maxSizeBytes() < 0 == changed.maxSizeBytes() < 0;
    if (!rest.equals(now) || !hasSameBounds) {
      throw new InvalidRequestException(
          ("cache can't be changed so: name=%s; lifespan, max-idle, statistics and the number of a"
                  + " bound can be changed while it exists, remove it first for all else")
              .formatted(name));
    }
    if (changed.statistics() && !now.statistics()) {
      beginStatistics();
    }
    config = changed;
    applier.reconfigure(changed);
    if (evictor != null) {
      evictor.reconfigure(changed);
    }
  }

  /** Counts from now on, from zero. */
  private void beginStatistics() {
    CacheCounters known = counters;
    if (known != null) {
      known.reset(nowMillis());
      return;
    }
    CacheCounters begun = new CacheCounters(nowMillis());
    counters = begun;
    if (evictor != null) {
      evictor.count(begun);
    }
  }

  /** The wall clock that expiry goes by, milliseconds since 1970. */
  public final long nowMillis() {
    return env.epochClock().millis();
  }

  /** The number of segments. */
  public final int segmentCount() {
    return container.segmentCount();
  }

  /** The segment of the keys of a hash. */
  public final int segmentOf(int hash) {
    return container.segmentOf(hash);
  }

  /** A new window that fits this cache, for {@link #read} and {@link #snapshot}. */
  public final EntryView<K, V> newView() {
    return container.newView();
  }

  /**
   * Whether an operation on a key may have to wait for another node as things are. A hint, which
   * saves threads that must not wait an attempt; reads and writes themselves decide.
   *
   * @param hash the key's hash
   * @param isRead whether the operation is {@link #read}, {@link #peek} or {@link #readBytes}
   */
  public abstract boolean mayWait(int hash, boolean isRead);

  /** Whether this thread holds the lock of a segment. O(segments). */
  public final boolean isLockedByMe() {
    for (int index = 0; index < container.segmentCount(); index++) {
      if (container.segmentAt(index).isLockedByMe()) {
        return true;
      }
    }
    return false;
  }

  /** Whether any operation on this cache may have to wait for another node. */
  public abstract boolean isClustered();

  /** Whether there are operations that may have to wait for other nodes. */
  public boolean mayWait() {
    return isClustered();
  }

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
    return read(key, hash, view, reader, true);
  }

  /**
   * As {@link #read}, for a thread that may not be allowed to wait.
   *
   * @throws WouldWaitException if this would have to wait and must not; what the reader was called
   *     with before does not count
   */
  public final boolean read(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    return isFound(count(look(key, hash, view, reader, mayWait)));
  }

  /**
   * As {@link #read}, without waiting: for a segment's lock, the disk or another node.
   *
   * @return live, none, or that it would have to wait; then nothing is counted, and what the reader
   *     was called with does not count either
   */
  public final Found tryRead(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    return count(look(key, hash, view, reader, false));
  }

  /** As {@link #read}, but counts nothing. A live entry with max idle is touched all the same. */
  public final boolean peek(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    return isFound(look(key, hash, view, reader, true));
  }

  /** As {@link #read(Object, int, EntryView, EntryReader, boolean)}, but counts nothing. */
  public final boolean peek(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    return isFound(look(key, hash, view, reader, mayWait));
  }

  /** As {@link #peek} and {@link #tryRead}. */
  public final Found tryPeek(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    return look(key, hash, view, reader, false);
  }

  /**
   * Looks for an entry; counts nothing.
   *
   * @param mayWait whether to wait if need be
   * @return live, none, or that it would have to wait and must not
   */
  abstract Found look(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait);

  private Found count(Found found) {
    if (found != Found.WOULD_WAIT) {
      countRead(found == Found.LIVE);
    }
    return found;
  }

  private static boolean isFound(Found found) {
    if (found == Found.WOULD_WAIT) {
      throw WouldWaitException.instance();
    }
    return found == Found.LIVE;
  }

  /**
   * The value of a live entry in a cache of objects; counts as a hit or a miss.
   *
   * @return the value, or null if there is none
   */
  public abstract @Nullable Object readObject(K key, int hash);

  /**
   * What a reader makes of the value of a live entry in a cache of bytes; counts as a hit or a
   * miss.
   *
   * @param reader called if there is a live entry; more than once if another node has to tell
   * @return what it made, or null if there is no entry
   */
  @SuppressWarnings("unchecked") // the key tells that this is a cache of bytes
  public final <R> @Nullable R readValue(BinaryKey key, int hash, ValueReader<R> reader) {
    Object value = tryReadValue(key, hash, reader);
    return Segment.isUnclear(value)
        ? readSlowly((CacheEngine<BinaryKey, Bytes>) this, key, hash, reader, true)
        : (R) value; // what the reader made
  }

  /**
   * As {@link #readValue}, if this node can tell at once, without a window: a small value without a
   * max idle that is in memory here.
   *
   * @return what the reader made; null if there is no entry; what {@link Segment#isUnclear} knows
   *     if {@link #read} has to tell, and nothing was counted
   */
  public abstract @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader);

  /**
   * Reads where the entries of some hashes are on this node, since they will be asked for soon; see
   * {@link Container#bringNear}.
   */
  public final int bringNear(int[] hashes, int count) {
    return container.bringNear(hashes, count);
  }

  /**
   * The value of a live entry in a cache of bytes, as a new array; counts as a hit or a miss.
   *
   * @return the bytes, or null if there is no entry
   */
  public final byte @Nullable [] readBytes(BinaryKey key, int hash) {
    return readValue(key, hash, ValueReader.copying());
  }

  /**
   * As {@link #readBytes}, for a thread that may not be allowed to wait.
   *
   * @throws WouldWaitException if this would have to wait and must not
   */
  @SuppressWarnings("unchecked") // the key tells that this is a cache of bytes
  public final byte @Nullable [] readBytes(BinaryKey key, int hash, boolean mayWait) {
    CacheEngine<BinaryKey, Bytes> bytes = (CacheEngine<BinaryKey, Bytes>) this;
    return readSlowly(bytes, key, hash, ValueReader.copying(), mayWait);
  }

  /** As {@link #readValue}, by {@link #read}, which knows what may take part in it. */
  private static <R> @Nullable R readSlowly(
      CacheEngine<BinaryKey, Bytes> engine,
      BinaryKey key,
      int hash,
      ValueReader<R> reader,
      boolean mayWait) {
    SlowRead<R> read = new SlowRead<>(reader);
    return engine.read(key, hash, engine.newView(), read, mayWait) ? read.made : null;
  }

  private static final class SlowRead<R> implements EntryReader<BinaryKey, Bytes> {
    private final ValueReader<R> reader;
    private @Nullable R made;

    SlowRead(ValueReader<R> reader) {
      this.reader = reader;
    }

    @Override
    public void read(EntryView<BinaryKey, Bytes> entry) {
      made = reader.read(entry.value());
    }
  }

  /**
   * Writes an entry: the one path of all single-key writes. Where the cache is clustered, a
   * mutation other than a {@link KeyWrite} may be called again, if another write came between; what
   * the last call answered counts.
   *
   * <p>Does not wait for a function of a user that runs for the key, unless the mutation is one
   * too: the function is called again then. A {@link dev.isogrid.store.UserMutation} waits for its
   * turn, {@link #timeoutMillis} at most.
   *
   * @return the version that the write got, or 0 if it changed nothing or the times only
   * @throws IllegalStateException if called by a function of a user that runs for the key
   */
  public final long write(K key, int hash, Mutation<K, V> mutation) {
    return change(key, hash, mutation, true);
  }

  /**
   * As {@link #write}, for a thread that may not be allowed to wait.
   *
   * @throws WouldWaitException if this would have to wait and must not: for a segment's lock, the
   *     disk, another node or a function of a user; nothing was done then
   */
  public final long write(K key, int hash, Mutation<K, V> mutation, boolean mayWait) {
    long version = change(key, hash, mutation, mayWait);
    if (version == WOULD_WAIT) {
      throw WouldWaitException.instance();
    }
    return version;
  }

  /**
   * Begins a write for a thread that must not wait: one on which another node decides, or one that
   * is done here and waits for the disk only. Does not block.
   *
   * @param write borrowed; its reader of the entry before is not called
   * @param whenDone called once when {@link #finish} can be called, by any thread and maybe before
   *     this returns; must be short and must not block
   * @return null if this write is to be done by {@link #write}; nothing was done then
   */
  public @Nullable PendingWrite tryBegin(K key, int hash, KeyWrite<K, V> write, Runnable whenDone) {
    return null;
  }

  /**
   * Takes the outcome of a write, as {@link #write} does. Does not block.
   *
   * @param write one that is as the one that was begun
   * @return as {@link #write}
   */
  public long finish(PendingWrite begun, K key, KeyWrite<K, V> write) {
    throw new IllegalStateException("no write was begun: cache=" + name());
  }

  /**
   * Writes an entry.
   *
   * @param mayWait whether to wait if need be
   * @return as {@link #write}, or {@link #WOULD_WAIT} if it would have to and must not
   */
  abstract long change(K key, int hash, Mutation<K, V> mutation, boolean mayWait);

  /**
   * As {@link #write}, but waits for a function of a user that runs for the key where the cache is
   * this node's alone, so that the function is called once. Not for threads that must not block.
   */
  public long writeInTurn(K key, int hash, Mutation<K, V> mutation) {
    return write(key, hash, mutation);
  }

  /**
   * Puts an object with the cache's default times, the short way: where nothing but the entry is
   * concerned, neither a store, a bound, a listener nor a function of a user. Allocates nothing
   * unless the entry is a new one.
   *
   * @return the object before; null if there was no entry; what {@link Segment#isUnclear} knows if
   *     nothing was done, so that {@link #writeInTurn} must do it
   */
  public @Nullable Object putObject(K key, int hash, Object value) {
    return Segment.unclear();
  }

  /** What is equal for equal keys, and stays as it is when the key is used again. */
  public final Object identity(K key) {
    return Flights.identity(key);
  }

  /** Whether functions run, so that {@link #isInFlight} is worth asking. */
  public final boolean hasFlights() {
    return !flights.isEmpty();
  }

  /** Whether {@link #writeInTurn} would wait now for a function that another thread runs. */
  public final boolean isInFlight(K key) {
    return !isClustered() && flights.isTaken(key);
  }

  /**
   * As {@link #write} of a function that loads what is not there: one such function runs at a time
   * for a key, on all nodes that share its entry.
   */
  public long load(K key, int hash, UserMutation<K, V> code) {
    return write(key, hash, code);
  }

  /**
   * Claims a key for a function that loads it, and is not run by {@link #load}. Others that load
   * the key wait until the claim is closed.
   *
   * @param userKey the key as its user knows it, for messages
   * @return the claim, which this thread closes; null if the key is being loaded
   */
  public final @Nullable LoadClaim tryLoad(K key, int hash, Object userKey) {
    checkOpen();
    Flight flight = flights.tryBegin(key, userKey);
    if (flight == null) {
      return null;
    }
    boolean isClaimed = false;
    try {
      Claims.Claim claim = tryClaim(key, hash);
      isClaimed = claim != null;
      return claim == null ? null : new LoadClaim(flights, flight, claim);
    } finally {
      if (!isClaimed) {
        flights.end(flight);
      }
    }
  }

  /**
   * Claims a key among the nodes that share its entry, without a flight: writes go on, and need not
   * mind.
   *
   * @return the claim; null if another node has it
   */
  public Claims.@Nullable Claim tryClaim(K key, int hash) {
    return Claims.Claim.NONE;
  }

  /**
   * Refuses a write of a key by a function that runs for it.
   *
   * @throws IllegalStateException if this thread runs one
   */
  public final void refuseRecursion(K key) {
    flights.refuseRecursion(key);
  }

  /**
   * Refuses a write of all keys by a function.
   *
   * @throws IllegalStateException if this thread runs one
   */
  public final void refuseRecursionOfAll() {
    flights.refuseAll();
  }

  /**
   * Has the code of a user decide on a write where the entry is.
   *
   * @param processor the code, as {@link EntryProcessing} takes it
   * @param near the same code for when the entry is on this node; runs the code of users
   * @return the answer of {@link EntryProcessing}; null if it was {@code near} that was applied
   */
  public @Nullable ByteString process(K key, int hash, ByteString processor, Mutation<K, V> near) {
    write(key, hash, near);
    return null;
  }

  /** Operations on many keys, to be under way at the same time where that helps. */
  public abstract Bulk<K, V> bulk();

  /**
   * Room in the cache's storage for a value that comes in chunks, for {@link #append} and then a
   * {@link KeyWrite}; the caller closes it. Only for caches of bytes.
   */
  public final IncomingValue newIncomingValue() {
    checkOpen();
    return container.newIncomingValue();
  }

  /**
   * The largest value that a chunked write of a key can store as things are, in bytes. A write that
   * ends when other nodes have come is refused if it is too large for them.
   */
  public int incomingValueMax(BinaryKey key) {
    return Integer.MAX_VALUE - ENTRY_OVERHEAD_MAX - key.length();
  }

  /**
   * Appends a chunk to a value that is coming in; evicts for it where the cache may. Any thread,
   * one at a time for a value.
   *
   * @param chunk its rest is appended; unchanged if that fails
   * @throws dev.isogrid.api.CacheFullException if there is no memory
   */
  public final void append(IncomingValue value, ByteBuffer chunk) {
    for (int round = 0; ; round++) {
      checkOpen();
      try {
        value.append(chunk);
        return;
      } catch (MemoryFullException full) {
        boolean mayEvict = evictor != null && !isClustered();
        if (!mayEvict || !Objects.requireNonNull(evictor).tryMakeRoom(round)) {
          throw Evictor.outOfMemory(name, full);
        }
      }
    }
  }

  /**
   * Removes every entry, segment by segment.
   *
   * @throws IllegalStateException if called from a mutation
   */
  public final void clear() {
    clear(false);
  }

  /**
   * As {@link #clear()}.
   *
   * @param isSilent whether listeners are not told
   */
  public abstract void clear(boolean isSilent);

  /** A read came upon an entry that is expired: listeners are told, now or soon. */
  abstract void foundExpired(K key, int hash);

  /** The number of live entries. */
  public abstract long size();

  /**
   * The number of live entries of a segment as this node has them; for what that is worth ask
   * {@link #serving} before and {@link #hasServed} after. O(1) unless some may be expired.
   */
  public abstract long count(int index);

  /** How long an operation waits for other nodes, in milliseconds. */
  public long timeoutMillis() {
    return Long.MAX_VALUE;
  }

  /** Whether entries may be expired that are on this node's disk only. */
  boolean isDueOnDisk() {
    return false;
  }

  /** The number of a segment's entries that are on this node's disk only. Any thread. */
  long countEvicted(int index) {
    return 0;
  }

  /** Whether entries move between memory and disk, each under its segment's lock. */
  boolean movesEntries() {
    return false;
  }

  /**
   * The number of entries on this node, those included whose expiry nobody noticed yet;
   * O(segments).
   */
  public final long approximateSize() {
    checkOpen();
    long size = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      size += container.segmentAt(index).count() + countEvicted(index);
    }
    return size;
  }

  /** As {@link #approximateSize}, without the copies of other nodes' entries. */
  public final long approximatePrimarySize() {
    checkOpen();
    long size = 0;
    for (int index = 0; index < container.segmentCount(); index++) {
      if (serving(index) >= 0) {
        size += container.segmentAt(index).count() + countEvicted(index);
      }
    }
    return size;
  }

  /**
   * Says whether this node answers for a segment now, so that {@link #snapshot} shows what is
   * committed there without asking anybody.
   *
   * @return what {@link #hasServed} is asked with afterwards, or -1 if this node does not
   */
  public abstract long serving(int index);

  /**
   * Whether this node answered for a segment all the time since {@link #serving} said so. If not,
   * what was seen there since then does not count.
   */
  public abstract boolean hasServed(int index, long since);

  /**
   * As {@link #serving}, and also for a segment of another node, if this node's copy has all that
   * is committed there. Any write to such a segment makes {@link #hasServed} false: what a walk has
   * shown of the copy by then does not count.
   */
  public long readable(int index) {
    return serving(index);
  }

  /**
   * The node that answers for a segment, as far as this one knows; null if there is none now, or if
   * the entries are this node's only.
   */
  public abstract @Nullable NodeId primary(int index);

  /**
   * The entries that a segment of this node has at this moment; they may expire while they are
   * looked at.
   *
   * @throws dev.isogrid.api.RetryableGridException if this node does not answer for the segment
   */
  public abstract SegmentSnapshot<K, V> snapshot(int index);

  /**
   * The entries of a segment of this node that follow a key, as {@link Segment#orderedFrom} has
   * them; they may be expired. Only for caches of bytes.
   *
   * @param after null for all entries; borrowed until the walk ends
   * @throws dev.isogrid.api.RetryableGridException if this node does not answer for the segment
   */
  public abstract SegmentSnapshot<K, V> orderedFrom(int index, @Nullable K after);

  /**
   * The number of live entries of a segment as this node has them, as {@link #count}, if that can
   * be told at once: without waiting longer than some microseconds for the segment's lock, or for
   * many expired entries to be found. From within a mutation of that segment expired entries may
   * count.
   *
   * @return the number, or -1 if it can't
   */
  public final long promptCount(int index) {
    Segment<K, V> segment = container.segmentAt(index);
    if (isDueOnDisk()) {
      return -1;
    }
    boolean isDue = isDue(segment);
    // A search would move the place that the mutation of this thread is at.
    if (segment.isLockedByMe() || (!isDue && !movesEntries())) {
      return segment.count() + countEvicted(index);
    }
    if (!segment.tryLockSoon()) {
      return -1;
    }
    try { // an entry that moves would count twice, or not at all
      long live = isDue ? countLive(segment, PROMPT_PLACES_MAX) : segment.count();
      return live < 0 ? live : live + countEvicted(index);
    } finally {
      segment.unlock();
    }
  }

  /**
   * The number of entries of a segment less the expired ones, which are looked for where some may
   * be. Locked.
   *
   * @param placesMax how many places to look at
   * @return the number, or -1 if there are more such places
   */
  final long countLive(Segment<K, V> segment, int placesMax) {
    long[] expired = {0};
    int next =
        segment.visitExpired(0, placesMax, nowMillis(), container.newView(), _ -> expired[0]++);
    return next < 0 ? segment.count() - expired[0] : -1;
  }

  /** Begins a walk through all live entries, wherever they are. */
  public final EntryWalk<K, V> walk() {
    BitSet all = new BitSet();
    all.set(0, segmentCount());
    return walk(all, true);
  }

  /**
   * Begins a walk through the live entries of some segments, wherever they are.
   *
   * @param segments the wanted ones; taken
   * @param withValues whether values are needed; they may be empty if not
   */
  public EntryWalk<K, V> walk(BitSet segments, boolean withValues) {
    return new SegmentsWalk<>(this, segments);
  }

  /**
   * Adds a listener for the changes from now on, wherever in the cluster they are made. Waits for
   * other nodes where the cache is clustered.
   *
   * @throws dev.isogrid.api.RetryableGridException if they don't answer in time
   */
  public abstract Subscription addListener(ChangeListener<K, V> listener);

  /**
   * Reads the changes behind a place from the store of the cache, and from those of other nodes.
   * Blocks for the disk, and for other nodes.
   *
   * @param from a token that came with a change, or one of the two constants
   * @throws InvalidRequestException if the cache has no store, or it is no token of this kind of
   *     cache
   * @throws dev.isogrid.api.ChangesGoneException if the store does not go back so far, or the token
   *     is of another cache
   * @throws dev.isogrid.api.RetryableGridException if nodes don't answer in time
   */
  public ChangeTail<K, V> changes(ChangeToken from) {
    throw new InvalidRequestException(
        ("changes can't be followed: cache=%s, mode=%s, store=%s; only caches with a file store"
                + " keep them, use a listener for others")
            .formatted(name, config.mode(), config.fileStore() == null ? "none" : "file"));
  }

  /**
   * Waits until listeners were told of all changes that were made before this call, and on other
   * nodes as well.
   *
   * @throws dev.isogrid.api.RetryableGridException if that is not so in time
   */
  public void awaitHeard() {}

  /** Moves what is in regions that the pool gives back; nothing on the heap. Takes locks. */
  public final void vacate() {
    container.vacate();
  }

  /** The memory of the cache on this node. */
  public final MemoryUse memoryUse() {
    checkOpen();
    return container.memoryUse();
  }

  /** The memory of a segment on this node. */
  public final MemoryUse memoryUse(int segment) {
    checkOpen();
    return container.memoryUse(Objects.checkIndex(segment, container.segmentCount()));
  }

  /** The pages of a segment on this node; none on the heap. */
  public final List<PageUse> pages(int segment) {
    checkOpen();
    return container.pages(Objects.checkIndex(segment, container.segmentCount()));
  }

  /** Returns whether this node removes entries from its memory by itself to stay in a bound. */
  final boolean evicts() {
    return evictor != null && !evictor.isRefusing();
  }

  /** Returns whether this node has no more what it evicted. */
  boolean losesEntries() {
    return evicts();
  }

  final void countRead(boolean hit) {
    if (counters != null) {
      (hit ? counters.hits : counters.misses).increment();
    }
  }

  /** What was counted, or null if statistics are off. */
  public final @Nullable CacheStats stats() {
    CacheCounters known = counters;
    return known == null || !config.statistics() ? null : known.stats();
  }

  /** What was counted of a store outside of the grid; null if there is none. */
  public @Nullable StoreStats storeStats() {
    return null;
  }

  /**
   * Returns the state of the journal on this node's disk; null if the cache has none, if it is not
   * open, or if it is only read. Does not block.
   */
  public @Nullable JournalState journalState() {
    return null;
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

  final boolean isDue(Segment<K, V> segment) {
    return segment.mortalCount() > 0 && segment.earliestExpiryMillis() <= nowMillis();
  }

  /** Ends the cache and frees its entries. Closing twice is harmless. */
  @Override
  public final void close() {
    closed = true;
    flights.close();
    tellClosed(); // before what may wait for a disk
    endTasks();
    for (int index = 0; index < container.segmentCount(); index++) {
      close(container.segmentAt(index));
      container.clearPlaces(index);
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

  /** Ends what runs in the background, once or more. */
  abstract void endTasks();

  /** Tells listeners that the cache was closed, once or more. */
  void tellClosed() {
    listeners.tellClosed();
  }
}
