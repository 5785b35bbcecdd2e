package dev.isogrid.topology;

import java.util.Arrays;

/**
 * Chooses members for segments: so many for each segment, within bounds for each member, at the
 * least cost. Not thread-safe; the same input gives the same result everywhere.
 */
final class Assignment {
  /*
   * A flow of minimum cost, found by canceling negative cycles [1], on a graph of the members
   * alone.
   *
   * A hop u -> v puts v in the place of u in one segment; of all segments where that can be done
   * the table of hops knows the cheapest. Two places are not members: `nobody` is chosen where
   * somebody is missing, and `hub` closes the paths: v -> hub if v may have one more, hub -> u if
   * u may have one less. Being beyond the bounds costs more than everything else together.
   *
   *        s7: new copy, 4        s2: has it, 0
   *     A -----------------> B -----------------> C
   *     ^                                         |
   *     '------------- hub <----------------------'
   *   -UNBALANCED: A has          -UNBALANCED: C has too few
   *   too many
   *
   * Whatever is not yet the cheapest has a cycle of negative cost: its hops are done. No such
   * cycle means that there is nothing cheaper. To find one, distances are relaxed (Bellman and
   * Ford) until they stay or the parents form a cycle.
   *
   * Missing owners are first found by a greedy choice, which leaves little to be improved: the
   * cheapest member, of those the one with the smallest part of what it may have, of those one by a
   * hash. Hence the copies of one member have their other copies on many others, which then share
   * the work when it is gone.
   *
   * Where copies are near each other, two hops of one cycle in one segment may cost more together
   * than each alone. So the cost is taken again while the hops are done; if it is not lower, they
   * are undone and that is the end, perhaps a little short of the cheapest.
   *
   * Each cycle makes the whole cheaper by at least 1, so this ends.
   *
   * [1] M. Klein, A primal method for minimal cost flows, Management Science 14(3), 1967,
   * https://doi.org/10.1287/mnsc.14.3.205
   */

  /** The cost of a choice that may not be made. */
  static final long FORBIDDEN = 1L << 52;

  private static final long UNBALANCED = 1L << 44;

  /** How many segments each member should have. */
  static final class Bounds {
    final int[] least;
    final int[] most;

    Bounds(int members) {
      least = new int[members];
      most = new int[members];
    }
  }

  private final int members;
  private final int nobody;
  private final int hub;
  private final int[][] chosen;
  private final long[][] costs;
  private final long[][] nearness;
  private final long[] seeds;
  private final boolean[][] isChosen;
  private final int[] counts;
  private final long[][] hopCosts;
  private final int[][] hopSegments;
  private final boolean[] isStale;
  private final long[] distances;
  private final int[] parents;
  private Bounds bounds = new Bounds(0);

  /**
   * Begins with a choice.
   *
   * @param chosen by segment, the members, of which there are as many as costs; as many as there
   *     are members for nobody. Is changed
   * @param costs by segment and member, what it costs to choose that one. Is changed
   * @param nearness by member and member, what it costs to choose both for one segment; symmetrical
   * @param seeds a number for each member, to vary which ones are chosen together
   */
  Assignment(int[][] chosen, long[][] costs, long[][] nearness, long[] seeds) {
    this.members = seeds.length;
    this.nobody = members;
    this.hub = members + 1;
    this.chosen = chosen;
    this.costs = costs;
    this.nearness = nearness;
    this.seeds = seeds;
    this.isChosen = new boolean[chosen.length][members];
    this.counts = new int[members + 1];
    this.hopCosts = new long[members + 1][members];
    this.hopSegments = new int[members + 1][members];
    this.isStale = new boolean[members + 1];
    this.distances = new long[members + 2];
    this.parents = new int[members + 2];
    for (int segment = 0; segment < chosen.length; segment++) {
      for (int member : chosen[segment]) {
        counts[member]++;
        if (member != nobody) {
          isChosen[segment][member] = true;
          addNearness(segment, member, 1);
        }
      }
    }
  }

  /** Makes it the cheapest one within the bounds. */
  void balance(Bounds wantedBounds) {
    bounds = wantedBounds;
    for (int segment = 0; segment < chosen.length; segment++) {
      for (int i = 0; i < chosen[segment].length; i++) {
        int member = chosen[segment][i] == nobody ? best(segment) : nobody;
        if (member != nobody) {
          replace(segment, nobody, member);
        }
      }
    }
    Arrays.fill(isStale, true);
    boolean isCheaper = true;
    while (isCheaper) {
      refreshHops();
      int onCycle = findCycle();
      isCheaper = onCycle >= 0 && cancel(onCycle);
    }
  }

  /** Adds what the choice of a member costs the others in a segment. */
  private void addNearness(int segment, int member, int sign) {
    long[] near = nearness[member];
    long[] segmentCosts = costs[segment];
    for (int other = 0; other < members; other++) {
      segmentCosts[other] += sign * near[other];
    }
  }

  /** The best member for a place that nobody has, or nobody. */
  private int best(int segment) {
    int best = nobody;
    long bestHash = 0;
    for (int member = 0; member < members; member++) {
      boolean mayBe = !isChosen[segment][member] && costs[segment][member] < FORBIDDEN;
      if (mayBe && counts[member] < bounds.most[member]) {
        long hash = mix(seeds[member] + 0x9e3779b97f4a7c15L * (segment + 1));
        int order = best == nobody ? -1 : compare(segment, member, best);
        if (order < 0 || (order == 0 && hash < bestHash)) {
          best = member;
          bestHash = hash;
        }
      }
    }
    return best;
  }

  private int compare(int segment, int one, int other) {
    int order = Long.compare(costs[segment][one], costs[segment][other]);
    return order != 0
        ? order
        : Long.compare(
            (long) counts[one] * bounds.most[other], (long) counts[other] * bounds.most[one]);
  }

  /** The last step of SplitMix64. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** Puts one member in the place of another. Returns what that costs. */
  private long replace(int segment, int from, int to) {
    long cost = hopCost(segment, from, to);
    int[] of = chosen[segment];
    int at = 0;
    while (of[at] != from) {
      at++;
    }
    markStale(of);
    of[at] = to;
    counts[from]--;
    counts[to]++;
    if (from != nobody) {
      isChosen[segment][from] = false;
      addNearness(segment, from, -1);
    }
    if (to != nobody) {
      isChosen[segment][to] = true;
      addNearness(segment, to, 1);
    }
    markStale(of);
    return cost;
  }

  private void markStale(int[] of) {
    for (int member : of) {
      isStale[member] = true;
    }
  }

  private long hopCost(int segment, int from, int to) {
    long[] segmentCosts = costs[segment];
    long gained = to == nobody ? 0 : segmentCosts[to];
    if (from == nobody) {
      return gained;
    }
    return gained - segmentCosts[from] - (to == nobody ? 0 : nearness[from][to]);
  }

  // ---- the table of hops

  private void refreshHops() {
    for (int from = 0; from <= members; from++) {
      if (isStale[from]) {
        isStale[from] = false;
        refreshHops(from);
      }
    }
  }

  private void refreshHops(int from) {
    long[] row = hopCosts[from];
    Arrays.fill(row, FORBIDDEN);
    if (counts[from] == 0) {
      return;
    }
    for (int segment = 0; segment < chosen.length; segment++) {
      boolean isIn = from == nobody ? hasNobody(segment) : isChosen[segment][from];
      if (isIn) {
        refreshHops(from, segment, row);
      }
    }
  }

  private boolean hasNobody(int segment) {
    for (int member : chosen[segment]) {
      if (member == nobody) {
        return true;
      }
    }
    return false;
  }

  private void refreshHops(int from, int segment, long[] row) {
    long[] segmentCosts = costs[segment];
    boolean[] isTaken = isChosen[segment];
    int[] rowSegments = hopSegments[from];
    for (int to = 0; to < members; to++) {
      if (!isTaken[to] && segmentCosts[to] < FORBIDDEN) {
        long cost = hopCost(segment, from, to);
        if (cost < row[to]) {
          row[to] = cost;
          rowSegments[to] = segment;
        }
      }
    }
  }

  // ---- cycles

  /** The cost of taking one segment from a member; FORBIDDEN if it must keep its segments. */
  private long costOfLess(int member) {
    if (member == nobody) {
      return counts[nobody] > 0 ? -2 * UNBALANCED : FORBIDDEN;
    }
    if (counts[member] > bounds.most[member]) {
      return -UNBALANCED;
    }
    return counts[member] > bounds.least[member] ? 0 : FORBIDDEN;
  }

  /** The cost of giving one more segment to a member. */
  private long costOfMore(int member) {
    if (counts[member] < bounds.least[member]) {
      return -UNBALANCED;
    }
    return counts[member] < bounds.most[member] ? 0 : UNBALANCED;
  }

  /** A place on a cycle of negative cost of the parents, or -1. */
  private int findCycle() {
    Arrays.fill(distances, 0);
    Arrays.fill(parents, -1);
    boolean isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (int member = 0; member <= members; member++) {
        isChanged |= relax(hub, member, costOfLess(member));
      }
      for (int from = 0; from <= members; from++) {
        long[] row = hopCosts[from];
        for (int to = 0; to < members; to++) {
          isChanged |= relax(from, to, row[to]);
        }
      }
      for (int member = 0; member < members; member++) {
        isChanged |= relax(member, hub, costOfMore(member));
      }
      int onCycle = isChanged ? cycleOfParents() : -1;
      if (onCycle >= 0) {
        return onCycle;
      }
    }
    return -1;
  }

  private boolean relax(int from, int to, long cost) {
    if (cost >= FORBIDDEN || distances[from] + cost >= distances[to]) {
      return false;
    }
    distances[to] = distances[from] + cost;
    parents[to] = from;
    return true;
  }

  private int cycleOfParents() {
    int[] seenFrom = new int[members + 2];
    for (int start = 0; start < seenFrom.length; start++) {
      int at = start;
      while (at >= 0 && seenFrom[at] == 0) {
        seenFrom[at] = start + 1;
        at = parents[at];
      }
      if (at >= 0 && seenFrom[at] == start + 1) {
        return at;
      }
    }
    return -1;
  }

  /** Does the hops of a cycle, or none if that is not cheaper. Returns whether it is. */
  private boolean cancel(int onCycle) {
    int[] segmentsDone = new int[members + 2];
    int[] nodes = new int[members + 3];
    int count = 0;
    long cost = 0;
    int to = onCycle;
    do {
      int from = parents[to];
      if (from == hub) {
        cost += costOfLess(to);
      } else if (to == hub) {
        cost += costOfMore(from);
      }
      nodes[count] = to;
      segmentsDone[count++] = from == hub || to == hub ? -1 : hopSegments[from][to];
      to = from;
    } while (to != onCycle);
    nodes[count] = onCycle;
    for (int i = 0; i < count; i++) {
      if (segmentsDone[i] >= 0) {
        cost += replace(segmentsDone[i], nodes[i + 1], nodes[i]);
      }
    }
    for (int i = count - 1; i >= 0 && cost >= 0; i--) {
      if (segmentsDone[i] >= 0) {
        replace(segmentsDone[i], nodes[i], nodes[i + 1]);
      }
    }
    return cost < 0;
  }
}
