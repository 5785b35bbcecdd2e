package dev.isogrid.store;

import dev.isogrid.api.InvalidRequestException;

/**
 * The memory of keys and values on the Java heap, in bytes, as {@link HeapLayout} counts. Only for
 * types whose size follows from the object itself and cannot change.
 */
public final class ObjectSize {
  /** A string: the reference of its array, its hash and two flags. */
  private static final long STRING_BYTES = HeapLayout.objectSize(1, Integer.BYTES + 2);

  /** The largest char of a string that the JVM keeps with one byte a char. */
  private static final char LATIN1_MAX = 0xFF;

  /** A box of 8 bytes, which have to begin at a multiple of 8. */
  private static final long WIDE_BYTES = HeapLayout.objectSize(0, Integer.BYTES + Long.BYTES);

  /** A box of at most 4 bytes. */
  private static final long NARROW_BYTES = HeapLayout.objectSize(0, Integer.BYTES);

  private ObjectSize() {}

  /**
   * The size of a key or value.
   *
   * @throws InvalidRequestException if its type is not one that can be measured
   */
  public static long of(Object object) {
    return switch (object) {
      case String text ->
          STRING_BYTES + HeapLayout.arraySize(text.length(), isLatin1(text) ? 1 : 2);
      case byte[] array -> HeapLayout.arraySize(array.length, Byte.BYTES);
      case boolean[] array -> HeapLayout.arraySize(array.length, Byte.BYTES);
      case char[] array -> HeapLayout.arraySize(array.length, Character.BYTES);
      case short[] array -> HeapLayout.arraySize(array.length, Short.BYTES);
      case int[] array -> HeapLayout.arraySize(array.length, Integer.BYTES);
      case float[] array -> HeapLayout.arraySize(array.length, Float.BYTES);
      case long[] array -> HeapLayout.arraySize(array.length, Long.BYTES);
      case double[] array -> HeapLayout.arraySize(array.length, Double.BYTES);
      case Long _, Double _ -> WIDE_BYTES;
      case Boolean _, Byte _, Character _, Short _, Integer _, Float _ -> NARROW_BYTES;
      default ->
          throw new InvalidRequestException(
              "object cannot be measured: class=%s; bound the cache by max-count instead of"
                      .formatted(object.getClass().getName())
                  + " max-size, or keep bytes: storage HEAP_BINARY or OFF_HEAP");
    };
  }

  private static boolean isLatin1(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > LATIN1_MAX) {
        return false;
      }
    }
    return true;
  }
}
