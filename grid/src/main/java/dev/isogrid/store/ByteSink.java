package dev.isogrid.store;

import java.lang.foreign.MemorySegment;

/** Takes bytes in pieces, in order. */
@FunctionalInterface
public interface ByteSink {
  /** The largest piece that memory is copied in on its way to a sink that wants arrays. */
  int PIECE_BYTES = 16 << 10;

  /** Takes a piece. Borrows the array for the call. */
  void write(byte[] array, int offset, int length);

  /** Takes a piece of memory outside of the heap. Borrows it for the call. */
  default void write(MemorySegment memory, long offset, int length) {
    byte[] piece = new byte[Math.min(length, PIECE_BYTES)];
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, piece.length);
      MemorySegment.copy(memory, Native.BYTE, offset + done, piece, 0, part);
      write(piece, 0, part);
      done += part;
    }
  }
}
