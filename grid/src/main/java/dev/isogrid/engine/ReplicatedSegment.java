package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What this node has committed of all caches in one segment of their group. Written by the thread
 * that drives the node alone; the containers are read by any.
 */
final class ReplicatedSegment implements CommittedEntries {
  /*
   * The seam between the protocol, which knows segments and keys, and the caches that share a
   * segment. Each call finds the cache and hands on, so the class is long and flat. What it keeps
   * itself is of all caches together: promises of memory, an entry that comes in parts, and the
   * writes that are not on the disk yet, in their order, since answers are given in that order.
   */
  /**
   * More writes of a segment than a loss of power can lose, or than others make before an operator
   * recovers the majority; places last for 16,000 times.
   */
  static final long LOST_WRITES_MAX = 1 << 24;

  /** What was written to a store. */
  private record Unforced(long seq, ReplicaStore store, long position) {}

  /** Room in a block beyond what it should have, so that the last entry mostly fits. */
  private static final int BLOCK_ROOM_BYTES = 4 << 10;

  /** Entries that are walked through in one go and not sent: a millisecond or two. */
  private static final int WALKED_MAX = 16_384;

  /** Entries with more bytes of key and value are copied in parts. */
  private static final int WHOLE_ENTRY_MAX = 1 << 20;

  private final int index;
  private final ServedSegment served;
  private final IntFunction<@Nullable ReplicaStore> storeOf;
  private final Collection<ReplicaStore> stores;
  private final IntSupplier lastCacheId;
  private final int restoredRestarts;
  private final FormerEntries base;
  private final DiskReads reads;

  /** The place of the last copy that was received. */
  private long copiedSeq;

  /** Writes that may not be on the disk yet, in their order; mostly empty. */
  private final ArrayDeque<Unforced> unforced = new ArrayDeque<>();

  /** Room that is kept for what has its place, and is not applied yet. */
  private final ArrayDeque<PromisedRoom.Promise> promises = new ArrayDeque<>();

  /** What is known of what is being committed. */
  private ReplicaStore.How how = new ReplicaStore.How(false, false);

  /** An entry that comes in parts, or null. */
  private @Nullable IncomingEntry incoming;

  /**
   * A segment.
   *
   * @param index its number in each cache
   * @param served what the node may do in it
   * @param storeOf a cache of this group by its id, or null if it was removed
   * @param stores the caches of this group, as they are at any time
   * @param lastCacheId the id of the newest cache that this node has heard of, of any group
   * @param restoredRestarts how often a segment was restarted that has its loaded entries, or -1
   * @param reads reads what is on the disk only
   */
  // tidy: the parts of one segment
  ReplicatedSegment(
      int index,
      ServedSegment served,
      IntFunction<@Nullable ReplicaStore> storeOf,
      Collection<ReplicaStore> stores,
      IntSupplier lastCacheId,
      int restoredRestarts,
      DiskReads reads) {
    this.reads = reads;
    this.index = index;
    this.served = served;
    this.storeOf = storeOf;
    this.stores = stores;
    this.lastCacheId = lastCacheId;
    this.restoredRestarts = restoredRestarts;
    this.base = new FormerEntries(index, stores);
  }

  /** A cache with a lower id that is not here was removed: what is written to it is dropped. */
  @Override
  public boolean knows(Object key) {
    return switch (key) {
      case EntryKey entryKey -> entryKey.cacheId() <= lastCacheId.getAsInt();
      case CacheScope scope -> scope.cacheId() <= lastCacheId.getAsInt();
      default -> true;
    };
  }

  @Override
  public @Nullable Object value(Object key) {
    return value(key, true);
  }

  @Override
  public @Nullable Object value(Object key, boolean needsBytes) {
    if (!(key instanceof EntryKey entryKey)) {
      return null;
    }
    ReplicaStore store = store(entryKey);
    return store == null ? null : store.stored(index, entryKey, needsBytes);
  }

  // ---- entries that are on the disk only

  @Override
  public boolean areOnDisk() {
    return reads.areNeeded();
  }

  @Override
  public boolean tryHold(Command command) {
    return !areOnDisk() || tryHold(keys(command));
  }

  @Override
  public void release(Command command) {
    if (areOnDisk()) {
      keys(command).forEach(this::release);
    }
  }

  @Override
  public Collection<Object> keys(Command command) {
    return command instanceof WriteEntries all
        ? all.writes().stream().<Object>map(WriteEntry::key).toList()
        : List.of(command.key());
  }

  @Override
  public Collection<Object> keys(CopiedBlock block) {
    ReplicaStore store = storeOf.apply(block.cacheId());
    if (store == null || !store.isOnDisk()) {
      return List.of();
    }
    List<Object> keys = new ArrayList<>();
    EntryView<BinaryKey, Bytes> view = store.newView();
    PackedEntries entries = block.entries();
    while (entries.next(view)) {
      keys.add(new EntryKey(block.cacheId(), view.key().toByteArray()));
    }
    return keys;
  }

  /** The cache of a key if its entries may be on the disk only, else null. */
  private @Nullable ReplicaStore onDisk(Object key) {
    ReplicaStore store = key instanceof EntryKey entryKey ? store(entryKey) : null;
    return store != null && store.isOnDisk() ? store : null;
  }

  @Override
  public boolean tryHold(Collection<Object> keys) {
    List<Object> held = new ArrayList<>();
    for (Object key : keys) {
      ReplicaStore store = onDisk(key);
      if (store != null && !store.tryHold((EntryKey) key)) {
        held.forEach(this::release);
        return false;
      }
      held.add(key);
    }
    return true;
  }

  @Override
  public void hold(Object key) {
    ReplicaStore store = areOnDisk() ? onDisk(key) : null;
    if (store != null) {
      store.hold((EntryKey) key);
    }
  }

  @Override
  public void release(Object key) {
    ReplicaStore store = areOnDisk() ? onDisk(key) : null;
    if (store != null) {
      store.release((EntryKey) key);
    }
  }

  /** A key, and its cache. */
  private record Wanted(ReplicaStore store, EntryKey key) {}

  @Override
  public boolean tryFetch(Collection<Object> keys, DiskReads.Continuation whenDone) {
    List<Wanted> wanted = new ArrayList<>();
    for (Object key : keys) {
      ReplicaStore store = onDisk(key);
      if (store != null) {
        store.hold((EntryKey) key); // so that it stays, once it is there
        wanted.add(new Wanted(store, (EntryKey) key));
      }
    }
    boolean isBegun =
        reads.tryBegin(
            () -> wanted.forEach(each -> each.store().bringBack(each.key())),
            (isRead, nowNanos) -> {
              try {
                whenDone.run(isRead, nowNanos);
              } finally {
                wanted.forEach(each -> each.store().release(each.key()));
              }
            });
    if (!isBegun) {
      wanted.forEach(each -> each.store().release(each.key()));
    }
    return isBegun;
  }

  private @Nullable ReplicaStore store(EntryKey key) {
    return storeOf.apply(key.cacheId());
  }

  @Override
  public long seq(Object key) {
    if (!(key instanceof EntryKey entryKey)) {
      return 0;
    }
    ReplicaStore store = store(entryKey);
    return store == null ? 0 : store.storedSequence(index, entryKey);
  }

  @Override
  public void inSync() {
    served.copy(true, true);
    stores.forEach(store -> store.feed().inSync(index));
  }

  @Override
  public void left(long seq) {
    endIncoming();
    served.committed(seq);
    served.copy(false, false);
    stores.forEach(store -> store.feed().left(index, seq));
  }

  @Override
  public void copied(long seq) {
    endIncoming();
    served.committed(seq);
    served.copy(false, true);
    copiedSeq = seq;
    stores.forEach(store -> {
      complete(store, seq, true);
      store.feed().copied(index);
    });
  }

  /** Says to a store that it has everything. */
  private void complete(ReplicaStore store, long seq, boolean isCopy) {
    EntryJournal<BinaryKey, Bytes> kept = store.kept();
    if (kept != null) {
      long position = store.complete(index, seq);
      if (isCopy || kept.isForcedEach()) {
        unforced.add(new Unforced(seq, store, position));
        kept.forceSoon();
      }
    }
  }

  /** Notes a write that is to be on the disk before it is answered. */
  private void written(ReplicaStore store, long seq, long position) {
    EntryJournal<BinaryKey, Bytes> kept = store.kept();
    if (kept != null && kept.isForcedEach()) {
      long _ = keptSeq(); // forgets those that are forced
      unforced.add(new Unforced(seq, store, position));
    }
  }

  @Override
  public long keptSeq() {
    while (!unforced.isEmpty() && isForced(unforced.getFirst())) {
      unforced.removeFirst();
    }
    return unforced.isEmpty() ? Long.MAX_VALUE : unforced.getFirst().seq() - 1;
  }

  private static boolean isForced(Unforced write) {
    EntryJournal<BinaryKey, Bytes> kept = write.store().kept();
    return kept == null || write.store().isClosed() || kept.isForced(write.position());
  }

  @Override
  public long unkeptSeq(Command command) {
    ReplicaStore store = storeOf(command);
    long position = store == null ? 0 : store.unshownPosition(index);
    if (store == null || position == 0) {
      return 0;
    }
    for (Iterator<Unforced> last = unforced.descendingIterator(); last.hasNext(); ) {
      Unforced write = last.next();
      if (write.store() == store && write.position() >= position) {
        return write.seq();
      }
    }
    // a caller of this node wrote it, to the segment that is the node's own
    long seq = served.committedSeq();
    unforced.add(new Unforced(seq, store, position));
    return seq;
  }

  @Override
  public boolean isCopyKept() {
    return keptSeq() >= copiedSeq;
  }

  @Override
  public long loadedPlace(int restarts) {
    boolean isKept = stores.stream().anyMatch(store -> store.kept() != null);
    return isKept && restarts == restoredRestarts ? diskPlace() : -1;
  }

  @Override
  public long diskPlace() {
    long place = 0;
    for (ReplicaStore store : stores) {
      place = Math.max(place, store.keptPlace(index));
    }
    return place + LOST_WRITES_MAX;
  }

  @Override
  public void beginCommit(LogEntry entry) {
    endPromises(entry.seq());
    served.committed(entry.seq());
    how =
        switch (entry.result()) {
          case WriteResult result -> new ReplicaStore.How(result.isSilent(), isExpiry(result));
          case OmittedAnswer omitted -> new ReplicaStore.How(omitted.isSilent(), false);
          case null, default -> new ReplicaStore.How(false, false);
        };
  }

  /** Whether a removal with this answer found the time of the entry to be over. */
  private static boolean isExpiry(WriteResult result) {
    return result.outcome() == KeyWrite.Outcome.KEY_ABSENT
        || (result.outcome() == KeyWrite.Outcome.DONE && result.sequence() == 0);
  }

  @Override
  public void reached(long seq) {
    served.committed(seq);
  }

  @Override
  public void restarted(long seq) {
    served.committed(seq);
    stores.forEach(store -> {
      complete(store, seq, false);
      store.feed().restarted(index);
    });
  }

  @Override
  public boolean canTakeBack(Object key) {
    if (!(key instanceof EntryKey entryKey)) {
      return false;
    }
    ReplicaStore store = store(entryKey);
    return store == null || !store.isTooLarge(index, entryKey);
  }

  @Override
  public void takeBack(Object key, @Nullable Object before, long seq) {
    EntryKey entryKey = (EntryKey) key;
    ReplicaStore store = store(entryKey);
    if (store != null && before != null) {
      store.restore(index, entryKey, (DetachedEntry) before, seq);
    } else if (store != null) {
      store.forget(index, entryKey);
    }
  }

  @Override
  public void put(Object key, Object value, long seq) {
    EntryKey entryKey = (EntryKey) key;
    ReplicaStore store = store(entryKey);
    if (store != null) {
      written(store, seq, store.commit(index, entryKey, (DetachedEntry) value, seq, how));
    }
  }

  @Override
  public void putTogether(ManyValues values, long seq) {
    EntryKey any = (EntryKey) values.byKey().keySet().iterator().next();
    ReplicaStore store = store(any);
    if (store != null) {
      written(store, seq, store.commitTogether(index, values, seq, how.isSilent()));
    }
  }

  @Override
  public void restore(Object key, Object value, long seq) {
    EntryKey entryKey = (EntryKey) key;
    ReplicaStore store = store(entryKey);
    if (store == null) {
      return;
    }
    if (value instanceof EntryPiece piece) {
      restorePart(store, entryKey, piece, seq);
    } else {
      store.restore(index, entryKey, (DetachedEntry) value, seq);
    }
  }

  @Override
  public void restoreAll(CopiedBlock block, @Nullable ToLongFunction<Object> removed) {
    ReplicaStore store = storeOf.apply(block.cacheId());
    if (store != null) {
      store.restoreAll(index, block, removed, ReplicaStore.CopyRule.NEWER);
    }
  }

  private void restorePart(ReplicaStore store, EntryKey key, EntryPiece piece, long seq) {
    IncomingEntry parts = incoming;
    if (parts == null || !parts.isNext(key, seq, piece)) {
      endIncoming();
      if (piece.offset() > 0) {
        return; // a later write of it made the rest of no use
      }
      parts = new IncomingEntry(key, seq, piece.entry(), store.newIncomingValue());
      incoming = parts;
    }
    parts.add(piece);
    if (piece.isLast()) {
      store.restore(index, key, parts.fields(), parts.value(), seq);
      endIncoming();
    }
  }

  private void endIncoming() {
    if (incoming != null) {
      incoming.close();
      incoming = null;
    }
  }

  @Override
  public void remove(Object key, long seq) {
    EntryKey entryKey = (EntryKey) key;
    ReplicaStore store = store(entryKey);
    if (store != null) {
      written(store, seq, store.commit(index, entryKey, null, seq, how));
    }
  }

  @Override
  public void clear(Object scope, long seq) {
    ReplicaStore store = storeOf.apply(((CacheScope) scope).cacheId());
    if (store != null) {
      written(store, seq, store.commitClear(index, seq, how.isSilent()));
    }
  }

  @Override
  public void clear() {
    clearBut(Set.of());
  }

  @Override
  public void clearBut(Set<Integer> caches) {
    endIncoming();
    unforced.clear();
    served.dropped();
    served.copy(false, false);
    stores.forEach(store -> {
      if (!caches.contains(store.id())) {
        store.drop(index);
      }
      store.feed().dropped(index);
    });
  }

  @Override
  public FormerEntries base() {
    return base;
  }

  @Override
  public @Nullable DeltaSource deltaTo(Map<Integer, Long> bases, long seed) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (ReplicaStore store : stores) {
      int count = store.storedCount(index);
      if (bases.containsKey(store.id()) && count <= EntrySums.ENTRIES_MAX) {
        counts.put(store.id(), count);
      }
    }
    Map<Integer, Long> usable = new HashMap<>(bases);
    usable.keySet().retainAll(counts.keySet());
    return usable.isEmpty() ? null : new DeltaSource(usable, counts, seed);
  }

  @Override
  public Object beginScan(DeltaSource delta) {
    return new Position(stores, delta);
  }

  @Override
  public long bytes() {
    return stores.stream().mapToLong(store -> store.storedBytes(index)).sum();
  }

  @Override
  public int count() {
    return stores.stream().mapToInt(store -> store.storedCount(index)).sum();
  }

  @Override
  public @Nullable Object refusal(Command command, boolean changes) {
    if (command instanceof WriteEntries all) {
      ReplicaStore store = storeOf.apply(all.key().cacheId());
      WriteResult ofStore = store == null ? null : store.refusalOfStore();
      return store == null || ofStore != null ? ofStore : store.room().refusal(index, all.writes());
    }
    if (changes && command.key() instanceof CacheScope scope) {
      ReplicaStore store = storeOf.apply(scope.cacheId());
      return store == null ? null : store.refusalOfStore();
    }
    WriteEntry write = write(command);
    ReplicaStore store = write == null ? null : store(write.key());
    return store == null || write == null ? null : store.refusal(index, write, changes);
  }

  @Override
  public @Nullable Object refusalOfCopies(Command command, int inSync) {
    ReplicaStore store = storeOf(command);
    return store == null || isExpiry(command) ? null : store.refusalOfCopies(index, inSync);
  }

  private @Nullable ReplicaStore storeOf(Command command) {
    return switch (command.key()) {
      case EntryKey key -> store(key);
      case CacheScope scope -> storeOf.apply(scope.cacheId());
      default -> null;
    };
  }

  private static boolean isExpiry(Command command) {
    WriteEntry write = write(command);
    return write != null && write.action() == WriteEntry.Action.EXPIRE;
  }

  @Override
  public boolean isDiskBehind() {
    for (ReplicaStore store : stores) {
      if (store.isDiskBehind()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean waitsForDisk(Command command, boolean isPeerBehind) {
    ReplicaStore store = storeOf(command);
    return store != null
        && store.kept() != null
        && (isPeerBehind || store.isDiskBehind())
        && !isExpiry(command);
  }

  @Override
  public boolean removesElsewhere(Command command, Command.Decision decision) {
    WriteEntry write = write(command);
    ReplicaStore store = write == null ? null : store(write.key());
    return store != null
        && write != null
        && store.losesEntries()
        && write.removesAnyway()
        && decision.result() instanceof WriteResult result
        && result.outcome() == KeyWrite.Outcome.KEY_ABSENT;
  }

  @Override
  public boolean mayEvict(Object key) {
    ReplicaStore store = key instanceof EntryKey entryKey ? store(entryKey) : null;
    return store != null && store.evicts();
  }

  private static @Nullable WriteEntry write(Command command) {
    return switch (command) {
      case WriteEntry wanted -> wanted;
      case ProcessEntry process -> process.write();
      default -> null;
    };
  }

  private static List<WriteEntry> puts(Command command) {
    if (command instanceof WriteEntries all) {
      return all.writes();
    }
    WriteEntry write = write(command);
    boolean isPut = write != null && write.action() == WriteEntry.Action.STORE;
    return write != null && isPut ? List.of(write) : List.of();
  }

  @Override
  public @Nullable Object refusal(Command command, NodeId full) {
    List<WriteEntry> puts = puts(command);
    ReplicaStore store = puts.isEmpty() ? null : store(puts.getFirst().key());
    return store == null ? null : store.room().refusal(index, full);
  }

  @Override
  public boolean isNearlyFull() {
    for (ReplicaStore store : stores) {
      if (store.room().isNearlyFull()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void accepted(Command command, long seq) {
    List<WriteEntry> puts = puts(command);
    ReplicaStore store = puts.isEmpty() ? null : store(puts.getFirst().key());
    if (store != null && store.room().isBounded()) {
      promises.add(store.room().promise(index, puts, seq));
    }
  }

  private void endPromises(long seq) {
    while (!promises.isEmpty() && promises.getFirst().seq() <= seq) {
      promises.removeFirst().end();
    }
  }

  @Override
  public void serve(boolean isServed) {
    if (!isServed) {
      endPromises(Long.MAX_VALUE);
    }
    if (isServed && !ServedSegment.isServed(served.stamp())) {
      stores.forEach(store -> store.activated(index));
    }
    served.set(isServed, false);
  }

  @Override
  public void readable(boolean isReadable) {
    served.setCopy(isReadable);
  }

  @Override
  public void beginOwn(long lastSeq) {
    served.committed(lastSeq);
    stores.forEach(store -> store.follow(index, lastSeq));
    served.set(true, true);
  }

  @Override
  public long endOwn() {
    served.set(true, false);
    long last = stores.stream().mapToLong(store -> store.lastSequence(index)).max().orElse(0);
    served.committed(Math.max(served.committedSeq(), last));
    return last;
  }

  @Override
  public boolean isWrittenByClients() {
    return served.isWrittenByClients();
  }

  @Override
  public void end() {
    served.end();
  }

  @Override
  public void awaitWriters() {
    stores.forEach(store -> store.lastSequence(index)); // takes the lock that they hold
  }

  // ---- reads of a primary

  /** The answer to a read: the live entry of a key, null, or why it can't be sent. */
  @Nullable Object read(EntryKey key) {
    ReplicaStore store = store(key);
    return store == null ? null : store.readForOther(index, key);
  }

  // ---- copies

  /** Where a copy goes on: in the walk through a cache, and then with further caches. */
  private static final class Position {
    private final ArrayDeque<ReplicaStore> rest;
    private @Nullable StoreWalk walk;

    /** The entry that is being sent in parts. */
    private @Nullable LargeEntry large;

    /** Says what is to be sent; null for all. */
    private final @Nullable DeltaSource delta;

    Position(Collection<ReplicaStore> stores, @Nullable DeltaSource delta) {
      this.rest = new ArrayDeque<>(stores);
      this.delta = delta;
      if (delta != null) {
        rest.removeIf(store -> !delta.concerns(store.id()));
      }
    }

    /** Goes on with the next cache, if the one before is done; false if there is none. */
    boolean hasWalk(int index) {
      while (walk == null || walk.store.isClosed()) {
        ReplicaStore next = rest.poll();
        if (next == null) {
          walk = null;
          return false;
        }
        walk = new StoreWalk(next, index);
      }
      return true;
    }

    boolean sends(ReplicaStore store, EntryView<BinaryKey, Bytes> entry) {
      return delta == null || delta.sends(store.id(), entry);
    }
  }

  /** A walk through the entries of one cache. */
  private static final class StoreWalk {
    private final ReplicaStore store;
    private final SegmentSnapshot<BinaryKey, Bytes> entries;
    private final EntryView<BinaryKey, Bytes> view;

    /** What there is to be copied at most, about. */
    private final long bytesMax;

    /** Whether other threads go on with it, since they may wait for the disk. */
    private final boolean isAside;

    /** What was read by another thread and is not in a batch yet. */
    private @Nullable ReadPart ready;

    StoreWalk(ReplicaStore store, int index) {
      this.store = store;
      this.entries = store.walk(index);
      this.view = store.newView();
      this.bytesMax = store.storedBytes(index) + BLOCK_ROOM_BYTES;
      this.isAside = store.isOnDisk();
    }

    /** Reads the next entries. Blocks; for one thread at a time. */
    ReadPart read(int countMax, int bytesMax) {
      PackedEntries packed = new PackedEntries((int) Math.min(this.bytesMax, bytesMax));
      LargeEntry large = null;
      boolean isEnd = false;
      while (!isEnd
          && large == null
          && packed.count() < countMax
          && packed.sizeBytes() < bytesMax) {
        isEnd = !entries.next(view);
        if (!isEnd && ReplicaStore.sizeOf(view) > WHOLE_ENTRY_MAX) {
          large = new LargeEntry(new EntryKey(store.id(), view.key().toByteArray()), view);
        } else if (!isEnd) {
          packed.add(view, true);
        }
        view.release();
      }
      return new ReadPart(packed, large, isEnd);
    }
  }

  /**
   * Entries of a walk that another thread read.
   *
   * @param large one that comes after the others, or null
   * @param isEnd whether these are the last ones
   */
  private record ReadPart(PackedEntries packed, @Nullable LargeEntry large, boolean isEnd) {}

  /** What a batch has so far. */
  private static final class Filling {
    private final List<CopiedEntry> entries = new ArrayList<>();
    private final List<CopiedBlock> blocks = new ArrayList<>();
    private int count;
    private int walked;
    private long bytes;

    boolean isFull(int countMax, int bytesMax) {
      return count >= countMax || walked >= WALKED_MAX || bytes >= bytesMax;
    }
  }

  @Override
  public Object newScan() {
    return new Position(stores, null);
  }

  @Override
  public ScanState prepareScan(
      @Nullable Object position, int countMax, int bytesMax, DiskReads.Continuation whenRead) {
    Position from = (Position) Objects.requireNonNull(position);
    if (!areOnDisk() || from.large != null || !from.hasWalk(index)) {
      return ScanState.READY;
    }
    StoreWalk walk = Objects.requireNonNull(from.walk);
    if (!walk.isAside || walk.ready != null) {
      return ScanState.READY;
    }
    AtomicReference<@Nullable ReadPart> part = new AtomicReference<>();
    boolean isBegun =
        reads.tryBegin(
            () -> part.set(walk.read(countMax, bytesMax)),
            (isRead, nowNanos) -> {
              walk.ready = part.get();
              whenRead.run(isRead, nowNanos);
            });
    return isBegun ? ScanState.READING : ScanState.REFUSED;
  }

  @Override
  public Batch scan(@Nullable Object after, int countMax, int bytesMax) {
    Position position = after == null ? new Position(stores, null) : (Position) after;
    Filling batch = new Filling();
    while (!batch.isFull(countMax, bytesMax)) {
      LargeEntry large = position.large;
      if (large != null) {
        addPart(position, large, batch);
        continue;
      }
      if (!position.hasWalk(index)) {
        return new Batch(batch.entries, batch.blocks, null);
      }
      StoreWalk walk = Objects.requireNonNull(position.walk);
      if (!walk.isAside) {
        addBlock(position, walk, batch, countMax, bytesMax);
      } else if (walk.ready != null) {
        addRead(position, walk, walk.ready, batch);
      } else {
        break; // the next part begins with what is read until then
      }
    }
    return new Batch(batch.entries, batch.blocks, position);
  }

  private static void addRead(Position position, StoreWalk walk, ReadPart read, Filling batch) {
    walk.ready = null;
    position.large = read.large();
    if (read.isEnd()) {
      position.walk = null;
    }
    addBlock(walk.store, read.packed(), batch);
  }

  private static void addBlock(ReplicaStore store, PackedEntries packed, Filling batch) {
    int size = packed.sizeBytes();
    if (size > 0) {
      batch.blocks.add(new CopiedBlock(store.id(), packed.array(), 0, size, packed.count()));
      batch.count += packed.count();
      batch.bytes += size;
    }
  }

  /**
   * Adds the next entries of a walk, up to a large one. The large one is sent in the state that the
   * walk finds: the receiver gets later changes to it apart from the copy.
   */
  private static void addBlock(
      Position position, StoreWalk walk, Filling batch, int countMax, int bytesMax) {
    int room = (int) Math.min(walk.bytesMax, bytesMax - batch.bytes + BLOCK_ROOM_BYTES);
    PackedEntries packed = new PackedEntries(room);
    EntryView<BinaryKey, Bytes> view = walk.view;
    boolean isEnd = false;
    while (!isEnd
        && position.large == null
        && batch.walked < WALKED_MAX
        && batch.count + packed.count() < countMax
        && batch.bytes + packed.sizeBytes() < bytesMax) {
      isEnd = !walk.entries.next(view);
      boolean isSent = !isEnd && position.sends(walk.store, view);
      batch.walked += isSent ? 0 : 1;
      if (isSent && ReplicaStore.sizeOf(view) > WHOLE_ENTRY_MAX) {
        EntryKey key = new EntryKey(walk.store.id(), view.key().toByteArray());
        position.large = new LargeEntry(key, view);
      } else if (isSent) {
        packed.add(view, true);
      }
      view.release();
    }
    if (isEnd) {
      position.walk = null;
    }
    addBlock(walk.store, packed, batch);
  }

  private static void addPart(Position position, LargeEntry large, Filling batch) {
    CopiedEntry part = large.next();
    if (large.isSent()) {
      large.close();
      position.large = null;
    }
    batch.entries.add(part);
    batch.count++;
    batch.bytes += Sized.of(part.value());
  }

  @Override
  public void endScan(Object position) {
    LargeEntry large = ((Position) position).large;
    if (large != null) {
      large.close();
    }
    StoreWalk walk = ((Position) position).walk;
    ReadPart read = walk == null ? null : walk.ready;
    if (read != null && read.large() != null) {
      read.large().close();
    }
  }
}
