package dev.isogrid.topology;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, its caches and the owners of segments, as decided for one epoch.
 * There is one topology per epoch, and the voters of the previous one decide on it.
 *
 * @param epoch 1 or more
 * @param members in the order in which they joined
 * @param voters the members that decide on the next topology, an odd number
 * @param groups the kinds of segments that caches need; a group stays when its last cache is
 *     removed
 * @param segments the owners of the segments of the first group, then of the second, and so on; the
 *     place in this list is the segment's number in the cluster
 * @param caches in the order in which they were defined
 * @param lastCacheId the number of the cache that was defined last, or 0
 * @param pauses the groups whose rebalancing is paused
 * @param origin the cluster that it belongs to
 */
public record Topology(
    int epoch,
    List<Member> members,
    List<NodeId> voters,
    List<CacheGroup> groups,
    List<SegmentOwners> segments,
    List<CacheDefinition> caches,
    int lastCacheId,
    Pauses pauses,
    Origin origin) {
  /** Voters that are of use: the more there are, the more each decision and each lease costs. */
  public static final int VOTERS_MAX = 7;

  /** Caches of a cluster: all of them are in each topology. */
  public static final int CACHES_MAX = 1024;

  /** Segments of all groups: all of them are in each topology, which takes some MiB then. */
  public static final int SEGMENTS_MAX = 1 << 18;

  /** Copies the lists and checks what they have to do with each other. */
  public Topology {
    members = List.copyOf(members);
    voters = List.copyOf(voters);
    groups = List.copyOf(groups);
    segments = List.copyOf(segments);
    caches = List.copyOf(caches);
    if (epoch < 1 || voters.size() % 2 == 0 || voters.size() > VOTERS_MAX) {
      throw new IllegalArgumentException(
          "invalid topology: epoch=%d, voters=%s".formatted(epoch, voters));
    }
    long segmentCount = groups.stream().mapToLong(CacheGroup::segmentCount).sum();
    if (segmentCount != segments.size() || segmentCount > SEGMENTS_MAX) {
      throw new IllegalArgumentException(
          "invalid topology: epoch=%d, groups=%s, segments=%d"
              .formatted(epoch, groups, segments.size()));
    }
    checkCaches(groups.size(), caches, lastCacheId);
    int groupCount = groups.size();
    if (pauses.groups().stream().anyMatch(group -> group < 0 || group >= groupCount)) {
      throw new IllegalArgumentException(
          "invalid topology: epoch=%d, groups=%d, pauses=%s".formatted(epoch, groupCount, pauses));
    }
  }

  /** One without pauses. */
  public Topology( // tidy: the parts of a topology
      int epoch,
      List<Member> members,
      List<NodeId> voters,
      List<CacheGroup> groups,
      List<SegmentOwners> segments,
      List<CacheDefinition> caches,
      int lastCacheId) {
    this(epoch, members, voters, groups, segments, caches, lastCacheId, Pauses.NONE);
  }

  /** One of a cluster that nobody remembers. */
  public Topology( // tidy: the parts of a topology
      int epoch,
      List<Member> members,
      List<NodeId> voters,
      List<CacheGroup> groups,
      List<SegmentOwners> segments,
      List<CacheDefinition> caches,
      int lastCacheId,
      Pauses pauses) {
    this(epoch, members, voters, groups, segments, caches, lastCacheId, pauses, Origin.UNKNOWN);
  }

  /** The same of a cluster. */
  public Topology of(Origin cluster) {
    return new Topology(
        epoch, members, voters, groups, segments, caches, lastCacheId, pauses, cluster);
  }

  private static void checkCaches(int groups, List<CacheDefinition> caches, int lastCacheId) {
    int before = 0;
    Set<String> names = new HashSet<>();
    for (CacheDefinition cache : caches) {
      boolean isOk = cache.id() > before && cache.group() < groups && names.add(cache.name());
      if (!isOk) {
        throw new IllegalArgumentException(
            "invalid cache in a topology: id=%d, name=%s, group=%d, idBefore=%d, groups=%d"
                .formatted(cache.id(), cache.name(), cache.group(), before, groups));
      }
      before = cache.id();
    }
    if (lastCacheId < before || caches.size() > CACHES_MAX) {
      throw new IllegalArgumentException(
          "invalid caches in a topology: caches=%d, max=%d, greatestId=%d, lastCacheId=%d"
              .formatted(caches.size(), CACHES_MAX, before, lastCacheId));
    }
  }

  /** The member that a node is, or null. */
  public @Nullable Member member(NodeId node) {
    for (Member member : members) {
      if (member.id().equals(node)) {
        return member;
      }
    }
    return null;
  }

  /** Returns what people call a node: its name, or its id if it has none or is no member. */
  public String nameOf(NodeId node) {
    Member member = member(node);
    String name = member == null ? "" : member.profile().name();
    return name.isEmpty() ? node.toString() : name;
  }

  /**
   * The version of the protocol that all members speak: they write messages as it has them, and use
   * what came with it. A node that does not speak it is not let in, so it never becomes less while
   * the cluster lives. O(members).
   */
  public int protocol() {
    return members.stream()
        .mapToInt(member -> member.profile().speaks().newest())
        .min()
        .orElse(ProtocolVersions.OF_BUILD.oldest());
  }

  /** The cache of a name, or null. */
  public @Nullable CacheDefinition cache(String name) {
    for (CacheDefinition cache : caches) {
      if (cache.name().equals(name)) {
        return cache;
      }
    }
    return null;
  }

  /** The cache of a number, or null. */
  public @Nullable CacheDefinition cache(int id) {
    for (CacheDefinition cache : caches) {
      if (cache.id() == id) {
        return cache;
      }
    }
    return null;
  }

  /**
   * The number of a group's first segment; the others follow. It is the same in all topologies.
   *
   * @param group its place in the list of groups
   */
  public int firstSegment(int group) {
    int first = 0;
    for (int i = 0; i < group; i++) {
      first += groups.get(i).segmentCount();
    }
    return first;
  }

  /** The segments of a group, in order. */
  public List<SegmentOwners> segmentsOf(int group) {
    int first = firstSegment(group);
    return segments.subList(first, first + groups.get(group).segmentCount());
  }

  /**
   * How many segments of a group are offline since an epoch or longer: nobody serves them, as no
   * member has their entries.
   *
   * @param group its place in the list of groups; of one that there is not, none are
   */
  public int offlineSince(int group, int inEpoch) {
    boolean exists = group >= 0 && group < groups.size();
    return exists
        ? (int) segmentsOf(group).stream().filter(each -> each.isOfflineSince(inEpoch)).count()
        : 0;
  }

  /** How many segments of a group have fewer copies in sync than they should. */
  public int underreplicated(int group) {
    CacheGroup kind = groups.get(group);
    long canOwn = members.stream().filter(member -> member.capacity() > 0).count();
    long wanted = Math.min(kind.owners(), canOwn);
    return (int) segmentsOf(group).stream().filter(each -> each.isr().size() < wanted).count();
  }

  /** Whether a group has caches; it stays without, when its last cache was removed. */
  public boolean hasCaches(int group) {
    return caches.stream().anyMatch(cache -> cache.group() == group);
  }

  /**
   * Whether a cache of a kind needs members that can own its segments at once: it is the first one
   * of its group, or some segments of the group are offline, and no cache has entries there.
   */
  boolean needsOwners(CacheGroup kind) {
    int group = groups.indexOf(kind);
    return group < 0 || (!hasCaches(group) && offline(group) > 0);
  }

  /** How many segments of a group are offline now. */
  public int offline(int group) {
    return offlineSince(group, epoch);
  }

  /** The group that a segment of the cluster belongs to. */
  public CacheGroup groupOf(int segment) {
    int rest = Objects.checkIndex(segment, segments.size());
    int group = 0;
    while (rest >= groups.get(group).segmentCount()) {
      rest -= groups.get(group).segmentCount();
      group++;
    }
    return groups.get(group);
  }

  /**
   * Why the cluster can't have one more cache, or null if it can. A cache of the name that exists
   * is no reason.
   */
  public @Nullable String refusal(CacheRequest request) {
    if (caches.size() >= CACHES_MAX) {
      return "too many caches: name=%s, caches=%d, max=%d; remove one"
          .formatted(request.name(), caches.size(), CACHES_MAX);
    }
    if (lastCacheId == Integer.MAX_VALUE) {
      return "no number left for a cache: name=%s; found a new cluster".formatted(request.name());
    }
    boolean needsSegments = !groups.contains(request.group());
    if (needsSegments && segments.size() + request.group().segmentCount() > SEGMENTS_MAX) {
      return ("too many segments: name=%s, segments=%d, of other caches=%d, max=%d; use as many"
              + " segments and owners as other caches")
          .formatted(request.name(), request.group().segmentCount(), segments.size(), SEGMENTS_MAX);
    }
    if (needsOwners(request.group()) && !Placement.isPossible(members)) {
      return "no member can own segments: name=%s, members=%d; give one a capacity above 0"
          .formatted(request.name(), members.size());
    }
    return null;
  }

  /**
   * The heir of the only voter: of two members, the one that has no vote. It is asked to accept
   * what is to be decided, so that it can take over. Null in any other cluster.
   */
  public @Nullable NodeId heir() {
    if (members.size() != 2 || voters.size() != 1) {
      return null;
    }
    NodeId first = members.getFirst().id();
    return voters.contains(first) ? members.getLast().id() : first;
  }

  /** Whether a number of voters is a majority. */
  public boolean isMajority(int count) {
    return 2 * count > voters.size();
  }

  /** The same for the next epoch. */
  public Topology unchanged() {
    return new Topology(
        epoch + 1, members, voters, groups, segments, caches, lastCacheId, pauses, origin);
  }

  /** Whether two topologies have the same voters. */
  public boolean hasVotersOf(Topology other) {
    return voters.size() == other.voters.size() && voters.containsAll(other.voters);
  }

  /** Whether this may be a later topology of the same cluster. */
  public boolean canFollow(Topology before) {
    int known = before.groups.size();
    return epoch > before.epoch
        && origin.equals(before.origin)
        && lastCacheId >= before.lastCacheId
        && pauses.changes() >= before.pauses.changes()
        && groups.size() >= known
        && groups.subList(0, known).equals(before.groups);
  }

  /**
   * The members here that are none in the next topology.
   *
   * @param withBackups false to leave out those with a copy, to simulate what happens then
   */
  public Set<NodeId> removedBy(Topology next, boolean withBackups) {
    Set<NodeId> removed = new HashSet<>();
    for (Member member : members) {
      NodeId node = member.id();
      if (next.member(node) == null && (withBackups || !keepsCopy(node))) {
        removed.add(node);
      }
    }
    return removed;
  }

  /** Whether a node is an in-sync replica of any segment. O(segments). */
  public boolean keepsCopy(NodeId node) {
    return segments.stream().anyMatch(segment -> segment.isr().contains(node));
  }

  /**
   * The nodes that may answer reads of a segment here, and may not in the next topology.
   *
   * @param next what follows
   * @param released segments that all such nodes have given up by themselves
   * @param withBackups false to simulate what happens if only those count that are primary no more
   */
  public Set<NodeId> demotedBy(Topology next, Set<Integer> released, boolean withBackups) {
    Set<NodeId> demoted = new HashSet<>();
    for (int i = 0; i < segments.size(); i++) {
      SegmentOwners owners = segments.get(i);
      SegmentOwners then = next.segments.get(i);
      if (owners.segEpoch() != then.segEpoch() && !released.contains(i)) {
        for (NodeId node : owners.losers(then)) {
          if (withBackups || node.equals(owners.primary())) {
            demoted.add(node);
          }
        }
      }
    }
    return demoted;
  }
}
