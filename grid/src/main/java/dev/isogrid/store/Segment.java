package dev.isogrid.store;

import dev.isogrid.base.EpochClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One segment of a container: a hash table with a write lock, lock-free reads and its own sequence
 * of versions.
 *
 * <p>Methods whose comment says <i>locked</i> require that the caller holds the lock. Everything
 * else can be called from any thread at any time. User code, such as the equality of keys, may run
 * in reads and under the lock.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
public abstract class Segment<K, V> {
  /*
   * Reads are optimistic. The stamp is even while the table is at rest and odd while the lock's
   * holder moves things in it. A reader notes the stamp, looks, and looks at the stamp again: if it
   * was even and is the same, what the reader saw was there at one moment in between. Otherwise it
   * tries again, READ_ATTEMPTS times, and then takes the lock. This is the sequence lock of [1],
   * with the fences of [2].
   *
   * Writers hold the lock for the whole write, the decision included; the stamp is odd for the few
   * stores only, so readers are not held up by a user's compute function.
   *
   * A version is epoch (24 bits) and sequence (39 bits) in one long; its sign stays 0, so that
   * versions rise as numbers do. The sequence starts at 1 and goes up by one with each write; at 10
   * million writes a second into one segment it lasts for 15 hours, at the rate of a busy segment
   * for years; running out is checked.
   *
   * [1] C. Lameter, Effective synchronization on Linux/NUMA systems, 2005.
   * [2] H. Boehm, Can seqlocks get along with programming language memory models?, MSPC 2012.
   */

  /** Bits of a version that count the writes. */
  static final int SEQUENCE_BITS = 39;

  static final long SEQUENCE_MAX = (1L << SEQUENCE_BITS) - 1;

  /** Failed optimistic reads before the lock is taken: a write's stores take far less. */
  static final int READ_ATTEMPTS = 64;

  private static final VarHandle STAMP;
  private static final VarHandle COUNT;
  private static final VarHandle MORTAL_COUNT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STAMP = lookup.findVarHandle(Segment.class, "stamp", int.class);
      COUNT = lookup.findVarHandle(Segment.class, "count", int.class);
      MORTAL_COUNT = lookup.findVarHandle(Segment.class, "mortalCount", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final long epochBits;

  /** Tells expired entries from live ones in reads. */
  final EpochClock clock;

  /** Read: acquire, then opaque; written: opaque and release, by the lock's holder. */
  @SuppressWarnings("unused") // through STAMP
  private int stamp;

  /** Guarded by the lock. */
  private long sequence;

  /** Read: opaque, by anyone; written: opaque, by the lock's holder. */
  private int count;

  /** Read: opaque, by anyone; written: opaque, by the lock's holder. */
  private int mortalCount;

  Segment(int epoch, EpochClock clock) {
    this.epochBits = (long) epoch << SEQUENCE_BITS;
    this.clock = clock;
  }

  /** What a read found. */
  public enum Found {
    /** No entry. */
    NONE,
    /** A live entry; the reader has taken it. */
    LIVE,
    /** An entry whose time is over; the reader was not called. */
    EXPIRED
  }

  /** Takes the write lock. */
  public final void lock() {
    lock.lock();
  }

  /** Gives the write lock back. */
  public final void unlock() {
    lock.unlock();
  }

  /** Whether this thread holds the write lock. */
  public final boolean isLockedByMe() {
    return lock.isHeldByCurrentThread();
  }

  /** The version for the write under way. Locked. */
  public final long nextVersion() {
    if (sequence == SEQUENCE_MAX) {
      throw new IllegalStateException("segment out of versions: sequence=" + sequence);
    }
    return epochBits | ++sequence;
  }

  /** Entries in the table, expired ones that nobody noticed yet included. */
  public final int count() {
    return (int) COUNT.getOpaque(this);
  }

  /** Entries that have a lifespan or a max idle. */
  public final int mortalCount() {
    return (int) MORTAL_COUNT.getOpaque(this);
  }

  /**
   * Reads an entry, without the lock. A live entry with max idle is touched.
   *
   * @param view the window to use; the caller's
   * @param reader called if there is a live entry
   */
  public final Found read(K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      int stamp = beginRead();
      boolean found = pointAtKey(key, hash, view);
      if (isValid(stamp)) {
        return found ? take(view, reader) : Found.NONE;
      }
      Thread.onSpinWait();
    }
    boolean found;
    lock();
    try {
      found = pointAtKey(key, hash, view);
    } finally {
      unlock();
    }
    return found ? take(view, reader) : Found.NONE;
  }

  private Found take(EntryView<K, V> view, EntryReader<K, V> reader) {
    if (view.isMortal()) {
      long nowMillis = clock.millis();
      if (view.isExpired(nowMillis)) {
        return Found.EXPIRED;
      }
      view.touch(nowMillis);
    }
    reader.read(view);
    return Found.LIVE;
  }

  /**
   * Moves a window to the entry of a key. What it finds may be torn if a write is under way; what
   * the window then shows is not used.
   *
   * @return whether there is one
   */
  abstract boolean pointAtKey(K key, int hash, EntryView<K, V> view);

  /**
   * Looks a key up for a write. Locked.
   *
   * @param view moved to the entry, an expired one included, or to its absence; valid until the
   *     next call of this method or the end of the lock
   */
  public abstract void locate(K key, int hash, EntryView<K, V> view);

  /**
   * Stores an entry under the key that was just located. Locked.
   *
   * @param current the window that the key was located with
   * @param effect of kind STORE, or of kind TOUCH if there is an entry; defaults resolved
   * @param version the version of a STORE
   */
  public abstract void applyLocated(
      K key, int hash, EntryView<K, V> current, Effect<V> effect, long version);

  /** Removes the entry that was just located and is present. Locked. */
  public abstract void removeLocated();

  /** Removes all entries. Locked. */
  public abstract void clear();

  /** The entries of this moment, expired ones included; O(entries), one reference each. Locked. */
  public abstract SegmentSnapshot<K, V> snapshot();

  /**
   * Removes the expired entries among some places of the table. Locked.
   *
   * @param from the place to begin with, 0 or what the last call returned
   * @param placesMax how many places to look at
   * @param view the window to use; the caller's
   * @param reader called with each entry before it is removed; must not write
   * @return the place to go on with, or -1 at the end of the table
   */
  public abstract int removeExpired(
      int from, int placesMax, long nowMillis, EntryView<K, V> view, EntryReader<K, V> reader);

  /** Checks the table's structure. Locked. For tests: O(entries). */
  abstract void checkInvariants(EntryView<K, V> view);

  static void check(boolean holds, String what, int number) {
    if (!holds) {
      throw new AssertionError(what + ": " + number);
    }
  }

  final void countChanged(int delta, int mortalDelta) {
    assert isLockedByMe();
    if (delta != 0) {
      COUNT.setOpaque(this, count + delta);
    }
    if (mortalDelta != 0) {
      MORTAL_COUNT.setOpaque(this, mortalCount + mortalDelta);
    }
  }

  /** The stamp to check a read against; odd if a write moves things just now. */
  final int beginRead() {
    return (int) STAMP.getAcquire(this);
  }

  /** Whether what was read since {@link #beginRead} is consistent. */
  final boolean isValid(int stampBefore) {
    VarHandle.acquireFence();
    return (stampBefore & 1) == 0 && stampBefore == (int) STAMP.getOpaque(this);
  }

  final void beginMoves() {
    assert isLockedByMe();
    STAMP.setOpaque(this, stamp + 1);
    VarHandle.storeStoreFence();
  }

  final void endMoves() {
    STAMP.setRelease(this, stamp + 1);
  }
}
