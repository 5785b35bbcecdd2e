package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
   *
   * A write is answered when the disk of its primary has it. Backups had it in memory then, and
   * their disks have it a moment later. If the primary ends, and then the one that followed it
   * before that moment, the former primary is no replica any more, and its disk alone has the
   * write. So a replica remembers its predecessors until its own disk has all that they may have
   * answered, and their disks count until then. Of several, the oldest has all that was answered,
   * unless a later one has more of each cache: it could answer nothing before its own disk had all.
   */
  private DiskCopies() {}

  /** The replicas that continue a segment: the primary, and all that have what it has. */
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
    Map<NodeId, DiskCopy> found = new LinkedHashMap<>();
    for (NodeId former : needed(offline, copies)) {
      DiskCopy copy = find(former, copies);
      if (copy != null) {
        found.put(former, copy);
      }
    }
    Set<Integer> caches = new TreeSet<>();
    found.values().forEach(copy -> caches.addAll(copy.places().keySet()));
    SequencedMap<NodeId, List<Long>> complete = new LinkedHashMap<>();
    for (DiskCopy copy : found.values()) {
      List<Long> places = places(copy, caches);
      if (places != null) {
        complete.putIfAbsent(copy.node(), places);
      }
    }
    if (caches.isEmpty() || complete.isEmpty()) {
      return null;
    }
    Continuing next = among(complete.firstEntry().getKey(), complete);
    return offline.next(epoch, next.primary(), next.isr(), List.of());
  }

  /**
   * The nodes, by their former ids, that may have the last writes of a segment that is offline:
   * predecessors of its replicas, the oldest first, and the replicas, the last primary first.
   *
   * @param copies by former id of a member, what it has
   */
  static Set<NodeId> needed(SegmentOwners offline, Map<NodeId, DiskCopy> copies) {
    Set<NodeId> needed = new LinkedHashSet<>();
    for (NodeId former : offline.isr()) {
      DiskCopy copy = copies.get(former);
      if (copy != null) {
        needed.addAll(copy.predecessors());
      }
    }
    needed.addAll(offline.isr());
    return needed;
  }

  /** The copy on the disk of a former node, by any of the ids that it had, or null. */
  static @Nullable DiskCopy find(NodeId former, Map<NodeId, DiskCopy> copies) {
    DiskCopy copy = copies.get(former);
    if (copy != null) {
      return copy;
    }
    return copies.values().stream()
        .filter(each -> each.lives().contains(former))
        .findFirst()
        .orElse(null);
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
