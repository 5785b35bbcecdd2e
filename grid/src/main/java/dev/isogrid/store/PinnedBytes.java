package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that stays as it is and can be read until this is closed, whatever happens to its entry
 * meanwhile. For one thread at a time. Until it is closed its memory is not freed.
 */
public final class PinnedBytes implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final int length;

  /** Where the bytes are, unless one of the others says so. */
  private byte[] array;

  private int offset;

  /** Held by this, or null. */
  private @Nullable ValuePieces pieces;

  /** Pinned for this, or null. */
  private @Nullable Page page;

  private @Nullable PagePool pool;
  private long pageOffset;

  private PinnedBytes(int length, byte[] array, int offset) {
    this.length = length;
    this.array = array;
    this.offset = offset;
  }

  /** A whole array that does not change any more; takes it. */
  public static PinnedBytes of(byte[] array) {
    return of(array, 0, array.length);
  }

  /** A part of an array that does not change any more. */
  static PinnedBytes of(byte[] array, int offset, int length) {
    return new PinnedBytes(length, array, offset);
  }

  /** A value in pieces that was held for this. */
  static PinnedBytes of(ValuePieces held) {
    PinnedBytes bytes = new PinnedBytes(held.length(), NOTHING, 0);
    bytes.pieces = held;
    return bytes;
  }

  /** A part of a page that was pinned for this. */
  static PinnedBytes of(Page pinned, PagePool pool, long offset, int length) {
    PinnedBytes bytes = new PinnedBytes(length, NOTHING, 0);
    bytes.page = pinned;
    bytes.pool = pool;
    bytes.pageOffset = offset;
    return bytes;
  }

  /** Whether the bytes are outside of the heap, so that {@link #writeTo} hands out memory. */
  public boolean isOffHeap() {
    return pieces != null || page != null;
  }

  /** The number of bytes. */
  public int length() {
    return length;
  }

  /**
   * Hands a part of the bytes to a sink.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   * @throws IllegalStateException if this was closed
   */
  public void writeTo(int from, int size, ByteSink sink) {
    Objects.checkFromIndexSize(from, size, length);
    if (pieces != null) {
      pieces.writeTo(from, size, sink);
    } else if (page != null) {
      MemorySegment memory = page.memory;
      sink.write(memory, pageOffset + from, size);
    } else {
      if (offset < 0) {
        throw new IllegalStateException("pinned bytes were closed: length=" + length);
      }
      sink.write(array, offset + from, size);
    }
  }

  /** The same bytes for somebody else, who closes them too. */
  public PinnedBytes pinAgain() {
    if (pieces != null) {
      return pieces.pin();
    }
    if (page != null) {
      page.pinAgain();
      return of(page, Objects.requireNonNull(pool), pageOffset, length);
    }
    return of(array, offset, length);
  }

  /** Lets go of the memory. Closing twice is harmless. */
  @Override
  public void close() {
    ValuePieces held = pieces;
    Page pinned = page;
    pieces = null;
    page = null;
    array = NOTHING;
    offset = -1;
    if (held != null) {
      held.letGo();
    }
    if (pinned != null) {
      pinned.unpin(Objects.requireNonNull(pool));
    }
  }
}
