package dev.isogrid.engine;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Segment;
import dev.isogrid.store.Segment.Found;
import dev.isogrid.store.SegmentSnapshot;
import dev.isogrid.store.ValueReader;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a cache of which each node keeps entries of its own: what is written, removed
 * or cleared on one node is removed on the others. Expiry and eviction are each node's own.
 * Thread-safe.
 *
 * <p>A write is done here first. Then, unless the mode is asynchronous, it waits until the others
 * have removed the entry, and throws {@link dev.isogrid.api.IndeterminateGridException} if that is
 * not known. While this node has no lease, since it may be cut off, it reads nothing; if it was no
 * member of the cluster meanwhile, its entries are gone.
 */
public final class InvalidatingEngine extends LocalEngine<BinaryKey, Bytes> {
  /** Keys of one message to another node. */
  static final int BATCH_KEYS = 1000;

  /** A message that has so many bytes of keys gets no further one. */
  static final int BATCH_BYTES = 256 << 10;

  /** The longest key. */
  private static final int KEY_BYTES_MAX = 16 << 20;

  private final Invalidations invalidations;

  private final ReentrantLock dropping = new ReentrantLock();

  /** The {@link Invalidations#age} of the entries. Written under the lock. */
  private volatile int age;

  /** Null if writes wait for the others. */
  private final @Nullable InvalidationQueue queue;

  /**
   * Begins a cache.
   *
   * @param container its entries; owned from now on
   * @param invalidations the way to the other nodes
   * @param waits shared by the caches whose functions may wait for each other
   */
  public InvalidatingEngine(
      String name,
      CacheConfig config,
      Container<BinaryKey, Bytes> container,
      Invalidations invalidations,
      Env env,
      FlightWaits waits) {
    super(name, config, container, env, waits);
    this.invalidations = invalidations;
    this.queue =
        config.mode() == CacheMode.INVALIDATION_ASYNC
            ? new InvalidationQueue(name, invalidations, env)
            : null;
    invalidations.begun(this);
    drop();
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public boolean mayWait(int hash, boolean isRead) {
    return !isRead && invalidations.hasOthers();
  }

  @Override
  public long timeoutMillis() {
    return invalidations.timeoutMillis();
  }

  // ---- reads

  private boolean isTrusted() {
    if (invalidations.isLeased()) {
      return age == invalidations.age();
    }
    invalidations.checkNotEnded();
    return false;
  }

  @Override
  Found look(
      BinaryKey key,
      int hash,
      EntryView<BinaryKey, Bytes> view,
      EntryReader<BinaryKey, Bytes> reader,
      boolean mayWait) {
    checkOpen();
    return isTrusted() ? super.look(key, hash, view, reader, mayWait) : Found.NONE;
  }

  @Override
  public @Nullable Object tryReadValue(BinaryKey key, int hash, ValueReader<?> reader) {
    checkOpen();
    if (isTrusted()) {
      return super.tryReadValue(key, hash, reader);
    }
    countRead(false);
    return null;
  }

  @Override
  public long size() {
    checkOpen();
    return isTrusted() ? super.size() : 0;
  }

  @Override
  public long count(int index) {
    checkOpen();
    return isTrusted() ? super.count(index) : 0;
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> snapshot(int index) {
    checkOpen();
    return isTrusted() ? super.snapshot(index) : _ -> false;
  }

  @Override
  public SegmentSnapshot<BinaryKey, Bytes> orderedFrom(int index, @Nullable BinaryKey after) {
    checkOpen();
    return isTrusted() ? super.orderedFrom(index, after) : _ -> false;
  }

  // ---- writes

  /** The others are told after the write, so what would have to wait for that is not begun. */
  @Override
  long change(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation, boolean mayWait) {
    if (!mayWait && invalidations.hasOthers()) {
      return WOULD_WAIT;
    }
    checkKey(key);
    long version = super.change(key, hash, mutation, mayWait);
    return version == WOULD_WAIT ? WOULD_WAIT : told(key, mutation, version);
  }

  @Override
  public long writeInTurn(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    checkKey(key);
    return told(key, mutation, super.writeInTurn(key, hash, mutation));
  }

  private long told(BinaryKey key, Mutation<BinaryKey, Bytes> mutation, long version) {
    if (concernsOthers(mutation, version)) {
      tell(List.of(key));
    }
    return version;
  }

  /**
   * Whether a write that was done here is one that others must know of: it changed the entry, or
   * removed it whether it was here or not.
   *
   * @param version that of the write; 0 if it changed nothing
   */
  static boolean concernsOthers(Mutation<BinaryKey, Bytes> mutation, long version) {
    boolean isConditional =
        mutation instanceof KeyWrite<?, ?> write && write.condition() != KeyWrite.Condition.NONE;
    return version != 0 || (mutation.isRemoval() && !isConditional);
  }

  /** Writes here, and tells nobody. */
  long writeLocally(BinaryKey key, int hash, Mutation<BinaryKey, Bytes> mutation) {
    checkKey(key);
    return super.change(key, hash, mutation, true);
  }

  /** Refuses a key that no message can carry, and any if this node ended. */
  void checkKey(BinaryKey key) {
    invalidations.checkNotEnded();
    if (key.length() > KEY_BYTES_MAX) {
      throw new InvalidRequestException(
          "key too long for other nodes: cache=%s, length=%d, max=%d; use a local cache"
              .formatted(name(), key.length(), KEY_BYTES_MAX));
    }
  }

  /** Asks the others to remove entries, and waits for it unless the mode is asynchronous. */
  void tell(List<BinaryKey> keys) {
    if (queue == null) {
      invalidations.tell(name(), keys);
      return;
    }
    for (BinaryKey key : keys) {
      queue.add(BinaryKey.of(key.toByteArray()));
    }
  }

  @Override
  public Bulk<BinaryKey, Bytes> bulk() {
    return new InvalidatingBulk(this);
  }

  @Override
  public void clear(boolean isSilent) {
    invalidations.checkNotEnded();
    super.clear(isSilent);
    if (queue == null) {
      invalidations.tell(name(), null);
    } else {
      queue.add(null);
    }
  }

  /**
   * Waits until the others know of the writes here.
   *
   * @return how many keys they do not know of
   */
  int awaitTold(long timeoutNanos) throws InterruptedException {
    return queue == null ? 0 : queue.awaitTold(timeoutNanos);
  }

  // ---- what others wrote

  /** Another node changed an entry. */
  void invalidate(BinaryKey key) {
    removeUncounted(key, key.hash());
  }

  /** Another node removed all entries. */
  void clearLocally() {
    super.clear(false);
  }

  /**
   * Removes all entries some time, since others may have changed them and nobody told this node;
   * they can't be read any more. Does not block.
   */
  void dropLater() {
    try {
      env.scheduler().execute(this::drop);
    } catch (RejectedExecutionException closing) {
      // The node ends, and its entries with it.
    }
  }

  /** Removes all entries if they are too old. Listeners are told that they missed something. */
  private void drop() {
    dropping.lock();
    try {
      int newAge = invalidations.age();
      if (newAge == age) {
        return;
      }
      for (int index = 0; index < container.segmentCount(); index++) {
        drop(index);
      }
      age = newAge;
    } finally {
      dropping.unlock();
    }
    for (int index = 0; index < container.segmentCount(); index++) {
      notifyAfterChangeAt(index);
    }
  }

  private void drop(int index) {
    Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
    segment.lock();
    try {
      segment.clear();
      listeners.tellGap(index);
    } finally {
      segment.unlock();
    }
  }

  @Override
  void endTasks() {
    super.endTasks();
    invalidations.ended(this);
    if (queue != null) {
      queue.close();
    }
  }
}
