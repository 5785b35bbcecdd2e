package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says which members continue a segment, by what their disks have of it. Pure. */
final class DiskCopies {
  /*
   * Each in-sync replica has all writes that were acknowledged, but one that lost power may have
   * lost the last ones that its caches' settings allow it to lose. Where the replicas of a segment
   * have the same places they have the same entries, and stay in sync. Else the one that has most
   * is the only one at first, and the others are given copies.
   *
   * The places of several caches need not agree on who has most. Then the former primary is taken,
   * since it had on its disk whatever it answered that was to be there.
   */
  private DiskCopies() {}

  /** The members that continue a segment: the primary, and all that have what it has. */
  record Continuing(NodeId primary, List<NodeId> isr) {}

  /**
   * Returns who continues.
   *
   * @param first the former primary, or who is to stand for it
   * @param places by node that lacks nothing, the places of the caches, in the same order for all
   */
  static Continuing among(NodeId first, SequencedMap<NodeId, List<Long>> places) {
    NodeId primary = first;
    List<NodeId> candidates = new ArrayList<>(List.of(first));
    candidates.addAll(places.keySet());
    for (NodeId candidate : candidates) {
      List<Long> mine = places.getOrDefault(candidate, List.of());
      if (places.values().stream().allMatch(other -> hasAll(mine, other))) {
        primary = candidate;
        break;
      }
    }
    List<Long> itsPlaces = places.getOrDefault(primary, List.of());
    return new Continuing(
        primary,
        places.keySet().stream().filter(node -> itsPlaces.equals(places.get(node))).toList());
  }

  private static boolean hasAll(List<Long> mine, List<Long> other) {
    for (int i = 0; i < mine.size(); i++) {
      if (mine.get(i) < other.get(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The owners of a segment that is offline, if disks of returned members have it.
   *
   * @param copies by former in-sync replica, what its successor has
   * @return null if none of the disks has all of it
   */
  static @Nullable SegmentOwners owners(
      SegmentOwners offline, Map<NodeId, DiskCopy> copies, int epoch) {
    Set<Integer> caches = new TreeSet<>();
    copies.values().forEach(copy -> caches.addAll(copy.places().keySet()));
    SequencedMap<NodeId, List<Long>> complete = new LinkedHashMap<>();
    for (NodeId former : offline.isr()) {
      DiskCopy copy = copies.get(former);
      List<Long> places = copy == null ? null : places(copy, caches);
      if (copy != null && places != null) {
        complete.putIfAbsent(copy.node(), places);
      }
    }
    if (caches.isEmpty() || complete.isEmpty()) {
      return null;
    }
    // The last primary comes first in the replicas of a segment that is offline.
    Continuing next = among(complete.firstEntry().getKey(), complete);
    return offline.next(epoch, next.primary(), next.isr(), List.of());
  }

  private static @Nullable List<Long> places(DiskCopy copy, Set<Integer> caches) {
    List<Long> places = new ArrayList<>();
    for (int cache : caches) {
      long place = copy.places().getOrDefault(cache, -1L);
      if (place < 0) {
        return null;
      }
      places.add(place);
    }
    return places;
  }
}
