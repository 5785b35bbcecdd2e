package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whom the transport takes for present. It may be wrong in any way, and differ between nodes, but
 * for those that are gone.
 *
 * @param present the nodes that it finds, this one included
 * @param suspected those of them that don't answer it
 * @param gone nodes whose process is dead, present or not: connections to where they listened were
 *     refused by then, by the clock of {@code System.nanoTime}. {@link GonePolicy} says what that
 *     is used for
 */
public record ViewHint(List<NodeId> present, Set<NodeId> suspected, Map<NodeId, Long> gone) {
  /** Copies the collections; the order of those that are gone stays. */
  public ViewHint {
    present = List.copyOf(present);
    suspected = Set.copyOf(suspected);
    gone = Collections.unmodifiableMap(new LinkedHashMap<>(gone));
  }
}
