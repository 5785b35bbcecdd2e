package dev.isogrid.topology;

/**
 * Where the topologies of a cluster come from. It stays the same until the whole cluster ends; a
 * cluster that came back from its disks has another epoch here.
 *
 * @param high the upper half of the cluster's identity, which is random
 * @param low the lower half
 * @param epoch the epoch in which the cluster was founded or came back, 1 or more
 * @param restarts that of all segments in this epoch, see {@link SegmentOwners#restarts}
 */
public record Origin(long high, long low, int epoch, int restarts) {
  /** That of topologies whose cluster nobody remembers. */
  public static final Origin UNKNOWN = new Origin(0, 0, 1, 0);

  /** Checks the ranges. */
  public Origin {
    if (epoch < 1 || restarts < 0 || restarts > SegmentOwners.RESTARTS_MAX) {
      throw new IllegalArgumentException(
          "invalid origin: epoch=%d, restarts=%d".formatted(epoch, restarts));
    }
  }

  /** That of a cluster that is founded now. */
  public static Origin founded(long high, long low) {
    return new Origin(high, low, 1, 0);
  }

  /** Returns whether two topologies are those of one cluster, before and after it came back. */
  public boolean isOfClusterOf(Origin other) {
    return high == other.high && low == other.low;
  }

  /** Returns the identity of the cluster, for messages. */
  public String identity() {
    return "%016x%016x".formatted(high, low);
  }
}
