package dev.isogrid.bench.cluster;

import java.util.concurrent.ConcurrentMap;

/** A node in this process; part of a cluster if its caches are distributed. */
interface ClusterMember {
  /** The name of the cache. */
  String CACHE = "bench";

  String NUMBERS = "numbers";
  String TEXTS = "texts";

  /** The owners of each entry of a cluster. */
  int OWNERS = 2;

  /** The cache with the entries of all nodes. */
  ConcurrentMap<String, byte[]> cache();

  /** Replaces the value of a key without asking for the one before, where that is possible. */
  default void set(String key, byte[] value) {
    cache().put(key, value);
  }

  /** Counts of this process's messages and locks, without its allocation. */
  default MemberCounts counts() {
    return MemberCounts.NONE;
  }

  /** Another cache of the same kind. */
  ConcurrentMap<String, Long> numbers();

  /**
   * The sum of the numbers, without an object per number.
   *
   * @throws UnsupportedOperationException if the library has no such method
   */
  default long sumOfBytes() {
    throw new UnsupportedOperationException("no streams over bytes");
  }

  /** Another cache of the same kind. */
  ConcurrentMap<String, String> texts();

  /**
   * Counts the words of the texts by a map/reduce with a collator.
   *
   * @return the {@linkplain WordTexts#digest digest} of the counts
   * @throws UnsupportedOperationException if the library has none
   */
  default long mapReduceWords() {
    throw new UnsupportedOperationException("this version has none");
  }

  /**
   * The same with a mapper that reads bytes in place.
   *
   * @throws UnsupportedOperationException if the library has none
   */
  default long mapReduceBytes() {
    throw new UnsupportedOperationException("this version has none");
  }

  /** The number of nodes. */
  int nodes();

  /** The name of a key's primary owner in a cluster. */
  String primary(String key);

  /** Puts an entry that expires in an hour. */
  void putMortal(String key, byte[] value);

  /** Whether this node has a copy of a key's entry. */
  boolean isHere(String key);

  /** Whether this number of nodes form one cluster and no entries are being transferred. */
  boolean isComplete(int nodes);

  /** The amount of entries on this node, in any unit: it grows while entries arrive. */
  long localSize();

  /** The number of segments whose entries this node keeps. */
  int localSegments();

  /** The number of segments of the cache. */
  int segments();
}
