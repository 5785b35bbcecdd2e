package dev.isogrid.bench.cluster;

import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** A node inside of this process, of a cluster if its caches are distributed. */
interface ClusterMember {
  /** What the caches are called. */
  String CACHE = "bench";

  String NUMBERS = "numbers";
  String TEXTS = "texts";

  /** Of entries of a cluster. */
  int OWNERS = 2;

  /** The cache, of all nodes. */
  ConcurrentMap<String, byte[]> cache();

  /** Another cache of the same kind. */
  ConcurrentMap<String, Long> numbers();

  /**
   * The sum of the numbers, without an object for any.
   *
   * @throws UnsupportedOperationException if the library has no such thing
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
   * The same with a mapper that reads bytes where they are.
   *
   * @throws UnsupportedOperationException if the library has none
   */
  default long mapReduceBytes() {
    throw new UnsupportedOperationException("this version has none");
  }

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

  /** JGroups' protocol that finds others at their ports, with more attributes if not empty. */
  static String discovery(List<Integer> seeds, String attributes) {
    String hosts =
        seeds.stream().map(seed -> "127.0.0.1[" + seed + "]").collect(Collectors.joining(","));
    return "<TCPPING initial_hosts=\"%s\" port_range=\"0\"%s/>".formatted(hosts, attributes);
  }
}
