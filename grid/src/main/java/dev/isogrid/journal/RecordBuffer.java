package dev.isogrid.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Complete records one behind the other. Any thread appends, without a lock; one thread reads what
 * was appended.
 */
final class RecordBuffer {
  /*
   * Each record has a preamble, so that a writer touches no memory beside its record and the state:
   * what two processors write in turns is slow.
   *
   *   offset  bytes  what
   *    0      4      length of the record; 0 while the record is being copied
   *    4      8      the version that it replaces, 0 for none
   *   12      8      growth: by how many bytes the live records grow
   *   20             the record, and 0 to 3 bytes up to a multiple of 4
   *
   * The length is written last, behind a fence, and read before a fence. So a thread that sees it
   * sees the record. It is at a multiple of 4, so that no thread sees a part of it: elements of an
   * array of bytes begin at one. The rest of the buffer is zero.
   *
   * A large record is a buffer of its own, without a preamble, so that it is not copied.
   */
  private static final int REPLACED = 4;

  private static final int GROWTH = 12;
  private static final int PREAMBLE = 20;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The multiples of this are where preambles begin. */
  private static final int ALIGNMENT = 4;

  private static final int LENGTH_SHIFT = 32;
  private static final long CLOSED = Long.MIN_VALUE;

  /** Looks at a record that is being copied, before its reader lets others have the processor. */
  private static final int SPINS = 100;

  private static final long PAUSE_NANOS = 20_000;

  private final long position;
  private final byte[] bytes;

  /** The size of a preamble; 0 if the buffer is one large record. */
  private final int preamble;

  /** What the preamble of the only record would say, if it has none. */
  private final long onlyReplaced;

  private final long onlyGrowth;

  /** The same bytes. Used by the reader. */
  private final ByteBuffer view;

  /**
   * The bytes of all records, and in the lower half where the next one goes; negative if closed.
   */
  private final AtomicLong state = new AtomicLong();

  /** The one behind this one. Written by the queue before this one is left. */
  private volatile @Nullable RecordBuffer next;

  private RecordBuffer(long position, byte[] bytes) {
    this.position = position;
    this.bytes = bytes;
    this.view = JournalLayout.view(bytes);
    this.preamble = PREAMBLE;
    this.onlyReplaced = 0;
    this.onlyGrowth = 0;
  }

  /**
   * Begins empty.
   *
   * @param position the bytes of all records before
   * @param capacity room in bytes
   */
  RecordBuffer(long position, int capacity) {
    this(position, new byte[capacity]);
  }

  /** Begins empty, with the memory of a {@link #clear cleared} buffer. */
  RecordBuffer(long position, RecordBuffer cleared) {
    this(position, cleared.bytes);
  }

  /**
   * Makes a record a buffer, which is closed.
   *
   * @param position the bytes of all records before
   * @param record complete; taken
   * @param replaced the version that it replaces, 0 for none
   * @param growth by how many bytes the live records grow
   */
  RecordBuffer(long position, byte[] record, long replaced, long growth) {
    this.position = position;
    this.bytes = record;
    this.view = JournalLayout.view(record);
    this.preamble = 0;
    this.onlyReplaced = replaced;
    this.onlyGrowth = growth;
    this.state.set(CLOSED | (long) record.length << LENGTH_SHIFT | record.length);
  }

  /** Returns the room that a record takes. */
  static int sizeOf(int length) {
    return PREAMBLE + (length + ALIGNMENT - 1 & -ALIGNMENT);
  }

  /**
   * Makes room for records that follow each other, to be filled by {@link #put} at once.
   *
   * @param length the bytes of all of them
   * @param size the sum of what {@link #sizeOf} says of them
   * @return where the first one goes; -1 if there is no room, or this is closed
   */
  long tryReserve(int length, int size) {
    long before = state.get();
    while (before >= 0 && size <= bytes.length - (int) before) {
      long after = before + ((long) length << LENGTH_SHIFT) + size;
      long seen = state.compareAndExchange(before, after);
      if (seen == before) {
        return before;
      }
      before = seen;
    }
    return -1;
  }

  /**
   * Fills room.
   *
   * @param at where it begins: the lower half of {@link #tryReserve}, or what this method returned
   * @param record copied
   * @param replaced the version that it replaces, 0 for none
   * @param growth by how many bytes the live records grow
   * @return where the record behind it goes
   */
  int put(int at, byte[] record, long replaced, long growth) {
    LONGS.set(bytes, at + REPLACED, replaced);
    LONGS.set(bytes, at + GROWTH, growth);
    System.arraycopy(record, 0, bytes, at + PREAMBLE, record.length);
    VarHandle.releaseFence();
    INTS.set(bytes, at, record.length);
    return at + sizeOf(record.length);
  }

  /** Returns the position behind all records before a {@link #state}. */
  long position(long atState) {
    return position + (atState >>> LENGTH_SHIFT);
  }

  /** Returns the position before the first record. */
  long position() {
    return position;
  }

  /** Returns what {@link #tryReserve} would return if there were room. */
  long state() {
    return state.get() & ~CLOSED;
  }

  /** Lets nobody append any more. */
  void close() {
    state.getAndUpdate(now -> now | CLOSED);
  }

  int capacity() {
    return bytes.length;
  }

  /** Returns whether its memory can be a buffer of some capacity, which is not one record. */
  boolean isUsable(int capacity) {
    return preamble != 0 && bytes.length == capacity;
  }

  /** Makes all zero again. For a closed buffer that nobody reads any more. */
  void clear() {
    Arrays.fill(bytes, 0, (int) state.get(), (byte) 0);
  }

  @Nullable RecordBuffer next() {
    return next;
  }

  void next(RecordBuffer following) {
    next = following;
  }

  /**
   * Waits until records are there, which others copy at this moment.
   *
   * @param from where the first one is
   * @param to the end of the last one
   */
  void awaitFilled(int from, int to) {
    for (int at = from; at < to; at = behind(at)) {
      for (int looks = 0; length(at) == 0; looks++) {
        if (looks < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(PAUSE_NANOS); // the writer lost the processor
        }
        VarHandle.fullFence();
      }
    }
    VarHandle.acquireFence();
  }

  /** Returns where the record behind another one is. */
  int behind(int at) {
    return preamble == 0 ? bytes.length : at + sizeOf(length(at));
  }

  int length(int at) {
    return preamble == 0 ? bytes.length : (int) INTS.get(bytes, at);
  }

  int segment(int at) {
    return JournalLayout.segment(bytes, at + preamble);
  }

  /** Returns the version that a record has, 0 if it has none. */
  long version(int at) {
    return JournalLayout.version(bytes, at + preamble);
  }

  long replaced(int at) {
    return preamble == 0 ? onlyReplaced : (long) LONGS.get(bytes, at + REPLACED);
  }

  long growth(int at) {
    return preamble == 0 ? onlyGrowth : (long) LONGS.get(bytes, at + GROWTH);
  }

  /** Moves a window to a record. */
  void point(JournalRecord window, int at) {
    window.point(view, at + preamble, length(at));
  }

  /** Copies a part of a record into a buffer that has room. */
  void copyTo(ByteBuffer target, int at, int skipped, int count) {
    target.put(bytes, at + preamble + skipped, count);
  }
}
