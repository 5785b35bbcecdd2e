package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Set;

/**
 * Whom the transport takes for present. It may be wrong in any way, and differ between nodes.
 *
 * @param present the nodes that it finds, this one included
 * @param suspected those of them that don't answer it
 */
public record ViewHint(List<NodeId> present, Set<NodeId> suspected) {
  /** Copies the collections. */
  public ViewHint {
    present = List.copyOf(present);
    suspected = Set.copyOf(suspected);
  }
}
