package dev.isogrid.store;

import dev.isogrid.api.MemoryUse;
import dev.isogrid.api.PageUse;
import dev.isogrid.base.EpochClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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
public abstract class Segment<K, V> extends ReadStamp {
  /*
   * Reads are optimistic. The stamp says whether the lock's holder moves things in the table. A
   * reader notes the stamp, looks, and looks at the stamp again: if it was at rest and is the same,
   * what the reader saw was there at one moment in between. Otherwise it tries again, READ_ATTEMPTS
   * times, and then takes the lock.
   *
   * Writers hold the lock for the whole write, the decision included; the stamp is not at rest for
   * the few stores only, so readers are not held up by a user's compute function. Where several
   * entries are written together it is not from the first to the last, so that readers wait.
   *
   * A version is epoch (24 bits) and sequence (39 bits) in one long; its sign stays 0, so that
   * versions rise as numbers do. The sequence starts at 1 and goes up by one with each write; at 10
   * million writes a second into one segment it lasts for 15 hours, at the rate of a busy segment
   * for years; running out is checked.
   */

  /** Bits of a version that count the writes. */
  static final int SEQUENCE_BITS = 39;

  /** The bits of a version that count the writes; the others are its epoch's. */
  public static final long SEQUENCE_MAX = (1L << SEQUENCE_BITS) - 1;

  /** Failed optimistic reads before the lock is taken: a write's stores take far less. */
  static final int READ_ATTEMPTS = 64;

  /**
   * Times that {@link #tryLockSoon} tries: some 10 microseconds, which most writes need less than,
   * and as long as handing the work to another thread takes.
   */
  private static final int LOCK_ATTEMPTS = 256;

  /** Places that {@link #sampleTag} looks at for an entry. */
  static final int SAMPLED_PLACES = 16;

  static final Object UNCLEAR = new Object();

  static final Object EXPIRED = new Object();

  private static final VarHandle COUNT;
  private static final VarHandle MORTAL_COUNT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
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

  /** Guarded by the lock. */
  private long sequence;

  /** What a write works with; null until the first one. Guarded by the lock. */
  private @Nullable EntryView<K, V> writeView;

  private @Nullable Effect<V> writeEffect;

  /** Read: opaque, by anyone; written: opaque, by the lock's holder. */
  private int count;

  /** Read: opaque, by anyone; written: opaque, by the lock's holder. */
  private int mortalCount;

  /** What the whole container holds. */
  final Occupancy occupancy;

  /** So many of the next entries are in the occupancy already. Guarded by the lock. */
  private int claimed;

  Segment(int epoch, EpochClock clock, Occupancy occupancy) {
    this.epochBits = epochBits(epoch);
    this.clock = clock;
    this.occupancy = occupancy;
  }

  /** An epoch's part of a version. */
  public static long epochBits(int epoch) {
    return (long) epoch << SEQUENCE_BITS;
  }

  /** What a read found. */
  public enum Found {
    /** No entry. */
    NONE,
    /** A live entry; the reader has taken it. */
    LIVE,
    /** An entry whose time is over; the reader was not called. */
    EXPIRED,
    /** Only the lock's holder can tell; what the reader was called with before does not count. */
    WOULD_WAIT
  }

  /** Takes the write lock. */
  public final void lock() {
    lock.lock();
  }

  /** Takes the write lock if it is free, without waiting. */
  public final boolean tryLock() {
    return lock.tryLock();
  }

  /** Takes the write lock if it is free, or gets free at once; never gives the processor away. */
  public final boolean tryLockSoon() {
    for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
      if (lock.tryLock()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /**
   * Takes the write lock.
   *
   * @param mayWait whether to wait for it; if not, as {@link #tryLockSoon}
   * @return whether it was taken
   */
  public final boolean lock(boolean mayWait) {
    if (!mayWait) {
      return tryLockSoon();
    }
    lock.lock();
    return true;
  }

  /** Gives the write lock back. */
  public final void unlock() {
    lock.unlock();
  }

  /** Whether this thread holds the write lock. */
  public final boolean isLockedByMe() {
    return lock.isHeldByCurrentThread();
  }

  /** Whether any thread holds the write lock; a moment later that may be otherwise. */
  public final boolean isLocked() {
    return lock.isLocked();
  }

  /** The version for the write under way. Locked. */
  public final long nextVersion() {
    if (sequence == SEQUENCE_MAX) {
      throw new IllegalStateException("segment out of versions: sequence=" + sequence);
    }
    return epochBits | ++sequence;
  }

  /** The version that an entry shows which was stored with another one: the sequence counts. */
  public final long shownVersion(long stored) {
    return epochBits | (stored & SEQUENCE_MAX);
  }

  /**
   * The window for the write under way: one a segment, so that a write allocates none. Locked;
   * valid until {@link #endWrite}.
   */
  public final EntryView<K, V> writeView() {
    assert isLockedByMe();
    if (writeView == null) {
      writeView = newView();
    }
    return writeView;
  }

  /**
   * The effect for the write under way, of kind LEAVE at first; otherwise as {@link #writeView}.
   */
  public final Effect<V> writeEffect() {
    assert isLockedByMe();
    if (writeEffect == null) {
      writeEffect = new Effect<>();
    }
    return writeEffect;
  }

  /** Empties the window and the effect of a write, so that they keep nothing alive. Locked. */
  public final void endWrite() {
    assert isLockedByMe();
    if (writeView != null) {
      writeView.clear();
    }
    if (writeEffect != null) {
      writeEffect.clear();
    }
  }

  /** A new window that fits this segment's entries. */
  abstract EntryView<K, V> newView();

  /** Lets the versions of later writes follow a sequence, if they don't yet. Locked. */
  public final void skipSequence(long last) {
    assert isLockedByMe();
    sequence = Math.max(sequence, last);
  }

  /** The sequence of the last version that was given out. Locked. */
  public final long lastSequence() {
    assert isLockedByMe();
    return sequence;
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
    return read(key, hash, view, reader, true);
  }

  /**
   * As {@link #read}, for threads that must not wait.
   *
   * @param mayWait whether to take the lock if the entry can't be read without; if not, that is
   *     {@link Found#WOULD_WAIT}
   */
  public final Found read(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      int stamp = beginRead();
      boolean found;
      try {
        found = pointAtKey(key, hash, view);
      } catch (RuntimeException torn) {
        if (isValid(stamp)) {
          throw torn;
        }
        continue; // it followed what was not there any more
      }
      if (isValid(stamp)) {
        return found ? take(key, hash, view, reader, mayWait) : Found.NONE;
      }
      view.release();
      Thread.onSpinWait();
    }
    if (!lock(mayWait)) {
      return Found.WOULD_WAIT;
    }
    boolean found;
    try {
      found = pointAtKey(key, hash, view);
    } finally {
      unlock();
    }
    return found ? take(key, hash, view, reader, mayWait) : Found.NONE;
  }

  private Found take(
      K key, int hash, EntryView<K, V> view, EntryReader<K, V> reader, boolean mayWait) {
    try {
      if (view.isMortal()) {
        long nowMillis = clock.millis();
        if (view.isExpired(nowMillis)) {
          return Found.EXPIRED;
        }
        if (!touch(key, hash, view, nowMillis, mayWait)) {
          return Found.WOULD_WAIT;
        }
      }
      reader.read(view);
      return Found.LIVE;
    } finally {
      view.release();
    }
  }

  /**
   * Returns the version of an entry, whether its time is over or not. Takes no lock, and notes no
   * use. Any thread.
   *
   * @param view the window to use; the caller's
   * @return 0 if there is no entry; -1 if only the lock's holder can tell
   */
  public final long peekVersion(K key, int hash, EntryView<K, V> view) {
    for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      int stamp = beginRead();
      long version = -1;
      try {
        version = pointAtKey(key, hash, view) ? view.version() : 0;
      } catch (RuntimeException torn) {
        if (isValid(stamp)) {
          throw torn;
        }
      } finally {
        view.release();
      }
      if (version >= 0 && isValid(stamp)) {
        return version;
      }
      Thread.onSpinWait();
    }
    return -1;
  }

  /**
   * What a reader makes of the value of an entry: the short way for a segment of bytes, without a
   * window. The reader is called without the lock.
   *
   * @return the object; null if there is no entry; what {@link #isExpired} knows if its time is
   *     over; what {@link #isUnclear} knows if {@link #read} has to tell, as where a use has to be
   *     noted
   */
  public @Nullable Object readValue(K key, int hash, ValueReader<?> reader) {
    return UNCLEAR;
  }

  /**
   * Reads the part of the index where a hash is looked up, so that the processor has it near. Never
   * waits for what it reads, so that several such reads overlap. Any thread.
   *
   * @return to be used for something, or else the reads would be left out
   */
  int bringIndexNear(int hash) {
    return 0;
  }

  /** As {@link #bringIndexNear}, the beginning of the entry; what is torn is ignored. */
  int bringEntryNear(int hash) {
    return 0;
  }

  /**
   * Puts an object that has no lifespan and no attributes: the short way for a segment of objects
   * whose sizes nobody measures, without a window. Locked.
   *
   * @return the object before; null if there was no entry; what {@link #isUnclear} knows if nothing
   *     was done, since the entry before has more than its value
   */
  public @Nullable Object putObject(K key, int hash, Object value) {
    return UNCLEAR;
  }

  /** Whether {@link #readValue} or {@link #putObject} could not tell. */
  @SuppressWarnings("ReferenceEquality") // it is a mark, not a value
  public static boolean isUnclear(@Nullable Object value) {
    return value == UNCLEAR;
  }

  /** What {@link #isUnclear} knows. */
  public static Object unclear() {
    return UNCLEAR;
  }

  /** Whether what {@link #readValue} returned stands for an entry whose time is over. */
  @SuppressWarnings("ReferenceEquality") // it is a mark, not a value
  public static boolean isExpired(@Nullable Object value) {
    return value == EXPIRED;
  }

  /**
   * Notes the use of a mortal entry that was just read, if it has a max idle.
   *
   * @param mayWait whether to wait for the lock if it is needed
   * @return whether that is done
   */
  boolean touch(K key, int hash, EntryView<K, V> view, long nowMillis, boolean mayWait) {
    view.touch(nowMillis);
    return true;
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

  /**
   * Stores the entries of a copy that are newer than those under their keys, as they are: their
   * sequences go with them. Locked.
   *
   * @param entries from its beginning; compressed values are not among them
   * @return false if this container can't, so that nothing was stored
   */
  public boolean tryStoreNewer(PackedEntries entries) {
    return false;
  }

  /**
   * Makes what the window shows of the entry that was just located stay readable when the entry is
   * replaced, until {@link EntryView#release}. Locked.
   */
  public void hold(EntryView<K, V> located) {}

  /**
   * Counts entries that are about to be inserted, unless the container is full. Locked.
   *
   * @param entries how many, 0 or more
   * @param maxCount the most entries of the container
   * @return whether they are counted; if so, {@link #endClaim} is to follow
   */
  public final boolean tryClaim(int entries, long maxCount) {
    assert isLockedByMe() && claimed == 0;
    claimed = occupancy.tryClaim(entries, maxCount) ? entries : 0;
    return claimed == entries;
  }

  /** Ends a claim, and takes back what was not inserted. Locked. */
  public final void endClaim() {
    occupancy.countChanged(-claimed);
    claimed = 0;
  }

  /**
   * The most bytes that the index grows by, beyond what {@link EntrySize} counts, if an entry is
   * inserted now. Always 0 off the heap, where the index grows by small blocks. Locked.
   */
  public long indexGrowth() {
    return 0;
  }

  /** Removes the entry that was just located and is present. Locked. */
  public abstract void removeLocated();

  /** Removes all entries. Locked. */
  public abstract void clear();

  /**
   * A walk through the entries, expired ones included. On the heap O(entries), one reference each;
   * off the heap it copies a few at a time as it goes. Locked.
   */
  public abstract SegmentSnapshot<K, V> snapshot();

  /**
   * A walk through the entries that follow a key, in an order that depends on keys only: it can go
   * on where another one ended, also in another segment of the same kind on another node. What it
   * costs depends on the entries that are taken, not on those of the segment. Takes the lock itself
   * now and then. Only for segments of bytes.
   *
   * @param after null for all entries; borrowed until the walk ends
   */
  public SegmentSnapshot<K, V> orderedFrom(@Nullable K after) {
    throw new UnsupportedOperationException("objects have no order");
  }

  /**
   * The first part of what {@link #orderedFrom} orders by, 32 bits without a sign; entries of the
   * same are ordered by their keys. Only for segments of bytes.
   */
  public int walkGroup(int hash) {
    throw new UnsupportedOperationException("objects have no order");
  }

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

  /**
   * Shows the expired entries that {@link #removeExpired} would remove, and leaves them where they
   * are. Parameters and result as there. Locked.
   */
  public abstract int visitExpired(
      int from, int placesMax, long nowMillis, EntryView<K, V> view, EntryReader<K, V> reader);

  /**
   * Notes a use of every entry with a max idle, as if all were read at one time: for a node whose
   * own record of their uses is old. Entries that are past their max idle, but not removed yet,
   * live again; the end of a lifespan stays. Locked. O(entries), and at once if none is mortal.
   *
   * @param nowMillis milliseconds since 1970
   */
  public final void touchIdle(long nowMillis) {
    assert isLockedByMe();
    if (mortalCount() > 0) {
      touchMortals(nowMillis);
    }
  }

  /** Sets the last use of the entries with a max idle. Locked. */
  abstract void touchMortals(long nowMillis);

  /**
   * When the first entry may expire, milliseconds since 1970: never later than the truth; {@code
   * Long.MAX_VALUE} if no entry is mortal. Any thread.
   */
  public abstract long earliestExpiryMillis();

  /** The memory of this segment. Locked. */
  public abstract MemoryUse memoryUse();

  /** The pages of this segment; none on the heap. Locked. */
  public List<PageUse> pages() {
    return List.of();
  }

  /**
   * Moves what is in regions of the pool that are vacated; nothing on the heap. Takes the lock, for
   * a bounded step at a time. Any thread.
   */
  public void vacate() {}

  /**
   * The tag of some entry, for choosing what to evict. A torn read may give a tag that no entry
   * has. Any thread, no lock.
   *
   * @param random decides which; all its bits count
   * @return a tag, or -1 if none was found near the chosen place
   */
  public abstract int sampleTag(long random);

  /**
   * Looks up an entry by its tag; if several have it, any of them. Locked.
   *
   * @param view moved to the entry or to its absence; as with {@link #locate}, the entry can then
   *     be removed
   */
  public abstract void locateTag(int tag, EntryView<K, V> view);

  /** How many of a hash's lower bits its {@link #tag} has in their places. */
  static final int TAG_PLACE_BITS = 23;

  /**
   * The bits of a hash that tell the entries of a segment apart, 0 to 2<sup>24</sup> - 1: those
   * that did not choose the segment where there are 256 of them.
   */
  public static int tag(int hash) {
    return (hash & 0x7F_FFFF) | (hash >>> 8 & 0x80_0000);
  }

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
      int wasClaimed = Math.clamp(delta, 0, claimed);
      occupancy.countChanged(delta - wasClaimed);
      claimed -= wasClaimed;
    }
    if (mortalDelta != 0) {
      MORTAL_COUNT.setOpaque(this, mortalCount + mortalDelta);
    }
  }

  /**
   * Has readers see all that is written from now on at once, when {@link #endTogether} is called;
   * those that come meanwhile wait for the lock. Locked, up to there; not nested.
   */
  @Override
  public void beginTogether() {
    assert isLockedByMe();
    super.beginTogether();
  }

  /** Shows what was written since {@link #beginTogether}. Locked. */
  @Override
  public void endTogether() {
    super.endTogether();
  }
}
