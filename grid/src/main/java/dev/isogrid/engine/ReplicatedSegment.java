package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this node has committed of all caches in one segment of their group. Written by the thread
 * that drives the node alone; the containers are read by any.
 */
final class ReplicatedSegment implements CommittedEntries {
  /** Entries with more bytes of key and value are copied in parts. */
  private static final int WHOLE_ENTRY_MAX = 1 << 20;

  private final int index;
  private final ServedSegment served;
  private final IntFunction<@Nullable ReplicaStore> storeOf;
  private final Collection<ReplicaStore> stores;
  private final IntSupplier lastCacheId;

  /** Room that is kept for what has its place, and is not applied yet. */
  private final ArrayDeque<PromisedRoom.Promise> promises = new ArrayDeque<>();

  /** Whether listeners are not to be told of what is being committed. */
  private boolean isSilent;

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
   */
  ReplicatedSegment(
      int index,
      ServedSegment served,
      IntFunction<@Nullable ReplicaStore> storeOf,
      Collection<ReplicaStore> stores,
      IntSupplier lastCacheId) {
    this.index = index;
    this.served = served;
    this.storeOf = storeOf;
    this.stores = stores;
    this.lastCacheId = lastCacheId;
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
    if (!(key instanceof EntryKey entryKey)) {
      return null;
    }
    ReplicaStore store = store(entryKey);
    return store == null ? null : store.stored(index, entryKey);
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
    stores.forEach(store -> store.feed().copied(index));
  }

  @Override
  public void beginCommit(LogEntry entry) {
    endPromises(entry.seq());
    served.committed(entry.seq());
    isSilent =
        switch (entry.result()) {
          case WriteResult result -> result.isSilent();
          case OmittedAnswer omitted -> omitted.isSilent();
          case null, default -> false;
        };
  }

  @Override
  public void reached(long seq) {
    served.committed(seq);
  }

  @Override
  public void restarted(long seq) {
    served.committed(seq);
    stores.forEach(store -> store.feed().restarted(index));
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
      store.commit(index, entryKey, (DetachedEntry) value, seq, isSilent);
    }
  }

  @Override
  public void putTogether(ManyValues values, long seq) {
    EntryKey any = (EntryKey) values.byKey().keySet().iterator().next();
    ReplicaStore store = store(any);
    if (store != null) {
      store.commitTogether(index, values, seq, isSilent);
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
      store.commit(index, entryKey, null, seq, isSilent);
    }
  }

  @Override
  public void clear(Object scope, long seq) {
    ReplicaStore store = storeOf.apply(((CacheScope) scope).cacheId());
    if (store != null) {
      store.commitClear(index, seq, isSilent);
    }
  }

  @Override
  public void clear() {
    endIncoming();
    served.dropped();
    served.copy(false, false);
    stores.forEach(store -> {
      store.drop(index);
      store.feed().dropped(index);
    });
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
      return store == null ? null : store.room().refusal(index, all.writes());
    }
    WriteEntry write = write(command);
    ReplicaStore store = write == null ? null : store(write.key());
    return store == null || write == null ? null : store.refusal(index, write, changes);
  }

  @Override
  public @Nullable Object refusalOfCopies(Command command, int inSync) {
    ReplicaStore store =
        switch (command.key()) {
          case EntryKey key -> store(key);
          case CacheScope scope -> storeOf.apply(scope.cacheId());
          default -> null;
        };
    WriteEntry write = write(command);
    boolean isExpiry = write != null && write.action() == WriteEntry.Action.EXPIRE;
    return store == null || isExpiry ? null : store.refusalOfCopies(index, inSync);
  }

  @Override
  public boolean removesElsewhere(Command command, Command.Decision decision) {
    WriteEntry write = write(command);
    ReplicaStore store = write == null ? null : store(write.key());
    return store != null
        && write != null
        && store.evicts()
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
    private @Nullable ReplicaStore store;
    private @Nullable SegmentSnapshot<BinaryKey, Bytes> walk;

    /** The entry that is being sent in parts. */
    private @Nullable LargeEntry large;

    Position(Collection<ReplicaStore> stores) {
      rest = new ArrayDeque<>(stores);
    }
  }

  @Override
  public Batch scan(@Nullable Object after, int countMax, int bytesMax) {
    Position position = after == null ? new Position(stores) : (Position) after;
    List<CopiedEntry> entries = new ArrayList<>();
    long bytes = 0;
    while (entries.size() < countMax && bytes < bytesMax) {
      CopiedEntry next = next(position);
      if (next == null) {
        return new Batch(entries, null);
      }
      entries.add(next);
      bytes += Sized.of(next.value());
    }
    return new Batch(entries, position);
  }

  @Override
  public void endScan(Object position) {
    LargeEntry large = ((Position) position).large;
    if (large != null) {
      large.close();
    }
  }

  /**
   * The next entry, or the next part of a large one; null if there is none. A large one is sent as
   * it was when it was come to: who is copied to is told of changes to it besides.
   */
  private @Nullable CopiedEntry next(Position position) {
    LargeEntry large = position.large;
    if (large != null) {
      return next(position, large);
    }
    while (true) {
      ReplicaStore store = position.store;
      SegmentSnapshot<BinaryKey, Bytes> walk = position.walk;
      if (store == null || walk == null || store.isClosed()) {
        store = position.rest.poll();
        if (store == null) {
          return null;
        }
        position.store = store;
        position.walk = store.walk(index);
        continue;
      }
      EntryView<BinaryKey, Bytes> view = store.newView();
      if (walk.next(view)) {
        if (ReplicaStore.sizeOf(view) > WHOLE_ENTRY_MAX) {
          LargeEntry begun =
              new LargeEntry(new EntryKey(store.id(), view.key().toByteArray()), view);
          view.release();
          position.large = begun;
          return next(position, begun);
        }
        DetachedEntry entry = DetachedEntry.of(view);
        EntryKey key = new EntryKey(store.id(), view.key().toByteArray());
        view.release();
        return new CopiedEntry(key, entry, entry.sequence());
      }
      position.store = null;
    }
  }

  private static CopiedEntry next(Position position, LargeEntry large) {
    CopiedEntry part = large.next();
    if (large.isSent()) {
      large.close();
      position.large = null;
    }
    return part;
  }
}
