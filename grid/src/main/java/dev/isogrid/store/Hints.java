package dev.isogrid.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of the hints of an {@link ObjectTable} at once, and what can be seen in them. */
final class Hints {
  /** The places of one window: the bytes of a long. */
  static final int WINDOW = Long.BYTES;

  /** The bits of a hint that are of the tag. */
  static final int TAG = 0x7F;

  private static final long EACH = 0x0101_0101_0101_0101L;
  private static final long TAGS = TAG * EACH;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Hints() {}

  /** The tags of the hints from a place on, the first one lowest. A plain read: may be torn. */
  static long window(byte[] hints, int place) {
    return (long) LONG.get(hints, place) & TAGS;
  }

  /** A bit for each tag of a window that is the same as that of a hint. */
  static long same(long window, int hint) {
    return zeros(window ^ (hint & TAG) * EACH);
  }

  /** A bit for each empty place of a window. */
  static long empty(long window) {
    return zeros(window);
  }

  /** The uppermost bit of each byte that is 0, where all bytes are below 128. */
  private static long zeros(long bytes) {
    return ~(bytes + TAGS) & ~TAGS;
  }

  /** Which place of its window the first bit stands for. */
  static int first(long bits) {
    return Long.numberOfTrailingZeros(bits) >>> 3;
  }
}
