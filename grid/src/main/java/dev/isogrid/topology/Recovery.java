package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The next topology after an operator said that some members are gone for good, the majority of the
 * voters among them. Pure.
 *
 * @param last the newest topology that those who stay know
 * @param without the members that are gone
 */
public record Recovery(Topology last, Set<NodeId> without) {
  /*
   * Nobody knows what the members that are gone decided and acknowledged without the others. If
   * they only were cut off, they may still do so. So the epoch is far behind any that they reach:
   * no epoch has two topologies, and they give their copies up when they hear of this one. Each
   * segment begins a new segment epoch, whose primary leaves places free for the writes that it
   * does not know.
   *
   * A segment that was offline stays so: whether those who stay have their copies is for them to
   * say, as ever.
   *
   * A segment whose in-sync replicas are all gone is offline, and goes on with its last primary
   * if that comes back after all. The others may differ from it by then. That its entries are lost
   * is for the operator to say, as ever.
   */

  /** More decisions than nodes that are cut off make, and few of all that a cluster can make. */
  public static final int EPOCHS_SKIPPED = 100_000;

  /** Copies the set. */
  public Recovery {
    without = Set.copyOf(without);
  }

  /**
   * Returns whether writes of a segment may be unknown to its replicas, since the cluster went on
   * without others between two of its epochs. It may be so by chance; that does no harm.
   */
  public static boolean isBetween(int segEpoch, int nextSegEpoch) {
    return nextSegEpoch - segEpoch >= EPOCHS_SKIPPED / 2; // those cut off have decided, too
  }

  /** The members that stay, the oldest first. */
  public List<NodeId> staying() {
    return last.members().stream()
        .map(Member::id)
        .filter(member -> !without.contains(member))
        .toList();
  }

  /** The number of segments that nobody serves afterwards, by cache that has some. */
  public Map<String, Integer> lostSegments() {
    Set<NodeId> staying = new HashSet<>(staying());
    Map<String, Integer> lost = new HashMap<>();
    for (CacheDefinition cache : last.caches()) {
      long count =
          last.segmentsOf(cache.group()).stream()
              .filter(owners -> owners.isr().stream().noneMatch(staying::contains))
              .count();
      if (count > 0) {
        lost.put(cache.name(), (int) count);
      }
    }
    return lost;
  }

  /**
   * The topology after the recovery.
   *
   * @throws IllegalArgumentException if no member stays
   */
  public Topology topology() {
    List<NodeId> staying = staying();
    if (staying.isEmpty()) {
      throw new IllegalArgumentException(
          "no member stays: members=%s, without=%s".formatted(last.members(), without));
    }
    int epoch = Math.addExact(last.epoch(), EPOCHS_SKIPPED);
    List<SegmentOwners> segments = new ArrayList<>();
    for (SegmentOwners owners : last.segments()) {
      segments.add(next(owners, epoch, new HashSet<>(staying)));
    }
    return new Topology(
        epoch,
        last.members().stream().filter(member -> !without.contains(member.id())).toList(),
        Planner.voters(staying, new HashSet<>(last.voters())),
        last.groups(),
        segments,
        last.caches(),
        last.lastCacheId(),
        last.pauses(),
        last.origin());
  }

  private static SegmentOwners next(SegmentOwners owners, int epoch, Set<NodeId> staying) {
    List<NodeId> isr = owners.isr().stream().filter(staying::contains).toList();
    NodeId before = owners.primary();
    if (isr.isEmpty() || before == null) {
      NodeId last = before == null ? owners.isr().getFirst() : before;
      return owners.next(epoch, null, isr.isEmpty() ? List.of(last) : isr, List.of());
    }
    NodeId primary = isr.contains(before) ? before : isr.getFirst();
    return owners.next(epoch, primary, isr, List.of());
  }
}
