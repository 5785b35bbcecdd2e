package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The changes of the caches in one step, used once. */
final class CacheStep {
  /*
   * A group stays when its last cache is gone, and its segments may be lost then: nobody misses
   * their entries, so nobody is asked to give them up. The next cache of the group begins them
   * anew, as an operator would. That is done no earlier, since it can be done so often only, and
   * nodes may come and go for long while a group has no caches.
   */
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
        define(before, request, owning);
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

  private void define(Topology before, CacheRequest request, List<Member> owning) {
    int group = groups.indexOf(request.group());
    if (before.needsOwners(request.group()) && !Placement.isPossible(owning)) {
      return;
    }
    if (group >= 0 && !before.hasCaches(group)) {
      restartLost(before, group, owning);
    } else if (group < 0) {
      group = groups.size();
      groups.add(request.group());
      segments.addAll(owned(request.group(), current.epoch() + 1, owning));
    }
    caches.add(
        new CacheDefinition(
            ++lastCacheId, request.name(), group, request.versionEpoch(), request.config()));
  }

  /** Begins the segments of a group without caches anew that nobody serves. */
  private void restartLost(Topology before, int group, List<Member> owning) {
    if (before.offline(group) == 0) {
      return;
    }
    List<SegmentOwners> now = before.segmentsOf(group);
    List<List<NodeId>> wanted = Placement.wanted(now, owning, groups.get(group).owners());
    for (int i = 0; i < now.size(); i++) {
      SegmentOwners lost = now.get(i);
      if (lost.isOffline() && lost.restarts() < SegmentOwners.RESTARTS_MAX) {
        SegmentOwners restarted = lost.restarted(before.epoch(), wanted.get(i).getFirst());
        segments.set(before.firstSegment(group) + i, restarted);
      }
    }
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
