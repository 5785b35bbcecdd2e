package dev.isogrid.bench.cluster;

import java.util.concurrent.ConcurrentMap;

/** A node inside of this process, of a cluster if its caches are distributed. */
interface ClusterMember {
  /** The cache, of all nodes. */
  ConcurrentMap<String, byte[]> cache();

  /** Another cache of the same kind. */
  ConcurrentMap<String, Long> numbers();

  /**
   * The sum of the numbers, without an object for any.
   *
   * @throws UnsupportedOperationException if the library has no such thing
   */
  long sumOfBytes();

  /** Another cache of the same kind. */
  ConcurrentMap<String, String> texts();

  /**
   * Counts the words of the texts by a map/reduce with a collator.
   *
   * @return the {@linkplain WordTexts#digest digest} of the counts
   * @throws UnsupportedOperationException if the library has none
   */
  long mapReduceWords();

  /**
   * The same with a mapper that reads bytes where they are.
   *
   * @throws UnsupportedOperationException if the library has none
   */
  long mapReduceBytes();

  /** How many nodes there are. */
  int nodes();

  /** The name of the node that answers for a key in a cluster. */
  String primary(String key);

  /** Puts an entry that expires in an hour. */
  void putMortal(String key, byte[] value);

  /** Whether this node reads a key without asking another one. */
  boolean isHere(String key);

  /** Whether so many nodes are one cluster, and nothing is being copied. */
  boolean isComplete(int nodes);

  /** How much is kept here, in any unit: it grows while entries come. */
  long localSize();

  /** Of how many segments entries are kept here. */
  int localSegments();

  /** How many segments the cache has. */
  int segments();
}
