package dev.isogrid.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state in which a cluster continues after the end of all its nodes, computed from their disks.
 * Pure.
 *
 * @param last the topology that counts
 * @param kept the caches of it whose entries are on disks
 * @param returned the returned nodes, by their former ids
 */
public record Revival(Topology last, Set<Integer> kept, Map<NodeId, Returned> returned) {
  /**
   * A node that came back.
   *
   * @param now what it is called from now on
   * @param places by cache and segment the place up to which it has all writes, negative if it
   *     lacks some
   * @param predecessors by segment of which it was an in-sync replica, the nodes whose disks may
   *     have writes that its own lacks, the oldest first
   * @param profile the one that it had
   */
  public record Returned(
      NodeId now,
      Map<Integer, List<Long>> places,
      Map<Integer, List<NodeId>> predecessors,
      MemberProfile profile) {}

  /** Copies the collections. */
  public Revival {
    kept = Set.copyOf(kept);
    returned = Map.copyOf(returned);
  }

  /**
   * The members without which the cluster can't come back: those that may know of a later topology,
   * and those that have entries.
   */
  public Set<NodeId> needed() {
    Set<NodeId> needed = new LinkedHashSet<>(last.voters());
    NodeId heir = last.heir();
    if (heir != null) {
      needed.add(heir);
    }
    for (int group = 0; group < last.groups().size(); group++) {
      int first = last.firstSegment(group);
      for (int i = 0; isKept(group) && i < last.groups().get(group).segmentCount(); i++) {
        needed.addAll(replicas(first + i));
      }
    }
    return needed;
  }

  /**
   * The nodes whose disks may have the last writes of a segment: predecessors of in-sync replicas,
   * the oldest first, and these.
   */
  private Set<NodeId> replicas(int segment) {
    List<NodeId> isr = last.segments().get(segment).isr();
    Set<NodeId> replicas = new LinkedHashSet<>();
    for (NodeId node : isr) {
      Returned back = returned.get(node);
      if (back != null) {
        replicas.addAll(back.predecessors().getOrDefault(segment, List.of()));
      }
    }
    replicas.addAll(isr);
    return replicas;
  }

  /** Those of {@link #needed} that are not there. */
  public Set<NodeId> missing() {
    Set<NodeId> missing = needed();
    missing.removeAll(returned.keySet());
    return missing;
  }

  private boolean isKept(int group) {
    return last.caches().stream()
        .anyMatch(cache -> cache.group() == group && kept.contains(cache.id()));
  }

  /**
   * The topology with which the cluster continues. It has no caches that are in memory only.
   *
   * @param founder this node, which is a member in any case
   * @return the topology; segments without a returned replica restart without entries
   */
  public Topology topology(NodeId founder, MemberProfile profile) {
    int epoch = last.epoch() + 1;
    List<Member> members = new ArrayList<>();
    Set<NodeId> present = new HashSet<>(); // two members can be two lives of one node
    for (Member member : last.members()) {
      Returned back = returned.get(member.id());
      if (back != null && present.add(back.now())) {
        members.add(new Member(back.now(), epoch, member.profile()));
      }
    }
    if (members.stream().noneMatch(member -> member.id().equals(founder))) {
      members.add(new Member(founder, epoch, profile));
    }
    addFormer(members, epoch);
    int restarts = last.segments().stream().mapToInt(SegmentOwners::restarts).max().orElse(0);
    List<SegmentOwners> segments = new ArrayList<>();
    for (int group = 0; group < last.groups().size(); group++) {
      for (int index = 0; index < last.groups().get(group).segmentCount(); index++) {
        SegmentOwners before = last.segmentsOf(group).get(index);
        segments.add(owners(before, group, index, new Beginning(epoch, restarts, members)));
      }
    }
    return new Topology(
        epoch,
        members,
        Planner.voters(members.stream().map(Member::id).toList(), formerVoters()),
        last.groups(),
        segments,
        last.caches().stream().filter(cache -> kept.contains(cache.id())).toList(),
        last.lastCacheId(),
        last.pauses(),
        new Origin(last.origin().high(), last.origin().low(), epoch, restarts));
  }

  /** Adds those that were no members in the end, but have segments that waited for their disks. */
  private void addFormer(List<Member> members, int epoch) {
    Set<NodeId> present = new HashSet<>();
    members.forEach(member -> present.add(member.id()));
    for (int segment = 0; segment < last.segments().size(); segment++) {
      for (NodeId node : replicas(segment)) {
        Returned back = returned.get(node);
        if (back != null && present.add(back.now())) {
          members.add(new Member(back.now(), epoch, back.profile()));
        }
      }
    }
  }

  private Set<NodeId> formerVoters() {
    Set<NodeId> voters = new HashSet<>();
    for (NodeId voter : last.voters()) {
      Returned back = returned.get(voter);
      if (back != null) {
        voters.add(back.now());
      }
    }
    return voters;
  }

  /** The common beginning of all segments. */
  private record Beginning(int epoch, int restarts, List<Member> members) {
    SegmentOwners empty(int index) {
      List<Member> able = members.stream().filter(member -> member.capacity() > 0).toList();
      List<Member> among = able.isEmpty() ? members : able;
      NodeId at = among.get(index % among.size()).id();
      int next = Math.min(restarts + 1, SegmentOwners.RESTARTS_MAX);
      return new SegmentOwners(epoch, at, List.of(at), List.of(), next);
    }

    SegmentOwners of(NodeId primary, List<NodeId> isr) {
      return new SegmentOwners(epoch, primary, isr, List.of(), restarts);
    }
  }

  private SegmentOwners owners(SegmentOwners before, int group, int index, Beginning beginning) {
    int segment = last.firstSegment(group) + index;
    Set<NodeId> replicas = replicas(segment);
    List<Integer> caches = begun(replicas, group);
    SequencedMap<NodeId, List<Long>> complete = new LinkedHashMap<>();
    for (NodeId node : replicas) {
      Returned back = returned.get(node);
      List<Long> places = back == null ? null : places(back, caches, index);
      if (back != null && places != null) {
        complete.put(back.now(), places);
      }
    }
    if (complete.isEmpty()) {
      return beginning.empty(index);
    }
    Returned formerPrimary = before.primary() == null ? null : returned.get(before.primary());
    NodeId first = complete.firstEntry().getKey();
    if (formerPrimary != null
        && !formerPrimary.predecessors().containsKey(segment)
        && complete.containsKey(formerPrimary.now())) {
      first = formerPrimary.now();
    }
    DiskCopies.Continuing next = DiskCopies.among(first, complete);
    return beginning.of(next.primary(), next.isr());
  }

  /**
   * The caches of a group, but for those that no replica of a segment has a store of. A store
   * begins after the cluster has its cache, and the primary takes no write before. So where all
   * nodes end in between, such a cache has no entries, and must not cost the others of its group
   * theirs.
   */
  private List<Integer> begun(Set<NodeId> replicas, int group) {
    List<Integer> caches =
        last.caches().stream()
            .filter(cache -> cache.group() == group && kept.contains(cache.id()))
            .map(CacheDefinition::id)
            .toList();
    Set<Integer> stored = new HashSet<>();
    for (NodeId node : replicas) {
      Returned back = returned.get(node);
      if (back != null) {
        stored.addAll(back.places().keySet());
      }
    }
    List<Integer> begun = caches.stream().filter(stored::contains).toList();
    return begun.isEmpty() ? caches : begun;
  }

  /** By cache, the place of a segment; null if something lacks. */
  private static @Nullable List<Long> places(Returned back, List<Integer> caches, int index) {
    List<Long> places = new ArrayList<>();
    for (int cache : caches) {
      List<Long> ofCache = back.places().get(cache);
      if (ofCache == null || ofCache.get(index) < 0) {
        return null;
      }
      places.add(ofCache.get(index));
    }
    return places;
  }

  /** The numbers of the segments of caches on disks that begin without entries. */
  public List<Integer> lost(Topology revived) {
    List<Integer> lost = new ArrayList<>();
    for (int group = 0; group < last.groups().size(); group++) {
      int first = last.firstSegment(group);
      for (int i = 0; isKept(group) && i < last.groups().get(group).segmentCount(); i++) {
        if (revived.segments().get(first + i).restarts() != revived.origin().restarts()) {
          lost.add(first + i);
        }
      }
    }
    return lost;
  }
}
