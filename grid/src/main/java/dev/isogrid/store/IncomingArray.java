package dev.isogrid.store;

import dev.isogrid.api.CacheFullException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A value that comes in chunks, on the heap. In pieces, since it is not known how many bytes will
 * come; the write copies them into the one array that an entry is.
 */
final class IncomingArray extends IncomingValue {
  /** The size of all pieces but the first one. */
  private static final int PIECE_BYTES = 1 << 20;

  private static final int FIRST_BYTES = 4096;

  /**
   * What the values that a container receives may take of the heap together: each is there twice
   * when it is stored, and without heap nothing else goes on.
   */
  private static final int HEAP_FRACTION = 4;

  private byte[][] pieces = new byte[1][];
  private int count;
  private int length;
  private long capacity;

  IncomingArray(AtomicLong reservedOfAll) {
    super(reservedOfAll);
  }

  @Override
  void doAppend(ByteBuffer chunk) {
    reserve(Math.addExact(length, chunk.remaining()));
    while (chunk.hasRemaining()) {
      int at = length % PIECE_BYTES;
      int part = Math.min(chunk.remaining(), PIECE_BYTES - at);
      chunk.get(pieces[length / PIECE_BYTES], at, part);
      length += part;
    }
  }

  private void reserve(int needed) {
    long heap = Runtime.getRuntime().maxMemory();
    if (reservedByOthers() + needed > heap / HEAP_FRACTION) {
      throw new CacheFullException( // no eviction would help
          "heap too small for values in chunks: wanted=%d B, others=%d B, limit=%d B; raise -Xmx"
              .formatted(needed, reservedByOthers(), heap / HEAP_FRACTION));
    }
    while (capacity < needed) {
      if (count == 0) {
        pieces[count++] = HeapLayout.newArray(Math.clamp(needed, FIRST_BYTES, PIECE_BYTES));
        capacity = pieces[0].length;
      } else if (capacity < PIECE_BYTES) {
        byte[] longer =
            HeapLayout.newArray((int) Math.min(Math.max(2 * capacity, needed), PIECE_BYTES));
        System.arraycopy(pieces[0], 0, longer, 0, length);
        pieces[0] = longer;
        capacity = longer.length;
      } else {
        if (count == pieces.length) {
          pieces = Arrays.copyOf(pieces, 2 * count);
        }
        pieces[count] = HeapLayout.newArray(PIECE_BYTES);
        count++;
        capacity += PIECE_BYTES;
      }
    }
  }

  @Override
  void trim() {} // the pieces go when the entry is made

  @Override
  long reservedBytes() {
    return capacity;
  }

  @Override
  void free() {
    pieces = new byte[1][];
    count = 0;
    length = 0;
    capacity = 0;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    for (int done = 0; done < length; done += PIECE_BYTES) {
      int part = Math.min(length - done, PIECE_BYTES);
      System.arraycopy(pieces[done / PIECE_BYTES], 0, target, offset + done, part);
    }
  }
}
