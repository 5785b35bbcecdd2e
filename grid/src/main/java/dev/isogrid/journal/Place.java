package dev.isogrid.journal;

/** Where a record is in the files of a journal, as a number of 55 bits other than 0. */
public final class Place {
  /*
   *   bits  0 to  7   length, rounded up: 3 bits of it below the highest one, which 5 bits tell
   *   bits  8 to 33   offset in the file
   *   bits 34 to 54   the lower bits of the file's number
   *
   * An offset is below 32 MB, since a record that does not fit into a file begins the next one. The
   * files that there are at a time have 32 TB if their numbers differ in the bits that are kept.
   */
  private static final int LENGTH_BITS = 8;
  private static final int OFFSET_BITS = 26;
  private static final int FILE_BITS = 21;
  private static final int FILE_SHIFT = LENGTH_BITS + OFFSET_BITS;

  /** The first offset that a place can't have. */
  static final long OFFSET_END = 1L << OFFSET_BITS;

  private static final long FILE_MASK = (1L << FILE_BITS) - 1;

  private static final int FRACTION_BITS = 3;
  private static final int FRACTIONS = 1 << FRACTION_BITS;

  private Place() {}

  /**
   * Returns the place of a record.
   *
   * @throws IllegalArgumentException if the offset is not below {@link #OFFSET_END}
   */
  static long of(long file, long offset, int length) {
    if (offset < 0 || offset >= OFFSET_END) {
      throw new IllegalArgumentException(
          "no place for a record: file=%d, offset=%d, allowed below %d"
              .formatted(file, offset, OFFSET_END));
    }
    return (file & FILE_MASK) << FILE_SHIFT | offset << LENGTH_BITS | lengthCode(length);
  }

  /**
   * Returns the number of the file.
   *
   * @param latest a file's number that is not below it
   */
  static long file(long place, long latest) {
    return latest - (latest - (place >>> FILE_SHIFT) & FILE_MASK);
  }

  /** Returns the offset in the file. */
  static long offset(long place) {
    return place >>> LENGTH_BITS & OFFSET_END - 1;
  }

  /** Returns the most bytes that the record has: its length and up to an eighth. */
  static long lengthMax(long place) {
    int code = (int) place & (1 << LENGTH_BITS) - 1;
    return (long) (FRACTIONS + code % FRACTIONS) << (code / FRACTIONS);
  }

  private static int lengthCode(int length) {
    int shift =
        Math.max(0, Integer.SIZE - 1 - FRACTION_BITS - Integer.numberOfLeadingZeros(length));
    long rounded = (length + (1L << shift) - 1) >>> shift;
    if (rounded == 2 * FRACTIONS) {
      return (shift + 1) * FRACTIONS;
    }
    return shift * FRACTIONS + (int) Math.max(0, rounded - FRACTIONS);
  }
}
