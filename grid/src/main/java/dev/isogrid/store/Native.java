package dev.isogrid.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Access to off-heap memory. */
final class Native {
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfInt LITTLE_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final ValueLayout.OfLong LITTLE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.nativeOrder());
  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private Native() {}

  /** Whether a part of memory has the same bytes as a part of an array. */
  static boolean equal(MemorySegment memory, long at, byte[] array, int offset, int length) {
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      if (memory.get(LONG, at + i) != (long) ARRAY_LONG.get(array, offset + i)) {
        return false;
      }
    }
    if (i < length && length >= Long.BYTES) { // the last 8 bytes, some of them again
      int last = length - Long.BYTES;
      return memory.get(LONG, at + last) == (long) ARRAY_LONG.get(array, offset + last);
    }
    for (; i < length; i++) {
      if (memory.get(BYTE, at + i) != array[offset + i]) {
        return false;
      }
    }
    return true;
  }

  /** The varint whose first byte is given, and was negative, and whose others are in memory. */
  static int restOfVarint(MemorySegment memory, long at, int first) {
    int number = first & 0x7F;
    for (int shift = 7; ; shift += 7) {
      byte next = memory.get(BYTE, at++);
      number |= (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  /** Copies from an array to memory. */
  static void copy(byte[] array, int offset, MemorySegment memory, long at, int length) {
    MemorySegment.copy(array, offset, memory, BYTE, at, length);
  }
}
