package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes whose process is known to be dead. Not thread-safe. */
final class GoneNodes {
  /** More than the members of any cluster. A node that is gone does not come back. */
  private static final int NODES_MAX = 4096;

  private final GonePolicy policy;
  private final Map<NodeId, Long> refusedNanos = new LinkedHashMap<>();

  GoneNodes(GonePolicy policy) {
    this.policy = policy;
  }

  /** Takes note of some, and of when connections to them were refused. */
  void add(Map<NodeId, Long> gone) {
    gone.forEach(refusedNanos::putIfAbsent);
    while (refusedNanos.size() > NODES_MAX) {
      refusedNanos.remove(refusedNanos.keySet().iterator().next());
    }
  }

  /** Whether a node is known to be dead, whatever follows from that. */
  boolean isKnown(NodeId node) {
    return refusedNanos.containsKey(node);
  }

  /** Whether nothing is known of any. */
  boolean isEmpty() {
    return refusedNanos.isEmpty();
  }

  /** When a connection to a node was refused, or null: not at all, or it says nothing about it. */
  @Nullable Long refusedNanos(NodeId node) {
    return policy == GonePolicy.IGNORED ? null : refusedNanos.get(node);
  }

  /** Whether a node is known to be dead, and the others may go by that. */
  boolean counts(Topology topology, NodeId node) {
    if (!refusedNanos.containsKey(node)) {
      return false;
    }
    return switch (policy) {
      case IGNORED -> false;
      case OF_TWO -> topology.members().size() <= 2;
      case ALWAYS -> true;
    };
  }
}
