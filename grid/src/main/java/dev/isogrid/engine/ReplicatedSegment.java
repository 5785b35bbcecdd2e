package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.SegmentSnapshot;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What this node has committed of all caches in one segment of their group. Written by the thread
 * that drives the node alone; the containers are read by any.
 */
final class ReplicatedSegment implements CommittedEntries {
  private static final System.Logger log = System.getLogger(ReplicatedSegment.class.getName());

  private final int index;
  private final ServedSegment served;
  private final IntFunction<@Nullable ReplicaStore> storeOf;
  private final Collection<ReplicaStore> stores;

  /** Whether listeners are not to be told of what is being committed. */
  private boolean isSilent;

  /**
   * A segment.
   *
   * @param index its number in each cache
   * @param served what the node may do in it
   * @param storeOf a cache of this group by its id, or null if it was removed
   * @param stores the caches of this group, as they are at any time
   */
  ReplicatedSegment(
      int index,
      ServedSegment served,
      IntFunction<@Nullable ReplicaStore> storeOf,
      Collection<ReplicaStore> stores) {
    this.index = index;
    this.served = served;
    this.storeOf = storeOf;
    this.stores = stores;
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
    served.committed(seq);
    served.copy(false, false);
    stores.forEach(store -> store.feed().left(index, seq));
  }

  @Override
  public void copied(long seq) {
    served.committed(seq);
    served.copy(false, true);
    stores.forEach(store -> store.feed().copied(index));
  }

  @Override
  public void beginCommit(LogEntry entry) {
    served.committed(entry.seq());
    isSilent = entry.result() instanceof WriteResult result && result.isSilent();
  }

  @Override
  public void reached(long seq) {
    served.committed(seq);
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
  public void restore(Object key, Object value, long seq) {
    EntryKey entryKey = (EntryKey) key;
    ReplicaStore store = store(entryKey);
    if (store != null) {
      store.restore(index, entryKey, (DetachedEntry) value, seq);
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
      store.commitClear(index, seq);
    }
  }

  @Override
  public void clear() {
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
  public @Nullable Object refusal(Command command) {
    WriteEntry write =
        switch (command) {
          case WriteEntry wanted -> wanted;
          case ProcessEntry process -> process.write();
          default -> null;
        };
    if (write == null) {
      return null;
    }
    ReplicaStore store = store(write.key());
    return store == null ? null : store.refusal(index, write);
  }

  @Override
  public void serve(boolean isServed) {
    if (isServed && !ServedSegment.isServed(served.stamp())) {
      stores.forEach(store -> store.activated(index));
    }
    served.set(isServed, false);
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

    /** The entry that comes next and was too large when it was looked at. */
    private @Nullable EntryKey blocked;

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
      if (isBlocked(position)) {
        return new Batch(entries, position, true);
      }
      CopiedEntry next = next(position);
      if (next == null) {
        if (position.blocked != null) {
          continue;
        }
        return new Batch(entries, null);
      }
      entries.add(next);
      bytes += ((DetachedEntry) next.value()).sizeBytes();
    }
    return new Batch(entries, position);
  }

  /**
   * Whether the next entry is still too large. If not, who is copied to is told what became of it.
   */
  private boolean isBlocked(Position position) {
    EntryKey key = position.blocked;
    if (key == null) {
      return false;
    }
    ReplicaStore store = store(key);
    if (store != null && store.isTooLarge(index, key)) {
      return true;
    }
    position.blocked = null;
    return false;
  }

  /** The next entry; null if there is none, or it is too large, which the position then says. */
  private @Nullable CopiedEntry next(Position position) {
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
        long size = ReplicaStore.sizeOf(view);
        if (size > ReplicaStore.SENT_ENTRY_MAX) {
          block(position, new EntryKey(store.id(), view.key().toByteArray()), size);
          view.release();
          return null;
        }
        DetachedEntry entry = DetachedEntry.of(view);
        EntryKey key = new EntryKey(store.id(), view.key().toByteArray());
        view.release();
        return new CopiedEntry(key, entry, entry.sequence());
      }
      position.store = null;
    }
  }

  private void block(Position position, EntryKey key, long size) {
    position.blocked = key;
    log.log(
        Level.WARNING,
        "segment can''t be copied to another node, since an entry is too large: segment={0},"
            + " key={1}, size={2}, limit={3}; it has one copy until that entry is removed",
        index,
        key,
        size,
        ReplicaStore.SENT_ENTRY_MAX);
  }
}
