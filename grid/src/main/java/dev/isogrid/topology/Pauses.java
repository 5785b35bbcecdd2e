package dev.isogrid.topology;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which groups of caches have their rebalancing held back: no copy is begun and no primary moves
 * there, but for members that leave. What is under way is finished, and a member that is gone is
 * replaced by one of the others that are in sync.
 *
 * @param changes how often this was changed, 0 or more: a request names what it is to change, so
 *     one that is late changes nothing
 * @param all whether all groups are paused, those included that are still to come
 * @param groups the groups that are paused, by their place in the topology, whatever {@code all}
 *     says
 */
public record Pauses(int changes, boolean all, Set<Integer> groups) {
  /** Nothing is paused and never was. */
  public static final Pauses NONE = new Pauses(0, false, Set.of());

  /** In place of a group: all of them. */
  public static final int ALL = -1;

  /** Copies the set, in order: it is written and compared. */
  public Pauses {
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    if (changes < 0) {
      throw new IllegalArgumentException("invalid pauses: changes=" + changes);
    }
  }

  /** Whether a group is held back. */
  public boolean holds(int group) {
    return all || groups.contains(group);
  }

  /**
   * Whether that was asked for.
   *
   * @param group the place of a group, or {@link #ALL}
   */
  public boolean isPaused(int group) {
    return group == ALL ? all : groups.contains(group);
  }

  /**
   * What becomes of it.
   *
   * @param wanted by group, or {@link #ALL}, whether it is to be paused
   * @param groupCount those that there are; requests for others are void
   */
  Pauses with(Map<Integer, Boolean> wanted, int groupCount) {
    boolean allNow = wanted.getOrDefault(ALL, all);
    Set<Integer> now = new TreeSet<>(groups);
    wanted.forEach((group, isPaused) -> {
      if (group >= 0 && group < groupCount) {
        if (isPaused) {
          now.add(group);
        } else {
          now.remove(group);
        }
      }
    });
    boolean isSame = allNow == all && now.equals(groups);
    return isSame ? this : new Pauses(changes + 1, allNow, now);
  }
}
