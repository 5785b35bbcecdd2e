package dev.isogrid.topology;

import org.jspecify.annotations.Nullable;

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

  // Written out: linking the generated ones takes long in the start of a node.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeId node && high == node.high && low == node.low;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(high) + Long.hashCode(low);
  }

  @Override
  public String toString() {
    return high == 0 ? Long.toString(low) : "%016x%016x".formatted(high, low);
  }
}
