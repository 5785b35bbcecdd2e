package dev.isogrid.topology;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups of caches whose rebalancing is paused, and the speed of all others: where it is
 * paused, no copy begins and no primary moves, except for members that leave. Copies in progress
 * are finished, and an in-sync replica replaces a dead primary.
 *
 * @param changes the number of changes so far, 0 or more: a request names the state that it
 *     changes, so a late one has no effect
 * @param all whether all groups are paused, including future ones
 * @param groups the paused groups, by their place in the topology, independent of {@code all}
 * @param bytesPerSecondMax the most bytes of copies that each node sends per second, {@link
 *     #AS_CONFIGURED}, or {@link Long#MAX_VALUE} for any number
 */
public record Pauses(int changes, boolean all, Set<Integer> groups, long bytesPerSecondMax) {
  /** In place of a speed: that of each node's own configuration. */
  public static final long AS_CONFIGURED = 0;

  /** Nothing is paused and never was. */
  public static final Pauses NONE = new Pauses(0, false, Set.of());

  /** In place of a group: all of them. */
  public static final int ALL = -1;

  /** Copies the set, in order: it is written and compared. */
  public Pauses {
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    if (changes < 0 || bytesPerSecondMax < 0) {
      throw new IllegalArgumentException(
          "invalid pauses: changes=%d, bytesPerSecondMax=%d".formatted(changes, bytesPerSecondMax));
    }
  }

  /** Pauses at the speed that each node is configured with. */
  public Pauses(int changes, boolean all, Set<Integer> groups) {
    this(changes, all, groups, AS_CONFIGURED);
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
   * The result of requests.
   *
   * @param wanted by group, or {@link #ALL}, whether it must be paused
   * @param groupCount the number of groups; requests for others are void
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
    return isSame ? this : new Pauses(changes + 1, allNow, now, bytesPerSecondMax);
  }

  /**
   * The result of a request for another speed.
   *
   * @param wanted as {@link #bytesPerSecondMax}, or null to leave it
   */
  Pauses withSpeed(@Nullable Long wanted) {
    if (wanted == null || wanted == bytesPerSecondMax) {
      return this;
    }
    return new Pauses(changes + 1, all, groups, wanted);
  }
}
