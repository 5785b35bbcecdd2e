package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose process is known to be dead. One that is heard later was not, and is forgotten.
 * Not thread-safe.
 */
final class GoneNodes {
  /** More than the members of any cluster. */
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

  /**
   * Something of a node came at a time.
   *
   * @return whether that is later than the refusal that it was taken for dead by: it is forgotten
   */
  boolean heard(NodeId node, long nanos) {
    Long refused = refusedNanos.get(node);
    boolean isAlive = refused != null && nanos - refused > 0;
    if (isAlive) {
      refusedNanos.remove(node);
    }
    return isAlive;
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
