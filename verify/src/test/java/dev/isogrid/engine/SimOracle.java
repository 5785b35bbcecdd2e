package dev.isogrid.engine;

import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes all nodes and detects violations. The numbers are those of the properties in
 * docs/cluster-protocol.md.
 */
final class SimOracle {
  /** A property is violated. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
      super(message);
    }
  }

  private final boolean isAsync;
  private final List<NavigableMap<Long, LogEntry>> committed = new ArrayList<>();
  private final List<Map<Long, OperationId>> shown = new ArrayList<>();

  /** By segment, the last places of the operations. */
  private final List<Map<OperationId, Long>> carriedOut = new ArrayList<>();

  private final Map<Integer, Topology> topologies = new HashMap<>();
  private final Map<NodeId, Integer> lastEpoch = new HashMap<>();
  private int newestEpoch;
  private int restarts;

  /**
   * Observes the beginning.
   *
   * @param isAsync whether the order may have gaps
   */
  SimOracle(boolean isAsync) {
    this.isAsync = isAsync;
  }

  private NavigableMap<Long, LogEntry> committed(int segment) {
    while (committed.size() <= segment) {
      committed.add(new TreeMap<>());
      carriedOut.add(new HashMap<>());
    }
    return committed.get(segment);
  }

  /** The number of writes that were committed. */
  long commits() {
    return committed.stream().mapToLong(Map::size).sum();
  }

  /** The newest topology. */
  int newestEpoch() {
    return newestEpoch;
  }

  /** The newest topology on any node. */
  @Nullable Topology newest() {
    return topologies.get(newestEpoch);
  }

  /** The topology of an epoch, or null if no node has announced it. */
  @Nullable Topology topology(int epoch) {
    return topologies.get(epoch);
  }

  /** Checks an entry that reads may see on some node, committed or not. */
  void onShown(int segment, LogEntry entry) {
    while (shown.size() <= segment) {
      shown.add(new HashMap<>());
    }
    OperationId known = shown.get(segment).putIfAbsent(entry.seq(), entry.id());
    check(
        known == null || known.equals(entry.id()),
        "P4: a place of two writes: segment=%d, one=%s, other=%s",
        segment,
        String.valueOf(known),
        entry);
  }

  /** Checks the answer to a client: either all twins have one value, or none has any. */
  void onAnswer(SimCommand command, Outcome outcome) {
    boolean isOfAll =
        command.kind() == SimCommand.Kind.GET_TWINS && outcome.kind() == Outcome.Kind.DONE;
    if (isOfAll && outcome.result() instanceof Map<?, ?> found && !found.isEmpty()) {
      boolean isWhole =
          command.expected() instanceof List<?> twins
              && found.size() == twins.size()
              && new HashSet<>(found.values()).size() == 1;
      check(isWhole, "P19: half of a write was read: command=%s, found=%s", command, found);
    }
  }

  /** Checks an entry that a replica considers committed. */
  void onCommit(NodeId node, int segment, LogEntry entry) {
    NavigableMap<Long, LogEntry> order = committed(segment);
    long last = lastOfLife(order, entry.seq());
    if (entry.seq() <= last) {
      LogEntry known = order.get(entry.seq());
      check(
          known != null && known.id().equals(entry.id()) && known.key().equals(entry.key()),
          "P6: committed orders differ: node=%s, segment=%d, one=%s, other=%s",
          node,
          segment,
          String.valueOf(known),
          entry);
      return;
    }
    check(
        entry.seq() == last + 1 || isAsync,
        "P2: gap in the committed order: node=%s, segment=%d, committed=%d, entry=%s",
        node,
        segment,
        last,
        entry);
    order.put(entry.seq(), entry);
    Long before = carriedOut.get(segment).put(entry.id(), entry.seq());
    boolean isForgotten =
        before != null && lifeOf(before) < lifeOf(entry.seq()) && isRemoved(entry.key());
    check(
        before == null || isForgotten,
        "P3: carried out twice: node=%s, segment=%d, entry=%s",
        node,
        segment,
        entry);
  }

  /** How often a segment had begun anew when a place was given. */
  private static int lifeOf(long seq) {
    int restarts = 0;
    while (SegmentReplica.firstPlace(restarts + 1) < seq) {
      restarts++;
    }
    return restarts;
  }

  /** The last place of a life of a segment, which may continue at former replicas. */
  private static long lastOfLife(NavigableMap<Long, LogEntry> order, long seq) {
    int life = lifeOf(seq);
    Long last = order.floorKey(SegmentReplica.firstPlace(life + 1));
    return Math.max(last == null ? 0 : last, SegmentReplica.firstPlace(life));
  }

  /** Whether a key, or a scope of keys, belongs to a cache that was removed. */
  boolean isRemoved(Object key) {
    SimKey.Scope scope = key instanceof SimKey of ? of.scope() : (SimKey.Scope) key;
    Topology known = newest();
    return known != null
        && scope.cacheId() <= known.lastCacheId()
        && known.cache(scope.cacheId()) == null;
  }

  /**
   * Checks a node after a step.
   *
   * @return whether the node learned of a new topology before all others
   */
  boolean after(SimNode node, Collection<SimNode> all, long nowNanos) {
    Topology topology = node.core.topology();
    if (topology == null) {
      return false;
    }
    boolean isNews = topology.epoch() > newestEpoch;
    int before = lastEpoch.getOrDefault(node.id, 0);
    if (topology.epoch() != before) {
      check(topology.epoch() > before, "epoch goes back: node=%s, epoch=%d", node, before);
      lastEpoch.put(node.id, topology.epoch());
      onTopology(topology);
    }
    (isNews ? all : List.of(node)).forEach(each -> checkRemoved(each, nowNanos));
    for (int segment = 0; segment < node.core.replicaCount(); segment++) {
      if (node.core.isServing(segment, node.clock(nowNanos))) {
        checkSingle(node, segment, all, nowNanos);
      }
    }
    return isNews;
  }

  /** Checks that no node waits for a former member, whatever it owned. */
  private void checkRemoved(SimNode node, long nowNanos) {
    Topology newest = newest();
    check(
        node.isDead
            || newest == null
            || newest.member(node.id) != null
            || !node.core.isLeased(node.clock(nowNanos)),
        "P11: a node has a lease that was removed: node=%s, newest=%s",
        node,
        newest == null ? "none" : newest);
  }

  private static void checkSingle(
      SimNode node, int segment, Collection<SimNode> all, long nowNanos) {
    for (SimNode other : all) {
      boolean isOther = other != node && !other.isDead;
      check(
          !isOther || !other.core.isServing(segment, other.clock(nowNanos)),
          "P5: two nodes serve: segment=%d, one=%s, other=%s",
          segment,
          node,
          other);
    }
  }

  private void onTopology(Topology topology) {
    newestEpoch = Math.max(newestEpoch, topology.epoch());
    Topology known = topologies.putIfAbsent(topology.epoch(), topology);
    check(
        known == null || known.equals(topology),
        "P8: two topologies of an epoch: one=%s, other=%s",
        known,
        topology);
    Topology before = topologies.get(topology.epoch() - 1);
    if (known != null || before == null) {
      return;
    }
    check(topology.canFollow(before), "no later topology: was=%s, is=%s", before, topology);
    for (CacheDefinition cache : topology.caches()) {
      check(
          cache.equals(before.cache(cache.id())) || cache.id() > before.lastCacheId(),
          "a cache became another one: was=%s, is=%s",
          before,
          topology);
    }
    for (int i = 0; i < before.segments().size(); i++) {
      SegmentOwners was = before.segments().get(i);
      SegmentOwners is = topology.segments().get(i);
      NodeId primary = is.primary();
      if (is.restarts() != was.restarts()) {
        checkRestart(i, before, topology);
        continue;
      }
      check(
          primary == null || was.isr().contains(primary) || was.learners().contains(primary),
          "P9: promoted from nowhere: segment=%d, was=%s, is=%s",
          i,
          was,
          is);
      check(
          !was.isOffline() || is.isOffline() || was.isr().containsAll(is.isr()),
          "P13: came back without a replica: segment=%d, was=%s, is=%s",
          i,
          was,
          is);
    }
    checkNewCaches(before, topology);
    Set<NodeId> ids = new HashSet<>();
    for (Member member : topology.members()) {
      check(ids.add(member.id()), "member twice: %s", topology);
    }
    check(ids.containsAll(topology.voters()), "voter is no member: %s", topology);
  }

  /** Checks that a segment begins anew only if it is lost and no cache has entries there. */
  private void checkRestart(int segment, Topology before, Topology topology) {
    SegmentOwners was = before.segments().get(segment);
    SegmentOwners is = topology.segments().get(segment);
    NodeId primary = is.primary();
    CacheGroup group = topology.groupOf(segment);
    boolean isMissed =
        before.caches().stream()
            .anyMatch(cache ->
                before.groups().get(cache.group()).equals(group)
                    && topology.cache(cache.id()) != null);
    boolean isAtMember =
        primary != null
            && topology.member(primary) != null
            && is.isr().equals(List.of(primary))
            && is.learners().isEmpty();
    boolean isLost = was.isr().stream().noneMatch(node -> topology.member(node) != null);
    check(
        isAtMember
            && !isMissed
            && (isLost || was.isOffline())
            && is.restarts() == was.restarts() + 1
            && is.segEpoch() == topology.epoch(),
        "P20: entries were given up: segment=%d, was=%s, is=%s, caches=%s",
        segment,
        was,
        is,
        before.caches());
    restarts++;
  }

  /** Checks that the first cache of a group has all segments. */
  private static void checkNewCaches(Topology before, Topology topology) {
    for (int group = 0; group < topology.groups().size(); group++) {
      int of = group;
      boolean isNew =
          topology.hasCaches(group)
              && topology.caches().stream()
                  .allMatch(cache -> cache.group() != of || before.cache(cache.id()) == null);
      check(
          !isNew || topology.offline(group) == 0,
          "P20: a new cache can't be written: group=%s, is=%s",
          topology.groups().get(group),
          topology);
    }
  }

  /** How often a lost segment began anew. */
  int restarts() {
    return restarts;
  }

  /** Checks that a node keeps no more than its limits. */
  void checkLimits(SimNode node) {
    for (int i = 0; i < node.core.replicaCount(); i++) {
      SegmentReplica replica = node.core.replica(i);
      ReplicaLimits limits = replica.limits();
      check(
          replica.log().keptCount() <= limits.pending() + limits.history(),
          "P18: log too long: node=%s, segment=%d, entries=%d",
          node,
          i,
          replica.log().keptCount());
      long recordBytes =
          limits.records().segmentBytes()
              + (long) limits.pending()
                  * (DedupTable.FIXED_BYTES
                      + DedupTable.CLIENT_BYTES
                      + limits.records().answerBytes());
      check(
          replica.log().dedup().bytes() <= recordBytes,
          "P18: too much is remembered of operations: node=%s, segment=%d, bytes=%d",
          node,
          i,
          replica.log().dedup().bytes());
      check(
          replica.waitingCount() <= limits.parked() + limits.pending() + limits.unrecorded(),
          "P18: too many wait: node=%s, segment=%d, count=%d",
          node,
          i,
          replica.waitingCount());
    }
  }

  /** Checks that a primary did not begin a segment without the copy that it is to have. */
  void checkCopies(SimNode node) {
    for (int i = 0; i < node.core.replicaCount(); i++) {
      SegmentReplica replica = node.core.replica(i);
      check(
          replica.role() != SegmentReplica.Role.PRIMARY || replica.hasCopy(),
          "P9: a primary without a copy: node=%s, segment=%d, owners=%s",
          node,
          i,
          replica.owners());
    }
  }

  /** Checks that all replicas of a segment are equal after the calm. */
  void checkEqual(@Nullable Topology topology, Collection<SimNode> all) {
    if (topology == null) {
      return;
    }
    for (int i = 0; i < topology.segments().size(); i++) {
      SegmentOwners owners = topology.segments().get(i);
      Map<NodeId, String> content = new HashMap<>();
      long living = all.stream().filter(each -> owners.isr().contains(each.id)).count();
      // An asynchronous primary has writes ahead, which wait for the replicas that are dead.
      boolean isServed = !owners.isOffline() && (!isAsync || living == owners.isr().size());
      for (SimNode node : all) {
        if (isServed && !node.isDead && owners.isr().contains(node.id)) {
          content.put(node.id, node.core.replica(i).log().toString());
        }
      }
      check(
          new HashSet<>(content.values()).size() <= 1,
          "replicas differ: segment=%d, owners=%s, content=%s",
          i,
          owners,
          content);
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
  static void check(boolean holds, String format, Object... values) {
    if (!holds) {
      throw new Violation(format.formatted(values));
    }
  }
}
