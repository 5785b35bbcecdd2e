package dev.isogrid.topology;

/**
 * One life of a node: a node that was restarted has another one. Ordered, so that all nodes break
 * ties alike.
 *
 * @param high the upper half of 128 bits
 * @param low the lower half
 */
public record NodeId(long high, long low) implements Comparable<NodeId> {
  @Override
  public int compareTo(NodeId other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return high == 0 ? Long.toString(low) : "%016x%016x".formatted(high, low);
  }
}
