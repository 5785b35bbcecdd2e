package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A large value off the heap, in pieces that were reserved while it came in. Grows in one thread;
 * once it is an entry's value it never changes, and any thread reads it that holds it or the page
 * that does. Freed with its last holder.
 */
final class ValuePieces implements Bytes {
  /*
   * How long a value will be is known when its last chunk is there. A run of memory that doubles
   * would be copied, and would be up to twice as large as its value; so the value stays in pieces.
   * All have the same size but for the last, which is cut to what it holds in the end: a place in
   * the value is found by a division. A first piece that turns out to be the only one grows
   * twofold, so that a small value reserves little.
   *
   * Whole pieces and the cut one are regions of their own in the pool, so that they are in nobody's
   * way when the others are vacated, and go back to the operating system with their value.
   */

  /** The size of a piece: what the allocator adds makes it 2 MB. */
  static final int PIECE_BYTES = (2 << 20) - Region.UNIT_BYTES;

  /** The least size of the first piece. */
  private static final int FIRST_BYTES = 4096;

  private final PagePool pool;
  private final AtomicInteger holders = new AtomicInteger(1);

  private Page[] pieces = new Page[1];
  private int count;
  private int length;
  private long capacity;

  ValuePieces(PagePool pool) {
    this.pool = pool;
  }

  /** Whether there is more than one piece; what has one is kept like any other value. */
  boolean isMany() {
    return count > 1;
  }

  /** All that is reserved for it. */
  long allocatedBytes() {
    return capacity;
  }

  /** Keeps the pieces until {@link #letGo}; for callers that know that somebody holds them. */
  void hold() {
    holders.incrementAndGet();
  }

  /** Ends a hold; the last one frees the memory. */
  void letGo() {
    if (holders.decrementAndGet() == 0) {
      for (int i = 0; i < count; i++) {
        pool.free(pieces[i]);
      }
      count = 0;
    }
  }

  /**
   * Appends all of a buffer.
   *
   * @throws MemoryFullException if there is no memory; nothing is appended then
   */
  void append(ByteBuffer chunk) {
    int more = chunk.remaining();
    reserve(Math.addExact(length, more));
    MemorySegment source = MemorySegment.ofBuffer(chunk);
    for (int done = 0; done < more; ) {
      Page piece = pieces[length / PIECE_BYTES];
      int at = length % PIECE_BYTES;
      int part = Math.min(more - done, PIECE_BYTES - at);
      MemorySegment.copy(source, done, piece.memory, piece.base + at, part);
      done += part;
      length += part;
    }
    chunk.position(chunk.limit());
  }

  private void reserve(int needed) {
    while (capacity < needed) {
      if (count == 0) {
        add(pool.allocate(Math.clamp(needed, FIRST_BYTES, PIECE_BYTES), false));
      } else if (count == 1 && capacity < PIECE_BYTES) {
        long wanted = Math.max(2 * capacity, needed);
        replaceLast(pool.allocate(Math.min(wanted, PIECE_BYTES), false));
      } else {
        add(pool.allocate(PIECE_BYTES, false));
      }
    }
  }

  private void add(Page piece) {
    if (count == pieces.length) {
      pieces = Arrays.copyOf(pieces, 2 * count);
    }
    pieces[count++] = piece;
    capacity += piece.size();
  }

  private void replaceLast(Page piece) {
    Page before = pieces[count - 1];
    long used = Math.min(before.size(), piece.size());
    MemorySegment.copy(before.memory, before.base, piece.memory, piece.base, used);
    pieces[count - 1] = piece;
    capacity += piece.size() - before.size();
    pool.free(before);
  }

  /** Cuts the last piece to what it holds, if there are others and there is memory to do that. */
  void trim() {
    int used = length - (count - 1) * PIECE_BYTES;
    if (isMany() && PagePool.roundUp(used) < PIECE_BYTES) {
      Page cut = pool.tryAllocateAlone(used);
      if (cut != null) {
        replaceLast(cut);
      }
    }
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    copyTo(MemorySegment.ofArray(target), offset);
  }

  @Override
  public void copyTo(MemorySegment target, long offset) {
    for (int done = 0; done < length; done += PIECE_BYTES) {
      Page piece = pieces[done / PIECE_BYTES];
      int part = Math.min(length - done, PIECE_BYTES);
      MemorySegment.copy(piece.memory, piece.base, target, offset + done, part);
    }
  }

  @Override
  public void writeTo(ByteSink sink) {
    writeTo(0, length, sink);
  }

  /** Hands a part of the bytes to a sink. */
  void writeTo(int from, int size, ByteSink sink) {
    int end = from + size;
    for (int at = from; at < end; ) {
      Page piece = pieces[at / PIECE_BYTES];
      int start = at % PIECE_BYTES;
      int part = Math.min(end - at, PIECE_BYTES - start);
      sink.write(piece.memory, piece.base + start, part);
      at += part;
    }
  }

  @Override
  public boolean isPinnable() {
    return true;
  }

  @Override
  public PinnedBytes pin() {
    hold();
    return PinnedBytes.of(this);
  }
}
