package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.DiskCopy;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies on a node's disk of segments that its former processes kept, and that nobody serves. Not
 * thread-safe.
 */
public final class FormerLives {
  /*
   * A cluster that continues may have lost all in-sync replicas of a segment. If their processes
   * ended, and others were started with their disks, these are members under new ids. Each of them
   * offers what its disk has, until the topology does not wait for its former ids any more. It
   * offers what it has of other segments that nobody serves as well: it may have been the
   * predecessor of a replica that the topology waits for (DiskCopies).
   *
   * The state of a disk at the start counts as long as it is unchanged. A node may be given a copy
   * of a segment, or drop it, before nobody serves it any more. It says then that its disk lacks
   * something, so that nobody waits for that disk, and nobody goes on with half of a copy.
   *
   * That a disk belongs to a former id shows that the process of that id ended, since one process
   * at a time has the folder.
   */

  /** Ids of former lives that are remembered. */
  private static final int FORMER_MAX = 64;

  /** Ids of lives that are remembered which no known topology has. */
  private static final int LATEST_MAX = 16;

  /** Segments in one message, and places in it; the others follow in the next ones. */
  private static final int SEGMENTS_MAX = 1024;

  private static final int PLACES_MAX = 1 << 16;

  private final List<NodeId> ids;
  private final @Nullable Recollection remembered;
  private final Predicate<CacheDefinition> isKept;

  /** Segments of which the disk has something else than at the start. */
  private final BitSet changed = new BitSet();

  /** By segment that nobody serves, what this node's disk has of it. */
  private final Map<Integer, Offer.Held> waiting = new LinkedHashMap<>();

  /** The place in {@link #waiting} of what is offered next. */
  private int next;

  /**
   * Those of a node.
   *
   * @param remembered what it remembers and has
   * @param isKept whether the entries of a cache are on disks
   */
  public FormerLives(Recollection remembered, Predicate<CacheDefinition> isKept) {
    this.ids = ids(remembered.memory());
    this.remembered = remembered;
    this.isKept = isKept;
  }

  private FormerLives() {
    this.ids = List.of();
    this.remembered = null;
    this.isKept = _ -> false;
  }

  /** Those of a node that remembers nothing. */
  public static FormerLives none() {
    return new FormerLives();
  }

  /**
   * The id of the remembered topology, those before that this one may still wait for, and the
   * latest ones after it: a topology may have them that the node did not learn of any more.
   */
  private static List<NodeId> ids(Memory memory) {
    Set<NodeId> owners = new HashSet<>();
    memory.topology().segments().forEach(segment -> owners.addAll(segment.isr()));
    List<NodeId> ids = new ArrayList<>(List.of(memory.self()));
    memory.former().stream().filter(owners::contains).limit(FORMER_MAX - 1).forEach(ids::add);
    memory.former().stream().filter(id -> !owners.contains(id)).limit(LATEST_MAX).forEach(ids::add);
    return List.copyOf(ids);
  }

  /** The former ids of the node, the newest first. */
  List<NodeId> ids() {
    return ids;
  }

  /** Returns whether one of some replicas was this node, in a former life. */
  public boolean isAmong(List<NodeId> replicas) {
    return formerAmong(replicas) != null;
  }

  /** Whether this node's disk may have segments of former lives. */
  public boolean isAny() {
    return !ids.isEmpty();
  }

  /** Takes note that the node has changed what its disk had of a segment. */
  public void changed(int segment) {
    if (isAny()) {
      changed.set(segment);
    }
  }

  /** Takes note of the segments that nobody serves. */
  void install(Topology topology) {
    waiting.clear();
    for (int group = 0; group < topology.groups().size() && isAny(); group++) {
      int first = topology.firstSegment(group);
      for (int index = 0; index < topology.groups().get(group).segmentCount(); index++) {
        SegmentOwners owners = topology.segments().get(first + index);
        Map<Integer, Long> places = owners.isOffline() ? places(topology, group, index) : Map.of();
        Offer.Held held = held(first + index, owners, places);
        if (held != null) {
          waiting.put(first + index, held);
        }
      }
    }
  }

  private Offer.@Nullable Held held(int segment, SegmentOwners owners, Map<Integer, Long> places) {
    NodeId former = formerAmong(owners.isr());
    Map<Integer, Long> left = new HashMap<>(places);
    if (changed.get(segment)) {
      left.replaceAll((_, _) -> -1L);
    }
    if (former != null && !places.isEmpty()) {
      Memory memory = Objects.requireNonNull(remembered).memory();
      return new Offer.Held(former, left, memory.predecessorsIn(segment));
    }
    boolean hadSome = places.values().stream().anyMatch(place -> place >= 0);
    return hadSome ? new Offer.Held(ids.getFirst(), left, List.of()) : null;
  }

  /** The predecessors of former lives in the segments that wait for these. */
  Map<Integer, List<NodeId>> predecessors() {
    Map<Integer, List<NodeId>> found = new HashMap<>();
    waiting.forEach((segment, held) -> {
      if (!held.predecessors().isEmpty()) {
        found.put(segment, held.predecessors());
      }
    });
    return found;
  }

  private @Nullable NodeId formerAmong(List<NodeId> replicas) {
    return replicas.stream().filter(ids::contains).findFirst().orElse(null);
  }

  /** By cache that this node remembers, the place of a segment on its disk. */
  private Map<Integer, Long> places(Topology topology, int group, int index) {
    Map<Integer, Long> found = new HashMap<>();
    for (CacheDefinition cache : topology.caches()) {
      CacheDefinition known =
          remembered == null ? null : remembered.memory().topology().cache(cache.id());
      if (cache.group() == group && known != null && isKept.test(known)) {
        found.put(cache.id(), known.equals(cache) ? place(cache.id(), index) : -1L);
      }
    }
    // one whose store had not begun has no entries, and must not cost the others theirs
    Map<Integer, Long> begun = new HashMap<>(found);
    begun.keySet().removeIf(cache -> !isStored(cache));
    return begun.isEmpty() ? found : begun;
  }

  private boolean isStored(int cache) {
    return remembered != null && remembered.places().containsKey(cache);
  }

  private long place(int cache, int index) {
    List<Long> places =
        remembered == null ? List.of() : remembered.places().getOrDefault(cache, List.of());
    return index < places.size() ? places.get(index) : -1;
  }

  /**
   * Returns what is to be offered now, or null if there is nothing.
   *
   * @param own what the node has of segments that wait for its present id
   */
  @Nullable Offer next(int epoch, Map<Integer, Boolean> own) {
    List<Integer> segments = List.copyOf(waiting.keySet());
    Map<Integer, Offer.Held> held = new HashMap<>();
    int numbers = 0;
    while (held.size() < Math.min(segments.size(), SEGMENTS_MAX) && numbers < PLACES_MAX) {
      next = next < segments.size() ? next : 0;
      int segment = segments.get(next++);
      Offer.Held ofSegment = Objects.requireNonNull(waiting.get(segment));
      held.put(segment, ofSegment);
      numbers += ofSegment.places().size();
    }
    return held.isEmpty() && own.isEmpty() ? null : new Offer(epoch, held, own, ids);
  }

  /** The offers of members, as a voter knows them. Not thread-safe. */
  static final class Offers {
    private final Map<Integer, Map<NodeId, DiskCopy>> bySegment = new HashMap<>();

    /**
     * Takes note of an offer.
     *
     * @return whether that is news
     */
    boolean add(Topology topology, NodeId from, Offer offer) {
      boolean isNews = false;
      for (Map.Entry<Integer, Offer.Held> each : offer.held().entrySet()) {
        Offer.Held held = each.getValue();
        DiskCopy copy = new DiskCopy(from, offer.lives(), held.places(), held.predecessors());
        NodeId former = held.former();
        if (isWaitedFor(topology, each.getKey(), former, copy)) {
          Map<NodeId, DiskCopy> ofSegment =
              bySegment.computeIfAbsent(each.getKey(), _ -> new HashMap<>());
          isNews |= !copy.equals(ofSegment.put(former, copy));
        }
      }
      return isNews;
    }

    private static boolean isWaitedFor(
        Topology topology, int segment, NodeId former, DiskCopy copy) {
      return segment < topology.segments().size()
          && topology.member(copy.node()) != null
          && topology.member(former) == null
          && topology.segments().get(segment).isOffline();
    }

    /** Forgets what a topology does not wait for. */
    void install(Topology topology) {
      bySegment.forEach((segment, copies) ->
          copies
              .entrySet()
              .removeIf(each -> !isWaitedFor(topology, segment, each.getKey(), each.getValue())));
      bySegment.values().removeIf(Map::isEmpty);
    }

    /** By segment and former id of a member, what its disk has. */
    Map<Integer, Map<NodeId, DiskCopy>> all() {
      Map<Integer, Map<NodeId, DiskCopy>> all = new HashMap<>();
      bySegment.forEach((segment, copies) -> all.put(segment, Map.copyOf(copies)));
      return all;
    }
  }
}
