package dev.isogrid.api;

/**
 * Finds keys of a given node or segment of a cache among the keys of a generator. A result is valid
 * for the cluster as it is at that moment: later changes may move the key's segment. Each key of
 * the generator is returned once at most. Thread-safe if the generator is.
 *
 * @param <K> the type of the keys
 */
public interface KeyAffinity<K> {
  /**
   * Returns a key for which a node answers.
   *
   * @param node as in {@link ClusterExecutor#nodes}
   * @throws InvalidRequestException if there is no such node, it answers for no segment, or no such
   *     key is among very many of the generator's
   */
  K keyFor(String node);

  /**
   * A key of a segment.
   *
   * @param segment 0 to the number of segments - 1
   * @throws InvalidRequestException if no such key is among very many of the generator's
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  K keyForSegment(int segment);

  /** A key in the segment of another key. Throws what {@link #keyForSegment} does. */
  K keyBeside(K other);

  /** The segment of a key. */
  int segmentOf(K key);

  /**
   * The name of the node that answers for a key.
   *
   * @throws RetryableGridException if none does at this moment
   */
  String nodeOf(K key);
}
