package dev.isogrid.bench.memory;

/**
 * The size of its entries that a cache or server reports, in bytes.
 *
 * @param allocatedBytes the size of the entries, or {@link #UNKNOWN}
 * @param reservedBytes the memory that it holds for them outside of the heap, or {@link #UNKNOWN}
 */
record OwnCount(long allocatedBytes, long reservedBytes) {
  /** The mark of an unknown number. */
  static final long UNKNOWN = -1;

  /** The count of a process that reports nothing. */
  static final OwnCount NONE = new OwnCount(UNKNOWN, UNKNOWN);

  /** The count of a process that reports only the allocated bytes. */
  static OwnCount of(long allocatedBytes) {
    return new OwnCount(allocatedBytes, UNKNOWN);
  }

  /** Parses the form of {@link #text}. */
  static OwnCount parse(String text) {
    String[] words = text.split(" ", -1);
    return new OwnCount(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  /** Both numbers with a blank between. */
  String text() {
    return allocatedBytes + " " + reservedBytes;
  }
}
