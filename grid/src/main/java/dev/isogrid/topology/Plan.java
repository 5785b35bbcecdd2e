package dev.isogrid.topology;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done next.
 *
 * @param next the topology to be decided, or null if the current one is to stay
 * @param released the segments that {@code next} takes from their primary or gives back to it
 *     because it gave them up
 * @param drain the segments that their primary is to give up
 */
public record Plan(@Nullable Topology next, Set<Integer> released, Set<Integer> drain) {
  /** Nothing is to be done. */
  public static final Plan NOTHING = new Plan(null, Set.of(), Set.of());

  /** Copies the sets, in order: what is done with them is to be the same in each run. */
  public Plan {
    released = Collections.unmodifiableSortedSet(new TreeSet<>(released));
    drain = Collections.unmodifiableSortedSet(new TreeSet<>(drain));
  }
}
