package dev.isogrid.node;

import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The nodes of the cluster by the names that users call them. Thread-safe. */
final class ClusterNodes {
  private final NodeId self;
  private final String selfName;
  private final Supplier<@Nullable Topology> topology;

  /** Those of a topology; this node alone as long as there is none. */
  ClusterNodes(NodeId self, String selfName, Supplier<@Nullable Topology> topology) {
    this.self = self;
    this.selfName = selfName;
    this.topology = topology;
  }

  /** This node. */
  NodeId self() {
    return self;
  }

  /** All nodes, in the order of their names, which are different. */
  SortedMap<String, NodeId> byName() {
    SortedMap<String, NodeId> named = new TreeMap<>();
    Topology known = topology.get();
    if (known == null) {
      named.put(selfName, self);
      return named;
    }
    Map<String, List<NodeId>> all = new HashMap<>();
    for (Member member : known.members()) {
      all.computeIfAbsent(member.profile().name(), _ -> new ArrayList<>()).add(member.id());
    }
    all.forEach((name, nodes) -> {
      for (NodeId node : nodes) {
        named.put(nodes.size() == 1 ? name : name + "@" + node, node);
      }
    });
    return named;
  }

  /** The name of a node, also of one that is gone. */
  String nameOf(NodeId node) {
    return byName().entrySet().stream()
        .filter(each -> each.getValue().equals(node))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElse(node.toString());
  }
}
