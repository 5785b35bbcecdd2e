package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Env;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.ValueReader;
import dev.isogrid.topology.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Deque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the engine of a clustered cache: a local engine that reports waits for some keys,
 * and lets a test decide what happens before their operations. Thread-safe.
 */
public final class StandInEngine extends CacheEngine<BinaryKey, Bytes> {
  /** The argument of {@link #before} for an operation on the whole cache. */
  public static final int WHOLE_CACHE = 0;

  private final LocalEngine<BinaryKey, Bytes> local;
  private final Set<Integer> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean allWait;

  /** Called before each operation that may wait, with the key's hash; may block or throw. */
  public volatile IntConsumer before = _ -> {};

  /** Whether the primary of a segment could decide the last write, so that it needs one request. */
  public volatile boolean isOneOperation;

  /** Whether writes that may wait are begun, so that the test ends them: {@link #begun}. */
  public volatile boolean beginsWrites;

  /** Whether writes that may wait are decided on what is there before, and then once more. */
  public volatile boolean decidesTwice;

  /** Each brings the outcome of a write that was begun, in their order. */
  public final Queue<Runnable> begun = new ConcurrentLinkedQueue<>();

  /** The operations of clients that would have been sent to the cluster, in their order. */
  public final Deque<ClientOperation> clients = new ConcurrentLinkedDeque<>();

  /** Whether the cluster would get the operations of clients, and remember them. */
  public volatile boolean remembersClients = true;

  /** Begins an empty cache. */
  public StandInEngine(String name, CacheConfig.Builder config, Env env) {
    this(name, config.storage(StorageType.HEAP_BINARY).build(), env);
  }

  private StandInEngine(String name, CacheConfig config, Env env) {
    this(new LocalEngine<>(name, config, container(config, env), env));
  }

  private StandInEngine(LocalEngine<BinaryKey, Bytes> local) {
    super(local.name(), local.config(), local.container, local.env, new FlightWaits());
    this.local = local;
  }

  private static Container<BinaryKey, Bytes> container(CacheConfig config, Env env) {
    Occupancy occupancy = new Occupancy(false, false);
    return Container.ofBinary(config.segments(), 1, env.epochClock(), occupancy);
  }

  @Override
  public Bulk<BinaryKey, Bytes> bulk() {
    return new Bulk<>() {
      @Override
      public void write(BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write) {
        StandInEngine.this.write(key, hash, write);
      }

      @Override
      public void read(BinaryKey key, int hash, EntryReader<BinaryKey, Bytes> reader) {
        StandInEngine.this.read(key, hash, newView(), reader);
      }

      @Override
      public void process(
          BinaryKey key,
          int hash,
          ByteString processor,
          Mutation<BinaryKey, Bytes> near,
          Consumer<@Nullable ByteString> taking) {
        StandInEngine.this.write(key, hash, near);
        taking.accept(null);
      }

      @Override
      public void await() {
        // Each operation completes at once.
      }
    };
  }

  /** The hash of a key of text. */
  public static int hash(String key) {
    return BinaryKey.of(key.getBytes(StandardCharsets.UTF_8)).hash();
  }

  /** Makes operations on any key wait from now on. */
  public void letAllWait() {
    allWait = true;
  }

  /** Makes operations on a key wait from now on. */
  public void letWait(String key) {
    waiting.add(hash(key));
  }

  /** Lets operations on a key be done at once from now on. */
  public void letWaitNoLonger(String key) {
    waiting.remove(hash(key));
  }

  private void pass(int hash) {
    if (mayWait(hash, false)) {
      before.accept(hash);
    }
  }

  private void pass() {
    before.accept(WHOLE_CACHE);
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    return allWait || waiting.contains(hash);
  }

  @Override
  public boolean isClustered() {
    return true;
  }

  @Override
  Segment.Found look(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader,
      boolean mayWait) {
    if (!mayWait && mayWait(hash, true)) {
      return Segment.Found.WOULD_WAIT;
    }
    pass(hash);
    return local.look(key, hash, view, reader, mayWait);
  }

  @Override
  public @Nullable Object readObject(BinaryKey key, int hash) {
    throw new UnsupportedOperationException("keeps bytes");
  }

  @Override
  public @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
    pass(hash);
    return local.tryReadValue(key, hash, reader);
  }

  @Override
  long change(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation, boolean mayWait) {
    if (!mayWait && mayWait(hash, false)) {
      return WOULD_WAIT;
    }
    if (mayWait(hash, false) && mutation instanceof KeyWrite<BinaryKey, Bytes> write) {
      send(write);
    }
    return changeHere(key, hash, mutation);
  }

  private long changeHere(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    isOneOperation = mutation instanceof KeyWrite || mutation instanceof FunctionWrite;
    if (decidesTwice && mayWait(hash, false)) {
      boolean _ =
          local.peekMemory(
              key, hash, newView(), entry -> mutation.apply(entry, new Effect<Bytes>()));
    }
    pass(hash);
    return local.change(key, hash, mutation, true);
  }

  private void send(KeyWrite<BinaryKey, Bytes> write) {
    ClientOperation.Source client = write.client();
    if (client != null && remembersClients) {
      clients.add(client.operation());
    }
  }

  @Override
  public @Nullable PendingWrite tryBegin(
      BinaryKey key, int hash, KeyWrite<BinaryKey, Bytes> write, Runnable whenDone) {
    if (!beginsWrites || !mayWait(hash, false)) {
      return null;
    }
    send(write);
    WriteEntry command =
        new WriteEntry(
            new EntryKey(1, key.toByteArray()),
            WriteEntry.Action.REMOVE,
            KeyWrite.Condition.NONE,
            0,
            null,
            false,
            false,
            env.epochClock());
    SentWrite pending = new SentWrite(command, 0, whenDone);
    begun.add(() -> pending.end(new Outcome(Outcome.Kind.DONE, null)));
    return pending;
  }

  @Override
  public long finish(PendingWrite pending, BinaryKey key, KeyWrite<BinaryKey, Bytes> write) {
    Outcome outcome = ((SentWrite) pending).outcome();
    if (outcome.kind() != Outcome.Kind.DONE) {
      throw new AssertionError(outcome);
    }
    return changeHere(key, key.hash(), write);
  }

  @Override
  void foundExpired(BinaryKey key, int hash) {
    local.foundExpired(key, hash);
  }

  @Override
  public void clear(boolean isSilent) {
    pass();
    local.clear(isSilent);
  }

  @Override
  public long size() {
    pass();
    return local.size();
  }

  @Override
  public long serving(int index) {
    return local.serving(index);
  }

  @Override
  public boolean hasServed(int index, long since) {
    return local.hasServed(index, since);
  }

  @Override
  public long count(int index) {
    return local.count(index);
  }

  @Override
  public @Nullable NodeId primary(int index) {
    return local.primary(index);
  }

  @Override
  public EntryWalk<BinaryKey, Bytes> walk(BitSet segments, boolean withValues) {
    pass();
    return super.walk(segments, withValues);
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot(int index) {
    pass();
    return local.snapshot(index);
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> orderedFrom(int index, @Nullable BinaryKey after) {
    pass();
    return local.orderedFrom(index, after);
  }

  @Override
  public Subscription addListener(ChangeListener<BinaryKey, Bytes> listener) {
    return local.addListener(listener);
  }

  @Override
  void endTasks() {
    local.close();
  }
}
