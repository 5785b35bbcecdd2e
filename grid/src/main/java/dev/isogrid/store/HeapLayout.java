package dev.isogrid.store;

/**
 * What the virtual machine adds to fields and elements: the sizes of headers and references, for
 * counting the memory of objects without asking for it.
 *
 * <p>References are counted by the rule that the machine goes by unless told otherwise: 4 bytes
 * below 32 GiB of heap, 8 from there on. Headers are counted as they are unless compact headers are
 * asked for; with those an array takes 4 bytes less, or none after rounding.
 */
final class HeapLayout {
  /** From this heap size on, references of 4 bytes that count in eights don't reach all of it. */
  private static final long COMPRESSED_HEAP_MAX = 32L << 30;

  /** Objects begin at multiples of this. */
  private static final int ALIGNMENT = 8;

  /** An array's mark, class and length. */
  static final int ARRAY_HEADER = 16;

  /** An object's mark and class. */
  static final int OBJECT_HEADER = 12;

  /** The size of a reference. */
  static final int REFERENCE = Runtime.getRuntime().maxMemory() < COMPRESSED_HEAP_MAX ? 4 : 8;

  private HeapLayout() {}

  /** The size of an array. */
  static long arraySize(long length, int elementSize) {
    return aligned(ARRAY_HEADER + length * elementSize);
  }

  /**
   * A new array for a part of a large value.
   *
   * @throws MemoryFullException if the heap has no room for it
   */
  static byte[] newArray(int length) {
    try {
      return new byte[length];
    } catch (OutOfMemoryError full) { // one large array: all else may well have room
      throw new MemoryFullException(
          "no room on the heap: wanted=%d B, heap=%d B"
              .formatted(length, Runtime.getRuntime().maxMemory()));
    }
  }

  /** The size of an object with references and other fields. */
  static long objectSize(int references, int otherFieldsSize) {
    return aligned(OBJECT_HEADER + (long) references * REFERENCE + otherFieldsSize);
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
