package dev.isogrid.topology;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done next.
 *
 * @param next the topology to be decided, or null if the current one is to stay
 * @param released the segments whose primary changes there because it gave them up
 * @param drain the segments that their primary is to give up
 */
public record Plan(@Nullable Topology next, Set<Integer> released, Set<Integer> drain) {
  /** Copies the sets. */
  public Plan {
    released = Set.copyOf(released);
    drain = Set.copyOf(drain);
  }
}
