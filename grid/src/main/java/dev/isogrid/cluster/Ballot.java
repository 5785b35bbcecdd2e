package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;

/**
 * An attempt to decide the next topology; the greater one wins.
 *
 * @param round 1 or more; 0 is before every attempt
 * @param node who attempts
 */
public record Ballot(int round, NodeId node) implements Comparable<Ballot> {
  /** Less than the ballot of any attempt. */
  public static final Ballot NONE = new Ballot(0, new NodeId(0, 0));

  @Override
  public int compareTo(Ballot other) {
    int order = Integer.compare(round, other.round);
    return order != 0 ? order : node.compareTo(other.node);
  }
}
