package dev.isogrid.engine;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SideCodec.Found;
import dev.isogrid.engine.SideWrites.Status;
import dev.isogrid.engine.SideWrites.Wanted;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Segment;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.NodeId;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache that goes on where the majority of the cluster can't be reached.
 * Thread-safe.
 *
 * <p>With the majority it is like any other. Without, an operation on one entry is done by the
 * nodes that can reach each other: they read what they have copies of, which is nothing for a
 * segment of which none has one, and keep apart what they write. After the split that is handed
 * over: what nobody else changed is taken, and for the rest there is a {@link EntryMerge}. Until an
 * entry is handed over, operations on it wait on the nodes that were of that side. A version that
 * was given on a side is not that of the entry after it was handed over.
 *
 * <p>Without the majority, what concerns all entries is refused: size, iteration, streams, clear,
 * and new listeners. Listeners hear of what a side wrote when it is handed over.
 */
public final class AvailableEngine extends ReplicatedEngine {
  /** How often the node may be apart and back again during one operation. */
  private static final int TURNS_MAX = 100;

  private final AvailableCalls calls;
  private final Sides sides;
  private final EntryMerge merge;

  /** By segment, the last place that this node heard of without having a copy. */
  private final AtomicLongArray places;

  /**
   * Begins a cache.
   *
   * @param definition what the cluster decided on
   * @param room the configuration, where the entries are kept, and who merges
   * @param served for each segment whether this node serves it
   * @param calls the way to the cluster
   */
  AvailableEngine(
      CacheDefinition definition,
      ClusterCaches.Room room,
      ServedSegment[] served,
      AvailableCalls calls,
      Env env) {
    super(definition, room.config(), room.container(), served, calls, env, room.kept());
    this.calls = calls;
    this.sides = calls.sides();
    this.merge = room.merge();
    this.places = new AtomicLongArray(segmentCount());
    sides.begun(this);
  }

  /** A side decides on writes as well, and lets them wait. */
  @Override
  public @Nullable PendingWrite tryBegin(
      BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write, Runnable whenDone) {
    return null;
  }

  @Override
  void endTasks() {
    super.endTasks();
    sides.ended(this);
  }

  // ---- for the side

  /** The nodes that have a copy of a segment. */
  List<NodeId> copies(int index) {
    return calls.copies(index);
  }

  /** Whether this node has a copy of a segment. */
  boolean keeps(int index) {
    return calls.keeps(index);
  }

  /** The live entry as this node's copy has it; null if there is none, or no copy. */
  @Nullable DetachedEntry copy(EntryKey key) {
    int index = segmentOf(key.hash());
    return keeps(index) ? store().readLocally(index, key) : null;
  }

  /** What a write of the side begins with, as this node's copy has it. */
  SideWrites.Seen base(EntryKey key) {
    DetachedEntry live = copy(key);
    if (live != null) {
      return new SideWrites.Seen(live.sequence(), live.sequence());
    }
    int index = segmentOf(key.hash());
    return new SideWrites.Seen(keeps(index) ? 0 : KeptWrite.unknown(heard(index)), 0);
  }

  /** A segment's primary said which place of its order it has reached. */
  void heardOf(int index, long place) {
    if (index >= 0 && index < segmentCount()) {
      places.accumulateAndGet(index, place, Math::max);
    }
  }

  /** The last place of a segment that this node heard of without having a copy; 0 for none. */
  long heard(int index) {
    return places.get(index);
  }

  /** The members that answer for segments of which this node has no copy. */
  Set<NodeId> primariesOfOthers() {
    Set<NodeId> primaries = new HashSet<>();
    for (int index = 0; index < segmentCount(); index++) {
      NodeId primary = keeps(index) ? null : calls.primary(index);
      if (primary != null) {
        primaries.add(primary);
      }
    }
    return primaries;
  }

  /**
   * The cluster's entry, as in other caches.
   *
   * @throws RetryableGridException if nobody says
   */
  @Nullable DetachedEntry clusters(EntryKey key) {
    return current(key, segmentOf(key.hash()));
  }

  /** What an entry is to be that both sides changed. */
  @Nullable DetachedEntry merged(
      EntryKey key, @Nullable DetachedEntry clusters, @Nullable DetachedEntry ofSide) {
    return merge.merge(name(), key.toBinary(), clusters, ofSide);
  }

  /**
   * Writes to the cluster what a side made of an entry, if the entry still has a version.
   *
   * @param seen the version, 0 for no entry
   * @param value the entry, or null to remove it
   */
  WriteResult handOver(EntryKey key, long seen, @Nullable DetachedEntry value) {
    WriteEntry command =
        new WriteEntry(
            key,
            value == null ? WriteEntry.Action.REMOVE : WriteEntry.Action.STORE,
            seen == 0 ? KeyWrite.Condition.ABSENT : KeyWrite.Condition.VERSION,
            seen,
            value == null ? null : fields(value),
            false,
            false,
            env.epochClock());
    return decide(command, segmentOf(key.hash()));
  }

  private WriteEntry.Fields fields(DetachedEntry value) {
    long lifespan = value.lifespanMillis();
    long created = value.createdMillis();
    long passed = created < 0 ? 0 : nowMillis() - created; // a policy may name no time
    return new WriteEntry.Fields(
        lifespan < 0 ? Expiry.UNLIMITED : Math.clamp(lifespan - passed, 1, lifespan),
        value.maxIdleMillis(),
        value.clientFlags(),
        value.mediaType(),
        value.value());
  }

  private EntryKey entryKey(BinaryKey key) {
    return new EntryKey(id(), key.toByteArray());
  }

  private boolean isApart(BinaryKey key) {
    return !sides.isJoined() && sides.awaitApart(name(), entryKey(key));
  }

  private RetryableGridException tooManyTurns() {
    return new RetryableGridException(
        "not done: cache=%s, the majority came and went %d times; try again"
            .formatted(name(), TURNS_MAX));
  }

  // ---- operations on an entry

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    return !sides.isJoined() || super.mayWait(hash, isRead);
  }

  @Override
  Segment.Found look(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader,
      boolean mayWait) {
    if (!mayWait) {
      return sides.isJoined()
          ? super.look(key, hash, view, reader, false)
          : Segment.Found.WOULD_WAIT;
    }
    for (int turn = 0; turn < TURNS_MAX; turn++) {
      if (isApart(key)) {
        checkOpen();
        Found found = sides.read(this, entryKey(key));
        if (found != null) {
          return show(found.entry(), key, view, reader);
        }
      } else {
        try {
          return super.look(key, hash, view, reader, true);
        } catch (RetryableGridException notRead) {
          if (!sides.isApart()) {
            throw notRead;
          }
        }
      }
    }
    throw tooManyTurns();
  }

  @Override
  public @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
    return sides.isJoined() ? super.tryReadValue(key, hash, reader) : Segment.unclear();
  }

  /** On a side of a split each node loads for itself. */
  @Override
  @Nullable NodeId claimedAt(BinaryKey key, int index) {
    return isApart(key) ? null : super.claimedAt(key, index);
  }

  @Override
  long tryWriteHere(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    return sides.isJoined() ? super.tryWriteHere(key, hash, mutation) : WOULD_WAIT;
  }

  @Override
  long writeShared(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    for (int turn = 0; turn < TURNS_MAX; turn++) {
      if (isApart(key)) {
        checkOpen();
        long version = writeApart(key, mutation);
        if (version != NOT_HERE) {
          return version;
        }
      } else {
        try {
          return super.writeShared(key, hash, mutation);
        } catch (RetryableGridException notDone) {
          if (!sides.isApart()) {
            throw notDone;
          }
        }
      }
    }
    throw tooManyTurns();
  }

  /**
   * Reads on the side, decides here, and has the side keep that if its entry is still the same.
   *
   * @return the version, or {@link #NOT_HERE} if this node is not apart any more
   */
  private long writeApart(BinaryKey key, Mutation<BinaryKey, Bytes> mutation) {
    EntryKey entryKey = entryKey(key);
    EntryView<BinaryKey, Bytes> view = newView();
    Effect<Bytes> effect = new Effect<>();
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      Found found = sides.read(this, entryKey);
      if (found == null) {
        return NOT_HERE;
      }
      DetachedEntry current = found.entry();
      show(current, key, view);
      effect.clear();
      mutation.apply(view, effect);
      if (effect.kind() == Effect.Kind.LEAVE) {
        if (counters != null && mutation.isRemoval() && current == null) {
          counters.removeMisses.increment();
        }
        return 0;
      }
      Wanted wanted = wanted(entryKey, current, effect);
      Status status = sides.write(this, wanted);
      if (status == Status.NOT_APART) {
        return NOT_HERE;
      }
      if (status == Status.DONE) {
        count(effect.kind());
        return effect.kind() == Effect.Kind.TOUCH ? 0 : version(wanted.sequence());
      }
      pause(attempt);
    }
    throw tooManyWrites(entryKey);
  }

  private void count(Effect.Kind kind) {
    if (counters != null && kind != Effect.Kind.TOUCH) {
      (kind == Effect.Kind.REMOVE ? counters.removeHits : counters.stores).increment();
    }
  }

  /** What the side is to keep if its entry is still the current one. */
  private Wanted wanted(EntryKey key, @Nullable DetachedEntry current, Effect<Bytes> effect) {
    long expected = current == null ? 0 : current.sequence();
    long sequence = sides.newSequence();
    if (effect.kind() == Effect.Kind.REMOVE) {
      return new Wanted(key, expected, null, sequence);
    }
    effect.resolveDefaults(config().lifespanMillis(), config().maxIdleMillis());
    long now = nowMillis();
    if (effect.kind() == Effect.Kind.TOUCH) {
      DetachedEntry touched =
          Objects.requireNonNull(current)
              .touched(now, effect.lifespanMillis(), effect.maxIdleMillis());
      return new Wanted(key, expected, touched.withSequence(sequence), sequence);
    }
    checkSendable(key.toBinary(), effect.value());
    DetachedEntry stored =
        new DetachedEntry(
            sequence,
            now,
            effect.lifespanMillis(),
            now,
            effect.maxIdleMillis(),
            effect.clientFlags(),
            effect.mediaType(),
            ByteString.of(effect.value().toByteArray()));
    return new Wanted(key, expected, stored, sequence);
  }

  @Override
  public @Nullable ByteString process(
      BinaryKey key, int hash, ByteString processor, Mutation<BinaryKey, Bytes> near) {
    if (!isApart(key)) {
      try {
        return super.process(key, hash, processor, near);
      } catch (RetryableGridException notDone) {
        if (!sides.isApart()) {
          throw notDone;
        }
      }
    }
    write(key, hash, near);
    return null;
  }

  @Override
  public Bulk<BinaryKey, Bytes> bulk() {
    return sides.isJoined() ? super.bulk() : new DirectBulk<>(this);
  }

  // ---- all entries

  /** Refuses what is about all entries while this node does not know them. */
  private void checkJoined(String what) {
    if (!sides.isJoined() && sides.awaitApart(name(), null)) {
      throw new RetryableGridException(
          ("%s not possible without the majority of the cluster: cache=%s, only operations on"
                  + " single entries go on; try again when the nodes are connected")
              .formatted(what, name()));
    }
  }

  @Override
  public void clear(boolean isSilent) {
    checkJoined("clear");
    super.clear(isSilent);
  }

  @Override
  public long size() {
    checkJoined("size");
    return super.size();
  }

  @Override
  public EntryWalk<BinaryKey, Bytes> walk(BitSet segments, boolean withValues) {
    checkJoined("iteration");
    return super.walk(segments, withValues);
  }

  @Override
  public Subscription addListener(ChangeListener<BinaryKey, Bytes> listener) {
    checkJoined("a new listener");
    return super.addListener(listener);
  }
}
