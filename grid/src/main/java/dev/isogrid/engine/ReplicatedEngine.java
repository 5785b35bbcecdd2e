package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.EntryCommand.ClearEntries;
import dev.isogrid.engine.EntryCommand.ReadEntry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Segment;
import dev.isogrid.store.Segment.Found;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.UserMutation;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.NodeId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache whose entries are on the nodes of a cluster. What this node has alone
 * it does as if there were no others. A read of an entry that it has a copy of takes no lock, if
 * nothing is about to change there and it can't expire; if it can, only the primary's does.
 * Everything else is a command to the segment's primary, which may be this node. Thread-safe.
 *
 * <p>Operations block until there is an answer or the operation time-out is over. They throw {@link
 * RetryableGridException} if they had no effect and {@link
 * dev.isogrid.api.IndeterminateGridException} if that is not known.
 */
public sealed class ReplicatedEngine extends LocalEngine<BinaryKey, Bytes> permits AvailableEngine {
  /*
   * All operations of a cache, as in its other two engines, in one class: each has a way to do it
   * here, which counts if the segment's stamp is the same afterwards, and a command for when it is
   * not. Reads of one entry go by this node's copy where it is a backup, too. The ways differ by a
   * few lines each, and share the stamps.
   */
  /** Attempts at a mutation that other writes come between; one wins each time. */
  static final int ATTEMPTS_MAX = 10_000;

  /** Attempts without a pause. */
  private static final int EAGER_ATTEMPTS = 3;

  private static final long PAUSE_STEP_NANOS = 10_000;
  private static final long PAUSE_NANOS_MAX = 2_000_000;

  /** Expired entries of a segment that are removed in one round of the reaper. */
  private static final int EXPIRED_MAX = 1000;

  /**
   * The largest key and value of a chunked write that other nodes are to have. A message can be
   * four times as long, but may carry other entries too; and while a larger one is under way, what
   * keeps the nodes together may come too late.
   */
  private static final int INCOMING_ENTRY_MAX = 16 << 20;

  /** Segments of a cache whose changes can be read: a token has the place of each. */
  private static final int FOLLOWED_SEGMENTS_MAX = 512;

  private final int id;
  private final int epoch;
  private final ReplicaStore store;
  private final ServedSegment[] served;
  private final ClusterCalls calls;
  private final ChangeFeed feed;
  private final FoundExpired foundExpired;

  /** Whether there is a task that will tell listeners of all that happened until it begins. */
  private final AtomicBoolean isTelling = new AtomicBoolean();

  /** Whether a round of the reaper is under way. */
  private final AtomicBoolean isReaping = new AtomicBoolean();

  /** Written by {@link #claimBy}. */
  private volatile @Nullable Supplier<@Nullable Claims> claimsSource;

  /** Written by {@link #followBy}. */
  private volatile @Nullable Supplier<ClusterChanges> changesSource;

  /** Whether this node may not write alone, even where it is the only one with a copy. */
  private final boolean wantsCopies;

  /** Written by {@link #scanBy}. */
  private volatile @Nullable Supplier<ClusterScans> scansSource;

  /**
   * Begins a cache.
   *
   * @param definition what the cluster decided on
   * @param config the definition's
   * @param container the entries on this node; owned from now on
   * @param served for each segment whether this node serves it
   * @param calls the way to the cluster
   * @param kept keeps the entries, or null for memory only
   */
  // tidy: the parts of one cache
  ReplicatedEngine(
      CacheDefinition definition,
      CacheConfig config,
      Container<BinaryKey, Bytes> container,
      ServedSegment[] served,
      ClusterCalls calls,
      Env env,
      @Nullable EntryJournal<BinaryKey, Bytes> kept) {
    super(definition.name(), config, container, env, new FlightWaits(), kept);
    this.id = definition.id();
    this.epoch = definition.versionEpoch();
    this.served = served;
    this.calls = calls;
    this.wantsCopies = config.minInSync() > 1;
    this.feed = new ChangeFeed(this, served);
    this.store = new ReplicaStore(id, epoch, this, feed, this::changed);
    this.foundExpired = new FoundExpired(env.scheduler());
  }

  /** The changes of the cache. */
  ChangeFeed feed() {
    return feed;
  }

  /** The epoch of the versions of the cache. */
  int versionEpoch() {
    return epoch;
  }

  /** The number of the cache's first segment in the cluster. */
  int firstSegment() {
    return calls.firstSegment();
  }

  /** The id that the cluster gave the cache. */
  int id() {
    return id;
  }

  /** What this node has of the cache. */
  ReplicaStore store() {
    return store;
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    EntryReturn<BinaryKey, Bytes> from = returning();
    return isFar(hash, isRead)
        || (isRead && !isShown(container.segmentOf(hash)))
        || (from != null && from.mayWait(hash));
  }

  /** Returns whether an operation may need another node, a store or the disk; a hint. */
  final boolean isFar(int hash, boolean isRead) {
    int index = container.segmentOf(hash);
    int stamp = served[index].stamp();
    EntryJournal<BinaryKey, Bytes> kept = isRead ? null : kept();
    boolean isNear =
        (isHere(index) && backing() == null && (kept == null || !kept.mayWait()))
            || (isRead
                && backing() == null
                && (ServedSegment.isServed(stamp) || mayReadCopy(stamp, index))
                && calls.isLeased());
    return !isNear && !(isRead && readsStale(index));
  }

  @Override
  public boolean isClustered() {
    return true;
  }

  @Override
  boolean isHere(int index) {
    return !wantsCopies && ServedSegment.isOwn(served[index].stamp());
  }

  @Override
  public int incomingValueMax(BinaryKey key) {
    return isHere(container.segmentOf(key.hash()))
        ? super.incomingValueMax(key)
        : Math.max(0, INCOMING_ENTRY_MAX - key.length());
  }

  // ---- reads

  @Override
  Found lookInMemory(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader,
      boolean mayWait) {
    checkOpen();
    int index = container.segmentOf(hash);
    int stamp = served[index].stamp();
    if (mayRead(stamp) || mayReadCopy(stamp, index)) {
      Found found = super.lookInMemory(key, hash, view, reader, mayWait);
      if (found != Found.WOULD_WAIT && hasHeld(index, stamp)) {
        return found;
      }
    }
    if (readsStale(index)) {
      return super.lookInMemory(key, hash, view, reader, mayWait);
    }
    return mayWait ? show(fetch(key, index), key, view, reader) : Found.WOULD_WAIT;
  }

  /** Shows a reader an entry that is not in the container, if there is one. */
  final Found show(
      @Nullable DetachedEntry entry,
      BinaryKey key,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader) {
    if (entry == null) {
      return Found.NONE;
    }
    entry.show(key, epoch, view);
    try {
      reader.read(view);
    } finally {
      DetachedEntry.showNone(view);
    }
    return Found.LIVE;
  }

  @Override
  boolean knowsTimes(int index) {
    return mayRead(served[index].stamp()) || readsStale(index);
  }

  private static boolean mayRead(int stamp) {
    return ServedSegment.isServed(stamp) || ServedSegment.isOwn(stamp);
  }

  /**
   * Whether this node's copy may answer a read of one entry. An entry that may expire does so by
   * the clock of the primary; and where each node loses what it evicts, only the primary knows
   * whether an entry is there.
   */
  private boolean mayReadCopy(int stamp, int index) {
    return ServedSegment.isCopy(stamp)
        && !losesEntries()
        && container.segmentAt(index).mortalCount() == 0;
  }

  /** Whether what was read here since a stamp was taken is what the cluster has committed. */
  private boolean hasHeld(int index, int stamp) {
    return served[index].stamp() == stamp && (ServedSegment.isOwn(stamp) || calls.isLeased());
  }

  /** Whether a read is answered from this node's copy, since nobody knows better here. */
  private boolean readsStale(int index) {
    return config().whenSplit() == WhenSplit.ALLOW_READS
        && !calls.isLeased()
        && !calls.isEnded()
        && calls.keeps(index);
  }

  private @Nullable DetachedEntry fetch(BinaryKey key, int index) {
    return (DetachedEntry) call(new ReadEntry(new EntryKey(id, key.toByteArray())), index);
  }

  @Override
  public Object readObject(BinaryKey key, int hash) {
    throw new UnsupportedOperationException("a clustered cache keeps bytes: cache=" + name());
  }

  @Override
  public @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
    checkOpen();
    int index = container.segmentOf(hash);
    int stamp = served[index].stamp();
    if (mayRead(stamp) || mayReadCopy(stamp, index)) {
      Object value = container.segmentAt(index).readValue(key, hash, reader);
      boolean isKnown = !Segment.isUnclear(value) && !Segment.isExpired(value);
      if (isKnown
          && canShow(index, false)
          && hasHeld(index, stamp)
          && (value != null || (backing() == null && returning() == null))) {
        if (value != null && evictor != null) {
          evictor.used(hash);
        }
        countRead(value != null);
        return value;
      }
    }
    return Segment.unclear();
  }

  private @Nullable Object call(Command command, int index) {
    return call(command, null, index);
  }

  private @Nullable Object call(Command command, @Nullable ClientOperation client, int index) {
    Object result = calls.call(name(), command, client, index);
    return command.isRead() ? taken(result) : result;
  }

  /** The answer to a read; throws if it is a refusal. */
  @Nullable Object taken(@Nullable Object result) {
    if (result instanceof WriteResult refused) {
      throw new InvalidRequestException(String.valueOf(refused.refusal()));
    }
    return result;
  }

  @Override
  public Bulk<BinaryKey, Bytes> bulk() {
    BackingStore<BinaryKey, Bytes> store = backing();
    if (store != null) {
      return new BackedBulk<>(this, store);
    }
    return new ReplicatedBulk(this, new BulkCalls(calls, name()));
  }

  // ---- writes

  @Override
  final long change(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation, boolean mayWait) {
    checkOpen();
    BackingStore<BinaryKey, Bytes> store = backing();
    if (store != null && !(mutation instanceof BackedMutation)) {
      return mayWait ? store.write(key, hash, mutation) : WOULD_WAIT;
    }
    if (mutation instanceof KeyWrite || !(mutation instanceof UserMutation<?, ?> code)) {
      flights.refuseRecursion(key);
      return mayWait ? writeShared(key, hash, mutation) : tryWriteHere(key, hash, mutation);
    }
    if (!mayWait) {
      return WOULD_WAIT;
    }
    Flight flight = awaitTurn(key, code);
    if (flight == null) {
      return 0;
    }
    try {
      return writeShared(key, hash, mutation);
    } finally {
      flights.end(flight);
    }
  }

  /** Writes an entry of a segment that this node has alone, if it can do so at once. */
  long tryWriteHere(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    int index = container.segmentOf(hash);
    if (!isHere(index)) {
      return WOULD_WAIT;
    }
    noteClient(index, mutation);
    long version = writeHere(key, hash, mutation, Patience.NONE);
    return version == NOT_HERE ? WOULD_WAIT : version;
  }

  /** Plain writes never wait for functions: these see by the version that the entry changed. */
  @Override
  public final long writeInTurn(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    return write(key, hash, mutation);
  }

  @Override
  public final long load(BinaryKey key, int hash, UserMutation<BinaryKey, Bytes> code) {
    checkOpen();
    BackingStore<BinaryKey, Bytes> store = backing();
    if (store != null && !(code instanceof BackedMutation)) {
      return store.write(key, hash, code);
    }
    Flight flight = awaitTurn(key, code);
    if (flight == null) {
      return 0;
    }
    try (Claims.Claim _ = claim(key, hash, flight + flights.held(flight))) {
      long version = writeShared(key, hash, code);
      flight.share(code, null);
      return version;
    } catch (RuntimeException thrown) {
      flight.share(code, thrown);
      throw thrown;
    } finally {
      flights.end(flight);
    }
  }

  @Override
  final long writeMemory(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    checkOpen();
    return writeShared(key, hash, mutation);
  }

  private Claims.Claim claim(BinaryKey key, int hash, String place) {
    Claims known = claims();
    NodeId primary = known == null ? null : claimedAt(key, container.segmentOf(hash));
    return known == null || primary == null
        ? Claims.Claim.NONE
        : known.claim(primary, new EntryKey(id, key.toByteArray()), timeoutMillis(), place);
  }

  @Override
  public final Claims.@Nullable Claim tryClaim(BinaryKey key, int hash) {
    Claims known = claims();
    NodeId primary = known == null ? null : claimedAt(key, container.segmentOf(hash));
    return known == null || primary == null
        ? Claims.Claim.NONE
        : known.tryClaim(primary, new EntryKey(id, key.toByteArray()));
  }

  /** The node that is asked for claims of a key; null if a key is loaded without one. */
  @Nullable NodeId claimedAt(BinaryKey key, int index) {
    return calls.primary(index);
  }

  private @Nullable Claims claims() {
    Supplier<@Nullable Claims> source = claimsSource;
    return source == null ? null : source.get();
  }

  /** Says who knows which node loads a key; once. Without it each node loads for itself. */
  public void claimBy(Supplier<@Nullable Claims> source) {
    claimsSource = source;
  }

  /**
   * Begins the flight of a function for which others of this node wait; null if it is shared, and
   * another thread's has found nothing.
   */
  private @Nullable Flight awaitTurn(BinaryKey key, UserMutation<?, ?> code) {
    long deadline = env.nanoClock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis());
    while (true) {
      Flight flight = flights.tryBegin(key, code.userKey());
      if (flight != null) {
        return flight;
      }
      Flight ahead = flights.of(key);
      if (ahead != null) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - env.nanoClock().nanoTime());
        flights.await(ahead, Math.max(0, left));
        checkOpen();
        if (ahead.hasSharedNothing(code)) {
          return null;
        }
      }
    }
  }

  /** Writes an entry where that is to be done; the functions of users have their turn already. */
  long writeShared(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    int index = container.segmentOf(hash);
    boolean mayRunLong = !(mutation instanceof KeyWrite) && mutation instanceof UserMutation;
    if (isHere(index) && !mayRunLong && !isRepeated(mutation)) {
      noteClient(index, mutation);
      long version = writeHere(key, hash, mutation, Patience.LOCKS);
      if (version != NOT_HERE) {
        return version;
      }
    }
    EntryKey entryKey = new EntryKey(id, key.toByteArray());
    return switch (mutation) {
      case KeyWrite<BinaryKey, Bytes> write -> send(key, index, write);
      case FunctionWrite write when write.isSendable() -> send(entryKey, index, write);
      default -> repeat(key, entryKey, index, mutation);
    };
  }

  /** The operation of a client that a write is, or null. */
  private static ClientOperation.@Nullable Source client(Mutation<BinaryKey, Bytes> mutation) {
    return switch (mutation) {
      case KeyWrite<BinaryKey, Bytes> write -> write.client();
      case FunctionWrite write -> write.client();
      default -> null;
    };
  }

  /** Whether a client may have had it carried out by another node, which left a record then. */
  private static boolean isRepeated(Mutation<BinaryKey, Bytes> mutation) {
    ClientOperation.Source client = client(mutation);
    return client != null && client.isRepeated();
  }

  /** Before a write is done here without a record, if it still may. */
  private void noteClient(int index, Mutation<BinaryKey, Bytes> mutation) {
    if (client(mutation) != null) {
      served[index].writtenByClient();
    }
  }

  private static @Nullable ClientOperation operation(ClientOperation.@Nullable Source client) {
    return client == null ? null : client.operation();
  }

  private long send(EntryKey key, int index, FunctionWrite write) {
    ByteString argument = ByteString.of(write.argument());
    ApplyFunction command =
        new ApplyFunction(key, epoch, argument, write.function(), env.epochClock());
    Object result = call(command, operation(write.client()), index);
    write.answer(Objects.requireNonNull(processed(result)).toByteArray());
    return version(((ApplyFunction.Answer) Objects.requireNonNull(result)).sequence());
  }

  private long send(BinaryKey key, int index, KeyWrite<BinaryKey, Bytes> write) {
    return take(key, write, call(command(key, write), operation(write.client()), index));
  }

  @Override
  public @Nullable PendingWrite tryBegin(
      BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write, Runnable whenDone) {
    checkOpen();
    int index = container.segmentOf(hash);
    if (backing() != null) {
      return null;
    }
    if (isHere(index)) {
      if (isRepeated(write)) {
        return null;
      }
      noteClient(index, write);
      return super.tryBegin(key, hash, write, whenDone);
    }
    flights.refuseRecursion(key);
    SentWrite pending = new SentWrite(command(key, write), index, whenDone);
    return calls.tryBeginSoon(pending, operation(write.client())) ? pending : null;
  }

  @Override
  public long finish(PendingWrite begun, BinaryKey key, KeyWrite<BinaryKey, Bytes> write) {
    if (!(begun instanceof SentWrite sent)) {
      return super.finish(begun, key, write);
    }
    Object result = calls.result(name(), sent.command(), sent.index(), sent.outcome());
    return take(key, write, result);
  }

  private long take(BinaryKey key, KeyWrite<BinaryKey, Bytes> write, @Nullable Object answer) {
    WriteResult result = (WriteResult) Objects.requireNonNull(answer);
    take(write.isRemoval(), result);
    write.answer(result.outcome(), result.existed());
    EntryReader<BinaryKey, Bytes> reader = write.previousReader();
    DetachedEntry previous = result.previous();
    if (reader != null && previous != null) {
      EntryView<BinaryKey, Bytes> view = newView();
      previous.show(key, epoch, view);
      reader.read(view);
    }
    return version(result.sequence());
  }

  /** What has a primary do a write. */
  WriteEntry command(BinaryKey key, KeyWrite<BinaryKey, Bytes> write) {
    Bytes value = write.value();
    checkSendable(key, value);
    return new WriteEntry(
        new EntryKey(id, key.toByteArray()),
        value == null ? WriteEntry.Action.REMOVE : WriteEntry.Action.STORE,
        write.condition(),
        sequence(write.expectedVersion()),
        value == null ? null : fields(write, value),
        write.previousReader() != null,
        write.isSilent(),
        env.epochClock());
  }

  /** Counts a write that was answered; throws if it was refused. */
  void take(boolean isRemoval, @Nullable WriteResult result) {
    checkRefusal(result);
    count(isRemoval, Objects.requireNonNull(result));
  }

  /** Counts puts that were answered together; throws if they were refused. */
  void takeStored(int puts, @Nullable WriteResult result) {
    checkRefusal(result);
    if (counters != null) {
      counters.stores.add(puts);
    }
  }

  /** Throws if a write was refused. */
  static void checkRefusal(@Nullable WriteResult result) {
    String refusal = Objects.requireNonNull(result).refusal();
    if (refusal != null) {
      throw result.isTemporary()
          ? new RetryableGridException(refusal)
          : new CacheFullException(refusal);
    }
  }

  private WriteEntry.Fields fields(KeyWrite<BinaryKey, Bytes> write, Bytes value) {
    return new WriteEntry.Fields(
        resolved(write.lifespanMillis(), config().lifespanMillis()),
        resolved(write.maxIdleMillis(), config().maxIdleMillis()),
        write.clientFlags(),
        write.mediaType(),
        ByteString.of(value.toByteArray()));
  }

  /** Refuses what no message between nodes can carry. */
  final void checkSendable(BinaryKey key, @Nullable Bytes value) {
    long size = value == null ? 0 : (long) key.length() + value.length();
    if (size > ReplicaStore.SENT_ENTRY_MAX) {
      throw new InvalidRequestException(
          "entry too large for a cluster of several nodes: cache=%s, size=%d, limit=%d; split it"
                  .formatted(name(), size, ReplicaStore.SENT_ENTRY_MAX)
              + " or use a local cache");
    }
  }

  private static long resolved(long millis, long defaultMillis) {
    return millis == Expiry.CACHE_DEFAULT ? defaultMillis : millis;
  }

  /** Has the primary decide on a write. */
  private WriteResult ask(WriteEntry command, int index) {
    WriteResult result = (WriteResult) Objects.requireNonNull(call(command, index));
    checkRefusal(result);
    return result;
  }

  final long version(long sequence) {
    return sequence == 0 ? 0 : Segment.epochBits(epoch) | sequence;
  }

  /** The sequence of a version of this cache; of another one's, one that no entry has. */
  private long sequence(long version) {
    boolean isOurs = (version & ~Segment.SEQUENCE_MAX) == Segment.epochBits(epoch);
    return isOurs ? version & Segment.SEQUENCE_MAX : 0;
  }

  private void count(boolean isRemoval, WriteResult result) {
    if (counters == null) {
      return;
    }
    if (result.outcome() == KeyWrite.Outcome.DONE) {
      (isRemoval ? counters.removeHits : counters.stores).increment();
    } else if (isRemoval && !result.existed()) {
      counters.removeMisses.increment();
    }
  }

  /**
   * Reads, decides here without a lock, and writes if the entry is still the same. So no code of
   * users runs under a lock that the node's driver may have to wait for.
   */
  private long repeat(
      BinaryKey key, EntryKey entryKey, int index, Mutation<BinaryKey, Bytes> mutation) {
    EntryView<BinaryKey, Bytes> view = newView();
    Effect<Bytes> effect = new Effect<>();
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      DetachedEntry current = current(entryKey, index);
      show(current, key, view);
      effect.clear();
      mutation.apply(view, effect);
      WriteEntry command = command(entryKey, current, effect);
      if (command == null) {
        if (counters != null && mutation.isRemoval() && current == null) {
          counters.removeMisses.increment();
        }
        return 0;
      }
      WriteResult result = decide(command, index);
      if (result.outcome() == KeyWrite.Outcome.DONE) {
        return version(result.sequence());
      }
      pause(attempt);
    }
    throw tooManyWrites(mutation instanceof UserMutation<?, ?> code ? code.userKey() : entryKey);
  }

  final @Nullable DetachedEntry current(EntryKey key, int index) {
    int stamp = served[index].stamp();
    if (mayRead(stamp)) {
      DetachedEntry entry = store.readLocally(index, key);
      boolean _ = canShow(index, true);
      if (hasHeld(index, stamp)) {
        return entry;
      }
    }
    return (DetachedEntry) call(new ReadEntry(key), index);
  }

  /** Has a write decided upon where that is to be done. */
  final WriteResult decide(WriteEntry command, int index) {
    if (isHere(index)) {
      OwnDecision own = new OwnDecision(command);
      EntryKey key = command.key();
      long version = writeHere(key.toBinary(), key.hash(), own, Patience.LOCKS);
      if (version != NOT_HERE) {
        return own.result().withSequence(version & Segment.SEQUENCE_MAX);
      }
    }
    WriteResult result = ask(command, index);
    if (command.action() != WriteEntry.Action.TOUCH) {
      count(command.action() == WriteEntry.Action.REMOVE, result);
    }
    return result;
  }

  /** What makes an effect come about if the entry is still the current one; null for nothing. */
  private @Nullable WriteEntry command(
      EntryKey key, @Nullable DetachedEntry current, Effect<Bytes> effect) {
    boolean stores = effect.kind() == Effect.Kind.STORE;
    effect.resolveDefaults(config().lifespanMillis(), config().maxIdleMillis());
    checkSendable(key.toBinary(), stores ? effect.value() : null);
    return WriteEntry.of(
        key,
        effect,
        current == null ? KeyWrite.Condition.ABSENT : KeyWrite.Condition.VERSION,
        current == null ? 0 : current.sequence(),
        env.epochClock());
  }

  /** Lets others go first, for a time that is longer the more there seem to be. */
  final void pause(int attempt) {
    if (attempt > EAGER_ATTEMPTS) {
      env.nanoClock().pause(Math.min(PAUSE_NANOS_MAX, PAUSE_STEP_NANOS * attempt));
    }
  }

  @Override
  public @Nullable ByteString process(
      BinaryKey key, int hash, ByteString processor, Mutation<BinaryKey, Bytes> near) {
    checkOpen();
    if (backing() != null) {
      write(key, hash, near);
      return null;
    }
    flights.refuseRecursion(key);
    int index = container.segmentOf(hash);
    EntryKey entryKey = new EntryKey(id, key.toByteArray());
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      if (calls.isPrimary(index)) {
        write(key, hash, near);
        return null;
      }
      ByteString answer = processed(call(new ProcessEntry(entryKey, processor, null), index));
      if (answer != null) {
        return answer;
      }
      pause(attempt);
    }
    throw tooManyWrites(entryKey);
  }

  /** What came of a {@link ProcessEntry}; null if it is to be asked for again. */
  @Nullable ByteString processed(@Nullable Object result) {
    if (result instanceof ApplyFunction.Answer done) {
      String refusal = done.refusal();
      if (refusal != null) {
        throw new InvalidRequestException(refusal);
      }
      if (counters != null && done.sequence() != 0) {
        counters.stores.increment();
      }
      return done.answer();
    }
    checkRefusal((WriteResult) result);
    return null;
  }

  /** Whether this node is the primary of a segment, as far as it knows. */
  boolean isPrimary(int index) {
    return calls.isPrimary(index);
  }

  /** Runs the code of a command on what is committed here; as it is if this node can't tell. */
  ProcessEntry prepared(ProcessEntry command, EntryProcessing processing) {
    checkOpen();
    EntryKey entryKey = command.key();
    int index = container.segmentOf(entryKey.hash());
    int stamp = served[index].stamp();
    DetachedEntry current = mayRead(stamp) ? store.readLocally(index, entryKey) : null;
    if (!mayRead(stamp) || !hasHeld(index, stamp)) {
      return command;
    }
    BinaryKey key = entryKey.toBinary();
    EntryView<BinaryKey, Bytes> view = newView();
    show(current, key, view);
    Effect<Bytes> effect = new Effect<>();
    effect.clear();
    ByteString answer = process(command, processing, view, effect);
    WriteEntry write = command(entryKey, current, effect);
    checkAnswer(answer.length());
    return new ProcessEntry(
        entryKey, command.processor(), new ProcessEntry.Prepared(write, answer, null));
  }

  private void checkAnswer(int size) {
    if (size > ReplicaStore.SENT_ENTRY_MAX) {
      throw new InvalidRequestException(
          "result of an entry processor too large: cache=%s, size=%d, limit=%d; return less of it"
              .formatted(name(), size, ReplicaStore.SENT_ENTRY_MAX));
    }
  }

  /** Runs the code of another node's user, which must not write the key itself. */
  private ByteString process(
      ProcessEntry command,
      EntryProcessing processing,
      EntryView<BinaryKey, Bytes> view,
      Effect<Bytes> effect) {
    BinaryKey key = command.key().toBinary();
    Flight flight = flights.beginAside(key, command.key());
    try {
      return processing.process(this, command.processor(), key, view, effect);
    } finally {
      flights.end(flight);
    }
  }

  final void show(@Nullable DetachedEntry entry, BinaryKey key, EntryView<BinaryKey, Bytes> view) {
    if (entry == null) {
      DetachedEntry.showNone(view);
    } else {
      entry.show(key, epoch, view);
    }
  }

  final RetryableGridException tooManyWrites(Object key) {
    return new RetryableGridException(
        ("too many writes at once: cache=%s, key=%s, attempts=%d; try again, and let no function"
                + " wait for a write of its key by another thread")
            .formatted(name(), key, ATTEMPTS_MAX));
  }

  // ---- the whole cache

  @Override
  void clearMemory(boolean isSilent) {
    checkOpen();
    checkNoMutation();
    EntryJournal<BinaryKey, Bytes> kept = kept();
    if (kept != null) {
      kept.admit();
    }
    int[] others = others(index -> clearHere(index, isSilent));
    ClearEntries clear = new ClearEntries(new CacheScope(id), isSilent);
    calls.callAll(name(), clear, others, segmentCount() - others.length);
    awaitKept();
  }

  /** The segments for which a way to do it here does not do it. */
  private int[] others(IntPredicate tryHere) {
    return IntStream.range(0, segmentCount())
        .filter(index -> !isHere(index) || !tryHere.test(index))
        .toArray();
  }

  @Override
  public long size() {
    checkOpen();
    return scans().size(this);
  }

  @Override
  public EntryWalk<BinaryKey, Bytes> walk(BitSet segments, boolean withValues) {
    checkOpen();
    return scans().walk(this, segments, withValues);
  }

  /** Sets the reader of clustered caches' changes; once, before any change is read. */
  public void followBy(Supplier<ClusterChanges> source) {
    changesSource = source;
  }

  @Override
  public ChangeTail<BinaryKey, Bytes> changes(ChangeToken from) {
    checkOpen();
    Supplier<ClusterChanges> source = changesSource;
    if (kept() == null || source == null) {
      return super.changes(from);
    }
    if (segmentCount() > FOLLOWED_SEGMENTS_MAX) {
      throw new InvalidRequestException(
          ("changes can't be followed: cache=%s, segments=%d, most=%d; tokens would be too long,"
                  + " use fewer segments or a listener")
              .formatted(name(), segmentCount(), FOLLOWED_SEGMENTS_MAX));
    }
    return source.get().open(this, calls, from);
  }

  /** Says who does what concerns all entries; once, before any of that is asked for. */
  public void scanBy(Supplier<ClusterScans> source) {
    scansSource = source;
  }

  private ClusterScans scans() {
    return Objects.requireNonNull(scansSource).get();
  }

  @Override
  public long count(int index) {
    return isHere(index) ? super.count(index) : store.countLive(index);
  }

  @Override
  public long timeoutMillis() {
    return calls.timeoutMillis();
  }

  @Override
  public long serving(int index) {
    checkOpen();
    int stamp = served[Objects.checkIndex(index, segmentCount())].stamp();
    return mayRead(stamp) && hasHeld(index, stamp) ? Integer.toUnsignedLong(stamp) : -1;
  }

  @Override
  public long readable(int index) {
    checkOpen();
    int stamp = served[Objects.checkIndex(index, segmentCount())].stamp();
    return mayWalk(stamp, index) && hasHeld(index, stamp) ? Integer.toUnsignedLong(stamp) : -1;
  }

  /**
   * Whether a walk may show what this node has of a segment. A copy must be in memory as a whole.
   */
  private boolean mayWalk(int stamp, int index) {
    return mayRead(stamp)
        || (mayReadCopy(stamp, index) && backing() == null && returning() == null);
  }

  /** The place that the order of a segment has reached, or -1 if this node does not serve it. */
  final long placeReached(int index) {
    return serving(index) < 0 ? -1 : placeCommitted(index);
  }

  /** The place up to which this node's copy of a segment has all that is committed. */
  final long placeCommitted(int index) {
    return served[index].committedSeq();
  }

  @Override
  public boolean hasServed(int index, long since) {
    return !isClosed() && hasHeld(index, (int) since);
  }

  @Override
  public @Nullable NodeId primary(int index) {
    return calls.primary(Objects.checkIndex(index, segmentCount()));
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot(int index) {
    return served(index, () -> super.snapshot(index));
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> orderedFrom(int index, @Nullable BinaryKey after) {
    return served(index, () -> super.orderedFrom(index, after));
  }

  /** A walk through a segment that fails if this node drops what it has of it meanwhile. */
  private SegmentSnapshot<BinaryKey, Bytes> served(
      int index, Supplier<SegmentSnapshot<BinaryKey, Bytes>> begin) {
    checkOpen();
    int stamp = served[Objects.checkIndex(index, segmentCount())].stamp();
    int drops = served[index].drops();
    if (mayWalk(stamp, index)) {
      SegmentSnapshot<BinaryKey, Bytes> walk = begin.get();
      if (hasHeld(index, stamp)) {
        if (walk.remaining() >= 0) {
          return walk;
        }
        return view -> {
          boolean hasNext = walk.next(view);
          if (served[index].drops() != drops) {
            throw new RetryableGridException(
                "segment moved while it was gone through: cache=%s, segment=%d; begin again"
                    .formatted(name(), index));
          }
          return hasNext;
        };
      }
    }
    throw new RetryableGridException(
        "segment not served by this node: cache=%s, segment=%d; ask its primary"
            .formatted(name(), index));
  }

  // ---- expiry and events

  @Override
  void reapMemory() {
    super.reapMemory();
    if (isReaping.compareAndSet(false, true)) {
      reapShared(0);
    }
  }

  /**
   * Removes what is expired in segments that others have too, by commands, segment after segment:
   * it goes on when those of one segment have their answers. Where the node has no room for more
   * commands the round ends, and the next one begins anew.
   */
  private void reapShared(int first) {
    boolean goesOn = false;
    try {
      for (int index = first; index < segmentCount() && !isClosed() && !goesOn; index++) {
        List<WriteEntry> expiries = expiries(index);
        if (!expiries.isEmpty()) {
          int next = index + 1;
          goesOn = calls.tryBeginAside(expiries, index, () -> reapSoon(next));
          if (!goesOn) {
            return;
          }
        }
      }
    } catch (FatalGridException closed) {
      // The node ends, and its entries with it.
    } finally {
      if (!goesOn) {
        isReaping.set(false);
      }
    }
  }

  private void reapSoon(int first) {
    try {
      env.scheduler().execute(() -> reapShared(first));
    } catch (RejectedExecutionException closing) {
      isReaping.set(false);
    }
  }

  /** Commands that remove expired entries of a segment, if this node answers for it. */
  private List<WriteEntry> expiries(int index) {
    boolean isServed = ServedSegment.isServed(served[index].stamp());
    if (!isServed || isHere(index) || !calls.isLeased()) {
      return List.of();
    }
    List<WriteEntry> expiries = new ArrayList<>();
    for (KeyedEntry item : store.expired(index, EXPIRED_MAX)) {
      expiries.add(expiry(item.key(), item.entry().sequence()));
    }
    return expiries;
  }

  /** The next round goes on with those for which the node has no room now. */
  @Override
  void expireShared(int index, List<EntryReturn.Expired<BinaryKey>> expired) {
    List<WriteEntry> commands = new ArrayList<>(expired.size());
    for (EntryReturn.Expired<BinaryKey> each : expired) {
      EntryKey key = new EntryKey(id, each.key().toByteArray());
      commands.add(expiry(key, each.version() & Segment.SEQUENCE_MAX));
    }
    CountDownLatch done = new CountDownLatch(1);
    if (calls.isLeased() && calls.tryBeginAside(commands, index, done::countDown)) {
      try {
        boolean _ = env.nanoClock().await(done, TimeUnit.MILLISECONDS.toNanos(timeoutMillis()));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  void foundExpired(BinaryKey key, int hash) {
    if (isHere(container.segmentOf(hash))) {
      super.foundExpired(key, hash);
    } else {
      expireLater(new EntryKey(id, key.toByteArray()));
    }
  }

  /** A read came upon an expired entry: it is removed by another thread. Does not block. */
  void expireLater(EntryKey key) {
    foundExpired.add(key, this::expire);
  }

  private void expire(EntryKey key, Runnable whenDone) {
    int index = container.segmentOf(key.hash());
    if (isHere(index)) {
      super.foundExpired(key.toBinary(), key.hash());
    }
    DetachedEntry stored = inMemory(index, key);
    if (stored == null || !stored.isExpired(nowMillis())) {
      whenDone.run(); // it is gone, was written anew, or is another node's affair
    } else if (!calls.tryBeginAside(List.of(expiry(key, stored.sequence())), index, whenDone)) {
      whenDone.run(); // the reaper does it
    }
  }

  /** The entry of a segment that this node answers for, or null. Brings it into memory. */
  private @Nullable DetachedEntry inMemory(int index, EntryKey key) {
    EntryReturn<BinaryKey, Bytes> from = returning();
    if (!ServedSegment.isServed(served[index].stamp()) || !calls.isLeased()) {
      return null;
    }
    if (from == null) {
      return store.stored(index, key, false);
    }
    from.hold(key.hash()); // else it may be evicted again before it is looked at
    try {
      from.bringBack(key.toBinary(), key.hash());
      return store.stored(index, key, false);
    } finally {
      from.release(key.hash());
    }
  }

  private WriteEntry expiry(EntryKey key, long sequence) {
    return new WriteEntry(
        key,
        WriteEntry.Action.EXPIRE,
        KeyWrite.Condition.NONE,
        sequence,
        null,
        false,
        false,
        env.epochClock());
  }

  @Override
  public Subscription addListener(ChangeListener<BinaryKey, Bytes> listener) {
    checkOpen();
    Object added = feed.add(listener);
    boolean isBegun = false;
    try {
      calls.fence(name(), id);
      feed.begun(added);
      checkOpen(); // if it was closed meanwhile, the listener may not have been told
      isBegun = true;
    } finally {
      if (!isBegun) {
        remove(added);
      }
    }
    return () -> remove(added);
  }

  @Override
  void tellClosed() {
    feed.tellClosed();
  }

  /** The feed is ended by another thread, since this one may not wait for the node. */
  private void remove(Object added) {
    feed.remove(added);
    if (!feed.hasListeners()) {
      try {
        env.scheduler().execute(() -> calls.updateFeed(id));
      } catch (RejectedExecutionException closing) {
        // The node ends, and its feeds with it.
      }
    }
  }

  @Override
  public void awaitHeard() {
    checkOpen();
    calls.fence(name(), id);
  }

  /** Something changed: listeners are told by another thread, since they may block. */
  void changed() {
    boolean listens = !listeners.isEmpty() || evictor != null;
    if (listens && !isClosed() && isTelling.compareAndSet(false, true)) {
      try {
        env.scheduler().execute(this::tell);
      } catch (RejectedExecutionException closing) {
        isTelling.set(false); // the node ends, and its listeners with it
      }
    }
  }

  private void tell() {
    isTelling.set(false);
    boolean isDone = false;
    try {
      for (int index = 0; index < segmentCount(); index++) {
        notifyAfterChangeAt(index);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        changed(); // an error in a listener ends this thread, and another one goes on
      }
    }
  }
}
