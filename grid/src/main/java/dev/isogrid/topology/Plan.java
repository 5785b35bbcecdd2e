package dev.isogrid.topology;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The next actions.
 *
 * @param next the topology to decide, or null to keep the current one
 * @param released the segments that all their losers in {@code next} have given up
 * @param drain by segment, the replicas that must give it up
 */
public record Plan(
    @Nullable Topology next, Set<Integer> released, Map<Integer, Set<NodeId>> drain) {
  /** Nothing is to be done. */
  public static final Plan NOTHING = new Plan(null, Set.of(), Map.of());

  /** Copies both, in order: what is done with them is to be the same in each run. */
  public Plan {
    released = Collections.unmodifiableSortedSet(new TreeSet<>(released));
    SortedMap<Integer, Set<NodeId>> sorted = new TreeMap<>();
    drain.forEach((segment, nodes) ->
        sorted.put(segment, Collections.unmodifiableSortedSet(new TreeSet<>(nodes))));
    drain = Collections.unmodifiableSortedMap(sorted);
  }
}
