package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.Map;

/**
 * What in-sync replicas of segments that nobody serves say of their copies, as a voter knows it.
 * Not thread-safe.
 */
final class OwnCopies {
  /*
   * After a recovery that was wrong, a topology may wait for a replica that gave its copy up: the
   * others had done without it meanwhile. So a segment that is offline goes on only with a replica
   * that says that it has its copy.
   *
   * While a segment waits, its replicas keep what they have, and nobody is given a copy. So what
   * one says holds as long as the segment epoch lasts.
   */
  private final Map<Integer, Said> bySegment = new HashMap<>();

  /** What replicas said in a segment epoch. */
  private record Said(int segEpoch, Map<NodeId, Boolean> byNode) {}

  /**
   * Takes note of what a node says.
   *
   * @return whether that is news
   */
  boolean add(Topology topology, NodeId from, Offer offer) {
    if (offer.epoch() != topology.epoch()) {
      return false;
    }
    boolean isNews = false;
    for (Map.Entry<Integer, Boolean> each : offer.own().entrySet()) {
      int segment = each.getKey();
      if (segment < topology.segments().size() && isWaitedFor(topology, segment, from)) {
        int segEpoch = topology.segments().get(segment).segEpoch();
        Said said = bySegment.computeIfAbsent(segment, _ -> new Said(segEpoch, new HashMap<>()));
        isNews |= !each.getValue().equals(said.byNode.put(from, each.getValue()));
      }
    }
    return isNews;
  }

  private static boolean isWaitedFor(Topology topology, int segment, NodeId node) {
    SegmentOwners owners = topology.segments().get(segment);
    return owners.isOffline() && owners.isr().contains(node);
  }

  /** Forgets what was said in segment epochs that are over. */
  void install(Topology topology) {
    bySegment
        .entrySet()
        .removeIf(
            each -> each.getValue().segEpoch != topology.segments().get(each.getKey()).segEpoch());
  }

  /** By segment that waits and by replica that spoke, whether it has its copy. */
  Map<Integer, Map<NodeId, Boolean>> all() {
    Map<Integer, Map<NodeId, Boolean>> all = new HashMap<>();
    bySegment.forEach((segment, said) -> all.put(segment, Map.copyOf(said.byNode)));
    return all;
  }
}
