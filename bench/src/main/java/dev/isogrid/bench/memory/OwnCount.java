package dev.isogrid.bench.memory;

/**
 * What a cache or server says that its entries take, in bytes.
 *
 * @param allocatedBytes what it counts for the entries, or {@link #UNKNOWN}
 * @param reservedBytes what it holds for them outside of the heap, or {@link #UNKNOWN}
 */
record OwnCount(long allocatedBytes, long reservedBytes) {
  /** It says nothing. */
  static final long UNKNOWN = -1;

  /** Of one that says nothing at all. */
  static final OwnCount NONE = new OwnCount(UNKNOWN, UNKNOWN);

  /** Of one that tells only what it counts. */
  static OwnCount of(long allocatedBytes) {
    return new OwnCount(allocatedBytes, UNKNOWN);
  }

  /** Reads what {@link #text} writes. */
  static OwnCount parse(String text) {
    String[] words = text.split(" ", -1);
    return new OwnCount(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  /** Both numbers with a blank between. */
  String text() {
    return allocatedBytes + " " + reservedBytes;
  }
}
