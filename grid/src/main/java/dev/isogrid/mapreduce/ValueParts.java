package dev.isogrid.mapreduce;

import dev.isogrid.api.BytesMapper;
import dev.isogrid.api.Mapper;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Cuts large values at places that their mapper chooses. Stateless. */
final class ValueParts {
  /** The least size of a value that is cut: it takes a millisecond or more. */
  private static final int LARGE_BYTES = 1 << 20;

  /** The least size of a part: smaller ones are not worth a hand-over. */
  private static final int PART_BYTES_MIN = 256 << 10;

  /** Enough parts that no thread waits long for the last part of another. */
  private static final int PARTS_PER_WORKER = 4;

  /** The memory of a referenced element: the reference, and an object without a field. */
  private static final long ELEMENT_BYTES = 16;

  private ValueParts() {}

  /** Whether a value of this size is cut. */
  static boolean isLarge(long bytes) {
    return bytes >= LARGE_BYTES;
  }

  /** The approximate bytes of an object if they are known at once; else 0. */
  static long sizeBytes(Object value) {
    return switch (value) {
      case CharSequence text -> text.length();
      case byte[] array -> array.length;
      case char[] array -> (long) Character.BYTES * array.length;
      case short[] array -> (long) Short.BYTES * array.length;
      case int[] array -> (long) Integer.BYTES * array.length;
      case float[] array -> (long) Float.BYTES * array.length;
      case long[] array -> (long) Long.BYTES * array.length;
      case double[] array -> (long) Double.BYTES * array.length;
      case Object[] array -> ELEMENT_BYTES * array.length;
      case Collection<?> several -> ELEMENT_BYTES * several.size();
      case Map<?, ?> several -> ELEMENT_BYTES * several.size();
      default -> 0;
    };
  }

  private static long partBytes(long bytes, int workers) {
    long parts = (long) PARTS_PER_WORKER * workers;
    return Math.max(PART_BYTES_MIN, (bytes + parts - 1) / parts);
  }

  /**
   * The ends of a value's parts, the last one at its limit.
   *
   * @param workers the number of workers that may map them
   * @throws IllegalArgumentException if the mapper names a place that is out of range
   */
  static int[] ends(BytesMapper<?, ?> mapper, ByteBuffer value, int workers) {
    int limit = value.limit();
    int partBytes = (int) partBytes(limit, workers);
    int[] ends = new int[limit / partBytes + 1];
    int count = 0;
    for (int begin = 0; limit - begin > partBytes; begin = ends[count++]) {
      int from = begin + partBytes;
      int point = mapper.splitPoint(value.asReadOnlyBuffer().clear(), from);
      if (point < from || point > limit) {
        throw new IllegalArgumentException(
            "split point out of range: from=%d, point=%d, limit=%d; it must be from to limit"
                .formatted(from, point, limit));
      }
      if (point == limit) {
        break;
      }
      ends[count] = point;
    }
    ends[count++] = limit;
    return Arrays.copyOf(ends, count);
  }

  /**
   * The parts of a value.
   *
   * @param bytes its size
   * @param workers the number of workers that may map them
   * @throws IllegalArgumentException if the mapper returns none, too many, or null
   */
  static List<Object> of(
      Mapper<Object, Object, Object, Object> mapper, Object value, long bytes, int workers) {
    int partsMax = (int) Math.ceilDiv(bytes, partBytes(bytes, workers));
    List<Object> parts = new ArrayList<>(checked(mapper.split(value, partsMax), partsMax));
    int missing = parts.indexOf(null);
    if (missing >= 0) {
      throw new IllegalArgumentException(
          "part of a split value is null: part=%d of %d".formatted(missing, parts.size()));
    }
    return parts;
  }

  /** The parts of a mapper, checked against its contract. */
  private static List<Object> checked(List<Object> parts, int partsMax) {
    if (parts == null || parts.isEmpty() || parts.size() > partsMax) {
      throw new IllegalArgumentException(
          "wrong number of parts of a split value: parts=%s, max=%d; give 1 to max"
              .formatted(parts == null ? "null" : parts.size(), partsMax));
    }
    return parts;
  }
}
