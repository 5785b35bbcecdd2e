package dev.isogrid.store;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A value that comes in chunks: room in the storage of a container, which becomes an entry's value
 * when a write stores this, and is freed otherwise. For one thread at a time.
 *
 * <p>Until it is closed what it reserves counts as memory of its container.
 */
public abstract sealed class IncomingValue implements Bytes, AutoCloseable
    permits IncomingPieces, IncomingArray {
  /** What all of the container reserve together. */
  private final AtomicLong reservedOfAll;

  private long reserved;
  private boolean closed;

  IncomingValue(AtomicLong reservedOfAll) {
    this.reservedOfAll = reservedOfAll;
  }

  /**
   * Appends all bytes of a buffer from its position on, and moves that. Costs one copy.
   *
   * @throws MemoryFullException if there is no memory; nothing is appended then, and it may be
   *     tried again
   * @throws dev.isogrid.api.CacheFullException if the heap is too small for it
   */
  public final void append(ByteBuffer chunk) {
    if (closed) {
      throw new IllegalStateException("value was given up: length=" + length());
    }
    try {
      doAppend(chunk);
    } finally {
      noteReserved();
    }
  }

  /** Says that nothing more comes: a write may store it from now on. */
  public final void complete() {
    trim();
    noteReserved();
  }

  private void noteReserved() {
    long now = reservedBytes();
    reservedOfAll.addAndGet(now - reserved);
    reserved = now;
  }

  /** What the values that the container is receiving reserve beside this one. */
  final long reservedByOthers() {
    return reservedOfAll.get() - reserved;
  }

  abstract void doAppend(ByteBuffer chunk);

  /** Gives back what is reserved beyond the value. */
  abstract void trim();

  /** What it takes of memory now. */
  abstract long reservedBytes();

  /** Lets go of the memory. */
  abstract void free();

  /** Frees what no entry took over. Closing twice is harmless. */
  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      reservedOfAll.addAndGet(-reserved);
      free();
    }
  }
}
