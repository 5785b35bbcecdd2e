package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The changes of the caches in one step, used once. */
final class CacheStep {
  private final Topology current;
  private final List<CacheGroup> groups;
  private final List<SegmentOwners> segments;
  private final List<CacheDefinition> caches;
  private final Pauses pauses;
  private int lastCacheId;

  /**
   * Begins with the caches that there are.
   *
   * @param segments the owners of their segments after the step
   * @param pauses whose rebalancing is held back after the step
   */
  CacheStep(Topology current, List<SegmentOwners> segments, Pauses pauses) {
    this.current = current;
    this.groups = new ArrayList<>(current.groups());
    this.segments = new ArrayList<>(segments);
    this.caches = new ArrayList<>(current.caches());
    this.pauses = pauses;
    this.lastCacheId = current.lastCacheId();
  }

  /**
   * Does what nodes ask for. A name that exists stays as it is; what the limits don't allow, or
   * nobody can own, is left out: whoever asks sees that in the topology.
   *
   * @param members who is there
   * @param voters who decides next
   * @param owning those of the members who may own segments
   */
  Topology next(List<Member> members, List<NodeId> voters, List<Member> owning, Facts facts) {
    caches.removeIf(cache -> facts.removing().contains(cache.id()));
    for (CacheRequest request : facts.defining()) {
      Topology before = topology(members, voters);
      if (before.cache(request.name()) == null && before.refusal(request) == null) {
        define(request, owning);
      }
    }
    return topology(members, voters);
  }

  private Topology topology(List<Member> members, List<NodeId> voters) {
    return new Topology(
        current.epoch() + 1,
        members,
        voters,
        groups,
        segments,
        caches,
        lastCacheId,
        pauses,
        current.origin());
  }

  private void define(CacheRequest request, List<Member> owning) {
    int group = groups.indexOf(request.group());
    if (group < 0) {
      if (!Placement.isPossible(owning)) {
        return;
      }
      group = groups.size();
      groups.add(request.group());
      segments.addAll(owned(request.group(), current.epoch() + 1, owning));
    }
    caches.add(
        new CacheDefinition(
            ++lastCacheId, request.name(), group, request.versionEpoch(), request.config()));
  }

  /**
   * The segments of a new group, in sync since they are empty.
   *
   * @throws IllegalArgumentException if no member has a capacity above 0
   */
  static List<SegmentOwners> owned(CacheGroup group, int epoch, List<Member> owning) {
    SegmentOwners nobody = new SegmentOwners(epoch, null, List.of(new NodeId(0, 0)), List.of());
    List<SegmentOwners> unowned = Collections.nCopies(group.segmentCount(), nobody);
    return Placement.wanted(unowned, owning, group.owners()).stream()
        .map(wanted -> new SegmentOwners(epoch, wanted.getFirst(), wanted, List.of()))
        .toList();
  }
}
