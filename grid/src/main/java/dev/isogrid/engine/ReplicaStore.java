package dev.isogrid.engine;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.IncomingValue;
import dev.isogrid.store.PackedEntries;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What this node has committed of one cache. Written by the thread that drives the node alone; read
 * by any.
 */
final class ReplicaStore {
  /*
   * All that happens to one cache's part of a replica, in one class: each way takes the segment's
   * lock, changes the container, appends the same to the journal if there is one, and tells the
   * feed. What is decided upon elsewhere can't be refused here, so primaries ask before.
   */
  /** The largest key and value that fit a message between nodes with whatever else it has. */
  static final int SENT_ENTRY_MAX = 48 << 20;

  /** Places that are looked at for expired entries under one hold of a segment's lock. */
  private static final int EXPIRED_STEP_PLACES = 4096;

  private final int id;
  private final int epoch;
  private final ReplicatedEngine engine;
  private final Container<BinaryKey, Bytes> container;
  private final PromisedRoom room;

  /** Null if entries are in memory only. */
  private final @Nullable EntryJournal<BinaryKey, Bytes> kept;

  /** Brings entries back that are on the disk only; null if all are in memory. */
  private final @Nullable EntryReturn<BinaryKey, Bytes> returning;

  private final ChangeFeed feed;
  private final Runnable whenChanged;

  /**
   * The store of a cache.
   *
   * @param id the cache's
   * @param epoch that of its versions
   * @param engine whose container this is
   * @param feed told of what is committed
   * @param whenChanged called after something was applied that listeners are to be told of
   */
  ReplicaStore(int id, int epoch, ReplicatedEngine engine, ChangeFeed feed, Runnable whenChanged) {
    this.feed = feed;
    this.id = id;
    this.epoch = epoch;
    this.engine = engine;
    this.container = engine.container;
    this.whenChanged = whenChanged;
    this.kept = engine.kept();
    this.returning = engine.returning();
    this.room = new PromisedRoom(this, engine);
  }

  int id() {
    return id;
  }

  /** Who is told of what is committed. */
  ChangeFeed feed() {
    return feed;
  }

  /** The epoch of the versions of the entries. */
  int epoch() {
    return epoch;
  }

  /** What keeps the entries on a disk, or null. */
  @Nullable EntryJournal<BinaryKey, Bytes> kept() {
    return kept;
  }

  boolean isClosed() {
    return engine.isClosed();
  }

  // ---- entries that are on the disk only

  /** Whether entries may be on the disk only. */
  boolean isOnDisk() {
    return returning != null;
  }

  /** As {@link CommittedEntries#tryHold(java.util.Collection)}, for one key. */
  boolean tryHold(EntryKey key) {
    return returning == null || returning.tryHold(key.toBinary(), key.hash());
  }

  /** As {@link CommittedEntries#hold}. */
  void hold(EntryKey key) {
    if (returning != null) {
      returning.hold(key.hash());
    }
  }

  /** As {@link CommittedEntries#release(Object)}. */
  void release(EntryKey key) {
    if (returning != null) {
      returning.release(key.hash());
    }
  }

  /** Brings an entry into memory, if it is on the disk only. Blocks. */
  void bringBack(EntryKey key) {
    if (returning != null) {
      returning.bringBack(key.toBinary(), key.hash());
    }
  }

  // ---- what is committed

  /**
   * The entry of a key, expired or not, or null; without its value if that is too large for other
   * nodes: {@link #refusal} lets nobody ask for it.
   *
   * @param needsBytes whether the bytes of the value are needed; copying them is most of the cost
   */
  @Nullable DetachedEntry stored(int index, EntryKey key, boolean needsBytes) {
    return take(index, key, needsBytes ? ReplicaStore::detached : DetachedEntry::withoutValue);
  }

  private static DetachedEntry detached(EntryView<BinaryKey, Bytes> view) {
    return sizeOf(view) > SENT_ENTRY_MAX
        ? DetachedEntry.withoutValue(view)
        : DetachedEntry.of(view);
  }

  /** The bytes of key and value of an entry. */
  static long sizeOf(EntryView<BinaryKey, Bytes> view) {
    return (long) view.key().length() + view.value().length();
  }

  /** Whether the entry of a key is too large to be sent to another node. */
  boolean isTooLarge(int index, EntryKey key) {
    Long size = take(index, key, ReplicaStore::sizeOf);
    return size != null && size > SENT_ENTRY_MAX;
  }

  private WriteResult tooLarge(EntryKey key) {
    return WriteResult.refused(
        ("entry too large to be sent to another node: cache=%s, key=%s, limit=%d; read it from the"
                + " node that has it, or replace or remove it without asking for what was there")
            .formatted(engine.name(), key, SENT_ENTRY_MAX));
  }

  /** The answer to a write while so many copies of its segment are in sync; null if it is done. */
  @Nullable WriteResult refusalOfCopies(int index, int inSync) {
    int wanted = engine.config().minInSync();
    return inSync >= wanted
        ? null
        : WriteResult.refusedForNow(
            ("too few copies are in sync: cache=%s, segment=%d, in-sync=%d, min-in-sync=%d; try"
                    + " again when other nodes have copies")
                .formatted(engine.name(), index, inSync, wanted));
  }

  /** The sequence of a key's entry, or 0 if there is none. */
  long storedSequence(int index, EntryKey key) {
    Long sequence = take(index, key, view -> view.version() & Segment.SEQUENCE_MAX);
    return sequence == null ? 0 : sequence;
  }

  private interface Taking<R> {
    R take(EntryView<BinaryKey, Bytes> view);
  }

  private <R> @Nullable R take(int index, EntryKey key, Taking<R> taking) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      segment.locate(key.toBinary(), key.hash(), view);
      return view.isPresent() ? taking.take(view) : null;
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  EntryView<BinaryKey, Bytes> newView() {
    return container.newView();
  }

  int storedCount(int index) {
    return container.segmentAt(index).count() + (int) engine.countEvicted(index);
  }

  /** The bytes of the entries of a segment. */
  long storedBytes(int index) {
    long inMemory = container.memoryUse(index).liveBytes();
    return returning == null || kept == null
        ? inMemory
        : Math.max(inMemory, bytesOnDisk(kept, index));
  }

  private long bytesOnDisk(EntryJournal<BinaryKey, Bytes> store, int index) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return store.liveBytes(index);
    } finally {
      segment.unlock();
    }
  }

  /** A walk through the entries of a segment, in any order; blocks if some are on the disk only. */
  SegmentSnapshot<BinaryKey, Bytes> walk(int index) {
    if (returning != null) {
      return returning.orderedFrom(index, null);
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return segment.snapshot();
    } finally {
      segment.unlock();
    }
  }

  /**
   * The answer to a write for which there is no room, or null.
   *
   * @param changes whether the write would change the entry
   */
  @Nullable WriteResult refusal(int index, WriteEntry write, boolean changes) {
    boolean needsValue = write.wantsPrevious() || write.action() == WriteEntry.Action.TOUCH;
    if (needsValue && isTooLarge(index, write.key())) {
      return tooLarge(write.key());
    }
    WriteResult ofStore = changes ? refusalOfStore(write.action()) : null;
    if (ofStore != null) {
      return ofStore;
    }
    boolean needsRoom = changes && write.action() == WriteEntry.Action.STORE;
    return needsRoom ? room.refusal(index, List.of(write)) : null;
  }

  private @Nullable WriteResult refusalOfStore(WriteEntry.Action action) {
    return action == WriteEntry.Action.EXPIRE ? null : refusalOfStore();
  }

  /** The answer to a write that the store can't take, or null. */
  @Nullable WriteResult refusalOfStore() {
    String trouble = kept == null ? null : kept.trouble();
    return trouble == null
        ? null
        : WriteResult.refusedForNow(
            ("write refused: cache=%s, reason=%s; make room on the disk or mend it, reads go on and"
                    + " writes will")
                .formatted(engine.name(), trouble));
  }

  /** Returns whether there is a store whose disk is so far behind that writes are to wait. */
  boolean isDiskBehind() {
    return kept != null && kept.isDiskBehind();
  }

  /** Returns whether this node removes entries by itself, which other replicas may still have. */
  boolean evicts() {
    return engine.evicts();
  }

  /** Returns whether this node has no more what it evicted. */
  boolean losesEntries() {
    return engine.losesEntries();
  }

  /** What decides whether there is room for puts. */
  PromisedRoom room() {
    return room;
  }

  // ---- commits

  /**
   * What is known of a write beside its effect.
   *
   * @param isSilent whether listeners are not to be told
   * @param isExpiry whether an entry is removed since its time is over, by the primary's clock
   */
  record How(boolean isSilent, boolean isExpiry) {}

  /**
   * Applies a committed write.
   *
   * @param entry what it stored, or null if it removed
   * @param sequence its place in the order, which is the version if the entry doesn't say another
   * @param how what else is known of it
   * @return the position in the store, 0 if there is none
   */
  long commit(int index, EntryKey key, @Nullable DetachedEntry entry, long sequence, How how) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    EffectApplier.Applied applied;
    long position;
    segment.lock();
    try {
      feed.committing(index, sequence);
      segment.skipSequence(sequence - 1);
      applied = commitLocked(segment, index, key, entry, sequence, how);
      position = kept == null ? 0 : kept.committed(index, sequence);
    } finally {
      endCommit(segment, index);
    }
    afterCommit(key, applied);
    return position;
  }

  /**
   * Applies a committed write of several entries, so that no read sees some of them only.
   *
   * @return the position in the store, 0 if there is none
   */
  long commitTogether(int index, ManyValues values, long sequence, boolean isSilent) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    Map<EntryKey, EffectApplier.Applied> applied = new LinkedHashMap<>();
    How how = new How(isSilent, false);
    long position = 0;
    segment.lock();
    try {
      feed.committing(index, sequence);
      segment.skipSequence(sequence - 1);
      segment.beginTogether();
      if (kept != null) {
        kept.beginTogether(index, version(sequence));
      }
      try {
        values
            .byKey()
            .forEach((key, value) -> {
              EntryKey entryKey = (EntryKey) key;
              DetachedEntry entry = (DetachedEntry) value;
              applied.put(entryKey, commitLocked(segment, index, entryKey, entry, sequence, how));
            });
      } finally {
        segment.endTogether();
        position = kept == null ? 0 : kept.endTogether(index, sequence);
      }
    } finally {
      endCommit(segment, index);
    }
    applied.forEach(this::afterCommit);
    return position;
  }

  private void endCommit(Segment<BinaryKey, Bytes> segment, int index) {
    feed.committing(index, 0);
    segment.endWrite();
    segment.unlock();
  }

  private void afterCommit(EntryKey key, EffectApplier.Applied applied) {
    whenChanged.run();
    if (engine.evictor != null) {
      engine.evictor.afterWrite(key.hash(), applied.use(), applied.bytes());
    }
  }

  // tidy: one write with all that is known of it
  private EffectApplier.Applied commitLocked(
      Segment<BinaryKey, Bytes> segment,
      int index,
      EntryKey key,
      @Nullable DetachedEntry entry,
      long sequence,
      How how) {
    EntryView<BinaryKey, Bytes> current = segment.writeView();
    BinaryKey binaryKey = key.toBinary();
    segment.locate(binaryKey, key.hash(), current);
    if (entry == null && kept != null && current.isPresent()) {
      // by what the primary found: what this node's clock says would differ between journals
      kept.removed(index, current, version(sequence), how.isExpiry());
    }
    removeIfExpired(segment, index, binaryKey, entry != null, sequence);
    Effect<Bytes> effect = segment.writeEffect();
    effect.clear();
    effect.silent(how.isSilent());
    return apply(segment, binaryKey, key.hash(), effect, entry, version(sequence));
  }

  private EntryJournal.@Nullable Prepared prepared(
      BinaryKey key, EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect, long version) {
    return kept == null ? null : kept.prepare(key, current, effect, version);
  }

  // tidy: one write with all that is known of it
  private void append(
      BinaryKey key,
      int hash,
      Effect<Bytes> effect,
      EntryJournal.@Nullable Prepared prepared,
      long version,
      EntryView<BinaryKey, Bytes> view) {
    if (kept != null && prepared != null) {
      long _ = kept.append(key, hash, effect, prepared, version, view);
    }
  }

  // tidy: one write with all that is known of it
  private EffectApplier.Applied apply(
      Segment<BinaryKey, Bytes> segment,
      BinaryKey key,
      int hash,
      Effect<Bytes> effect,
      @Nullable DetachedEntry entry,
      long version) {
    EntryView<BinaryKey, Bytes> current = segment.writeView();
    if (entry == null) {
      if (current.isPresent()) {
        effect.remove();
      }
      return engine.applier.apply(key, hash, current, effect, version); // journalled before
    } else if (entry.sequence() == 0) {
      entry.toEffect(effect);
    } else if (current.isPresent()
        && (current.version() & Segment.SEQUENCE_MAX) == entry.sequence()) {
      effect.touch(entry.lifespanMillis(), entry.maxIdleMillis());
      effect.times(entry.createdMillis(), entry.lastUsedMillis());
    } else {
      entry.toEffect(effect);
      EntryJournal.Prepared prepared = prepared(key, current, effect, version(entry.sequence()));
      long bytes = engine.applier.restore(key, hash, current, effect, version(entry.sequence()));
      append(key, hash, effect, prepared, version(entry.sequence()), current);
      return new EffectApplier.Applied(0, Evictor.Use.INSERTED, bytes);
    }
    EntryJournal.Prepared prepared = prepared(key, current, effect, version);
    EffectApplier.Applied applied = engine.applier.apply(key, hash, current, effect, version);
    append(key, hash, effect, prepared, version, current);
    return applied;
  }

  private long version(long sequence) {
    return Segment.epochBits(epoch) | sequence;
  }

  private void removeIfExpired(
      Segment<BinaryKey, Bytes> segment,
      int index,
      BinaryKey key,
      boolean isJournalled,
      long sequence) {
    EntryView<BinaryKey, Bytes> current = segment.writeView();
    if (current.isPresent() && current.isExpired(engine.nowMillis())) {
      if (engine.counters != null) {
        engine.counters.expirations.increment();
      }
      tell(CacheEvent.Kind.EXPIRED, index, key, current, sequence);
      if (kept != null && isJournalled) {
        kept.removed(index, current);
      }
      segment.removeLocated();
      segment.locate(key, key.hash(), current);
    }
  }

  private void tell(
      CacheEvent.Kind kind,
      int index,
      BinaryKey key,
      EntryView<BinaryKey, Bytes> before,
      long sequence) {
    if (!engine.listeners.isEmpty()) {
      engine.listeners.tell(new Change<>(kind, index, key, before, null, version(sequence)));
    }
  }

  /**
   * Applies the removal of all entries.
   *
   * @param isSilent whether listeners are not to be told
   * @return the position in the store, 0 if there is none
   */
  long commitClear(int index, long sequence, boolean isSilent) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    long position;
    segment.lock();
    try {
      feed.committing(index, sequence);
      segment.skipSequence(sequence);
      if (!isSilent && !engine.listeners.isEmpty()) {
        EntryView<BinaryKey, Bytes> view = container.newView();
        SegmentSnapshot<BinaryKey, Bytes> snapshot = segment.snapshot();
        while (snapshot.next(view)) {
          boolean isOver = view.isExpired(engine.nowMillis());
          CacheEvent.Kind kind = isOver ? CacheEvent.Kind.EXPIRED : CacheEvent.Kind.REMOVED;
          tell(kind, index, view.key(), view, sequence);
        }
        if (engine.countEvicted(index) > 0) {
          feed.missed(index); // they are not read for it: this thread may not wait for the disk
        }
      }
      position = kept == null ? 0 : kept.clear(index, sequence);
      segment.clear();
    } finally {
      feed.committing(index, 0);
      segment.unlock();
    }
    whenChanged.run();
    return position;
  }

  /** Room for a value of a copy that comes in parts; the caller closes it. */
  IncomingValue newIncomingValue() {
    return container.newIncomingValue();
  }

  /** Stores an entry of a copy; nobody is told. */
  void restore(int index, EntryKey key, DetachedEntry entry, long sequence) {
    restore(index, key, entry, Bytes.of(entry.value()), sequence);
  }

  /** The same with a value of its own, which is borrowed. */
  void restore(int index, EntryKey key, DetachedEntry fields, Bytes value, long sequence) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    long bytes;
    segment.lock();
    try {
      EntryView<BinaryKey, Bytes> current = segment.writeView();
      BinaryKey binaryKey = key.toBinary();
      segment.locate(binaryKey, key.hash(), current);
      Effect<Bytes> effect = segment.writeEffect();
      fields.toEffect(effect, value);
      EntryJournal.Prepared prepared = prepared(binaryKey, current, effect, version(sequence));
      bytes = engine.applier.restore(binaryKey, key.hash(), current, effect, version(sequence));
      append(binaryKey, key.hash(), effect, prepared, version(sequence), current);
    } finally {
      segment.endWrite();
      segment.unlock();
    }
    if (engine.evictor != null) {
      engine.evictor.afterWrite(key.hash(), Evictor.Use.INSERTED, bytes);
    }
  }

  /** Says which entries of a copy are stored. */
  @FunctionalInterface
  interface CopyRule {
    /** Those that are newer than what is here, and than what was removed. */
    CopyRule NEWER = (seq, known, removed) -> seq > Math.max(known, removed);

    /**
     * Returns whether an entry is stored.
     *
     * @param seq its place
     * @param known the place of the entry that is here, or 0
     * @param removed the place of the last write that removed the key meanwhile, or 0
     */
    boolean takes(long seq, long known, long removed);
  }

  /**
   * Stores entries of a block of a copy; nobody is told.
   *
   * @param removed as in {@link CommittedEntries#restoreAll}
   * @param rule says which of them
   */
  void restoreAll(
      int index, CopiedBlock block, @Nullable ToLongFunction<Object> removed, CopyRule rule) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    EntryView<BinaryKey, Bytes> copied = container.newView();
    PackedEntries entries = block.entries();
    Restored restored = new Restored(block.count());
    boolean isPlain =
        removed == null && rule.equals(CopyRule.NEWER) && kept == null && engine.evictor == null;
    segment.lock();
    try {
      if (isPlain && segment.tryStoreNewer(entries)) {
        return;
      }
      while (entries.next(copied)) {
        long removedSeq =
            removed == null ? 0 : removed.applyAsLong(new EntryKey(id, copied.key().toByteArray()));
        if (takes(segment, copied, removedSeq, rule)) {
          restoreLocked(segment, copied, restored);
        }
      }
    } finally {
      segment.endWrite();
      segment.unlock();
    }
    Evictor<BinaryKey, Bytes> evictor = engine.evictor;
    if (evictor != null) {
      for (int i = 0; i < restored.count; i++) {
        evictor.afterWrite(restored.hashes[i], Evictor.Use.INSERTED, restored.bytes[i]);
      }
    }
  }

  /** The stored entries of a block, for the evictor. */
  private static final class Restored {
    private final int[] hashes;
    private final long[] bytes;
    private int count;

    Restored(int countMax) {
      hashes = new int[countMax];
      bytes = new long[countMax];
    }

    void add(int hash, long entryBytes) {
      hashes[count] = hash;
      bytes[count++] = entryBytes;
    }
  }

  /** Leaves the window of writes at the entry's key. */
  private static boolean takes(
      Segment<BinaryKey, Bytes> segment,
      EntryView<BinaryKey, Bytes> copied,
      long removed,
      CopyRule rule) {
    EntryView<BinaryKey, Bytes> current = segment.writeView();
    segment.locate(copied.key(), copied.key().hash(), current);
    long known = current.isPresent() ? current.version() & Segment.SEQUENCE_MAX : 0;
    return rule.takes(copied.version() & Segment.SEQUENCE_MAX, known, removed);
  }

  private void restoreLocked(
      Segment<BinaryKey, Bytes> segment, EntryView<BinaryKey, Bytes> copied, Restored restored) {
    BinaryKey key = copied.key();
    int hash = key.hash();
    EntryView<BinaryKey, Bytes> current = segment.writeView();
    long sequence = copied.version() & Segment.SEQUENCE_MAX;
    Effect<Bytes> effect = segment.writeEffect();
    effect.store(
        copied.value(),
        copied.lifespanMillis(),
        copied.maxIdleMillis(),
        copied.clientFlags(),
        copied.mediaType());
    effect.times(copied.createdMillis(), copied.lastUsedMillis());
    EntryJournal.Prepared prepared = prepared(key, current, effect, version(sequence));
    restored.add(hash, engine.applier.restore(key, hash, current, effect, version(sequence)));
    append(key, hash, effect, prepared, version(sequence), current);
  }

  /** Forgets an entry, if there is one; nobody is told. */
  void forget(int index, EntryKey key) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      segment.locate(key.toBinary(), key.hash(), segment.writeView());
      if (segment.writeView().isPresent()) {
        if (kept != null) {
          kept.removed(index, segment.writeView());
        }
        segment.removeLocated();
      }
    } finally {
      segment.endWrite();
      segment.unlock();
    }
  }

  /**
   * Has all of a segment up to a place from now on, if there is a store.
   *
   * @return the position in the store, 0 if there is none
   */
  long complete(int index, long sequence) {
    if (kept == null) {
      return 0;
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return kept.complete(index, sequence);
    } finally {
      segment.unlock();
    }
  }

  /** The place up to which the store has all of a segment, negative if it lacks something. */
  long keptPlace(int index) {
    if (kept == null) {
      return StoredOrder.LACKING;
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return kept.place(index);
    } finally {
      segment.unlock();
    }
  }

  /**
   * The position in the store behind what readers may have seen of a segment and are not to be
   * shown yet, see {@link EntryJournal#isShown}; 0 if there is none. Waits for a write of this
   * node's callers that is under way, and so seen before it is in the store.
   */
  long unshownPosition(int index) {
    if (kept == null || !kept.isForcedEach()) {
      return 0;
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return kept.unshownPosition(index);
    } finally {
      segment.unlock();
    }
  }

  /** Lacks something of a segment from now on, and keeps what is there. */
  void lack(int index) {
    if (kept == null) {
      return;
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      kept.lacking(index);
    } finally {
      segment.unlock();
    }
  }

  /** Forgets all of a segment, which this node does not keep any more; nobody is told. */
  void drop(int index) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      if (kept != null) {
        kept.dropped(index);
      }
      segment.clear();
    } finally {
      segment.unlock();
    }
  }

  /** This node decides on a segment from now on; what it knows of uses is old. */
  void activated(int index) {
    if (returning != null) {
      returning.takeBackLeft();
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    if (segment.mortalCount() > 0) {
      segment.lock();
      try {
        segment.touchIdle(engine.nowMillis());
      } finally {
        segment.unlock();
      }
    }
  }

  /** Lets the versions of later writes follow a sequence. */
  void follow(int index, long sequence) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      segment.skipSequence(sequence);
    } finally {
      segment.unlock();
    }
  }

  /** The sequence of the last write; waits for one that is under way. */
  long lastSequence(int index) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      return segment.lastSequence();
    } finally {
      segment.unlock();
    }
  }

  // ---- reads of a primary

  /** The live entry of a key, or null; counts as its use. May read the disk. */
  @Nullable DetachedEntry readLocally(int index, EntryKey key) {
    DetachedEntry[] taken = new DetachedEntry[1];
    EntryReader<BinaryKey, Bytes> reader = view -> taken[0] = DetachedEntry.of(view);
    boolean isLive =
        look(index, key, reader)
            || (returning != null
                && returning.read(key.toBinary(), key.hash(), newView(), reader, true)
                    == Segment.Found.LIVE);
    return isLive ? taken[0] : null;
  }

  /**
   * What another node is answered that reads an entry: the entry, null, or why it can't be sent.
   */
  @Nullable Object readForOther(int index, EntryKey key) {
    Object[] taken = new Object[1];
    boolean isLive =
        look(
            index,
            key,
            view ->
                taken[0] = sizeOf(view) > SENT_ENTRY_MAX ? tooLarge(key) : DetachedEntry.of(view));
    return isLive ? taken[0] : null;
  }

  /** Shows the live entry of a key, which counts as its use; false if there is none. */
  private boolean look(int index, EntryKey key, EntryReader<BinaryKey, Bytes> reader) {
    Segment.Found found =
        container.segmentAt(index).read(key.toBinary(), key.hash(), container.newView(), reader);
    if (found == Segment.Found.EXPIRED) {
      engine.expireLater(key);
    }
    boolean isLive = found == Segment.Found.LIVE;
    if (isLive && engine.evictor != null) {
      engine.evictor.used(key.hash());
    }
    return isLive;
  }

  /** The number of live entries of a segment; looks for expired ones where some may be. */
  long countLive(int index) {
    if (engine.isDueOnDisk()) {
      return countWalked(index);
    }
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    if (!engine.isDue(segment) && returning == null) {
      return segment.count();
    }
    segment.lock();
    try {
      long inMemory =
          engine.isDue(segment) ? engine.countLive(segment, Integer.MAX_VALUE) : segment.count();
      return inMemory + engine.countEvicted(index);
    } finally {
      segment.unlock();
    }
  }

  private long countWalked(int index) {
    SegmentSnapshot<BinaryKey, Bytes> walk = walk(index);
    EntryView<BinaryKey, Bytes> view = newView();
    long count = 0;
    while (walk.next(view)) {
      count += view.isMortal() && view.isExpired(engine.nowMillis()) ? 0 : 1;
      view.release();
    }
    return count;
  }

  /** The expired entries of a segment without their values, up to a number. */
  List<KeyedEntry> expired(int index, int countMax) {
    List<KeyedEntry> expired = new ArrayList<>();
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    EntryView<BinaryKey, Bytes> view = container.newView();
    int place = 0;
    while (place >= 0 && expired.size() < countMax && engine.isDue(segment)) {
      segment.lock();
      try {
        place =
            segment.visitExpired(
                place,
                EXPIRED_STEP_PLACES,
                engine.nowMillis(),
                view,
                entry -> {
                  if (expired.size() < countMax) {
                    EntryKey key = new EntryKey(id, entry.key().toByteArray());
                    expired.add(new KeyedEntry(key, DetachedEntry.withoutValue(entry)));
                  }
                });
      } finally {
        segment.unlock();
      }
    }
    return expired;
  }
}
