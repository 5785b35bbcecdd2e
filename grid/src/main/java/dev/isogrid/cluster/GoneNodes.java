package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The nodes whose process is known to be dead. Not thread-safe. */
final class GoneNodes {
  /** More than the members of any cluster. A node that is gone does not come back. */
  private static final int NODES_MAX = 4096;

  private final GonePolicy policy;
  private final Set<NodeId> nodes = new LinkedHashSet<>();

  GoneNodes(GonePolicy policy) {
    this.policy = policy;
  }

  /** Takes note of some. */
  void add(Collection<NodeId> gone) {
    nodes.addAll(gone);
    while (nodes.size() > NODES_MAX) {
      nodes.remove(nodes.iterator().next());
    }
  }

  /** Whether nothing is known of any. */
  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** Whether connections to a node are refused, where that says something about it. */
  boolean isReported(NodeId node) {
    return policy != GonePolicy.IGNORED && nodes.contains(node);
  }

  /** Whether a node is known to be dead, and the others may go by that. */
  boolean counts(Topology topology, NodeId node) {
    if (!nodes.contains(node)) {
      return false;
    }
    return switch (policy) {
      case IGNORED -> false;
      case OF_TWO -> topology.members().size() <= 2;
      case ALWAYS -> true;
    };
  }
}
