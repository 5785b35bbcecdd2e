package dev.isogrid.bench.cluster;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.node.Node;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A node of this product. */
final class IsogridMember implements ClusterMember {
  private static final String CACHE = "bench";
  private static final int OWNERS = 2;

  /** The part of its fair share of segments that each member has when nothing is to be moved. */
  private static final double SHARE_MIN = 0.9;

  private final Node node;
  private final Cache<String, byte[]> cache;

  private IsogridMember(Node node) {
    this.node = node;
    this.cache =
        node.cache(CACHE, CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(OWNERS).build());
  }

  static IsogridMember open(String name, int port, List<Integer> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds.stream().map(seed -> "127.0.0.1:" + seed).toList())
            .found(port == seeds.getFirst())
            .build();
    return new IsogridMember(
        (Node) Grid.start(GridConfig.builder().nodeName(name).cluster(cluster).build()));
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public boolean isComplete(int nodes) {
    Topology topology = node.topology();
    if (topology == null || topology.members().size() != nodes) {
      return false;
    }
    List<SegmentOwners> segments = segments(topology);
    int owners = Math.min(OWNERS, nodes);
    boolean isWhole =
        !segments.isEmpty()
            && segments.stream()
                .allMatch(
                    s -> !s.isOffline() && s.isr().size() == owners && s.learners().isEmpty());
    double fair = (double) segments.size() * owners / nodes;
    return isWhole
        && topology.members().stream()
            .map(Member::id)
            .allMatch(member -> count(segments, member) >= fair * SHARE_MIN);
  }

  private static List<SegmentOwners> segments(Topology topology) {
    CacheDefinition definition = topology.cache(CACHE);
    if (definition == null) {
      return List.of();
    }
    int first = topology.firstSegment(definition.group());
    int count = topology.groups().get(definition.group()).segmentCount();
    return topology.segments().subList(first, first + count);
  }

  private static long count(List<SegmentOwners> segments, NodeId member) {
    return segments.stream().filter(segment -> segment.isr().contains(member)).count();
  }

  @Override
  public long localSize() {
    return cache.memoryUse().liveBytes();
  }

  @Override
  public int localSegments() {
    Topology topology = node.topology();
    @Nullable NodeId self =
        topology == null
            ? null
            : topology.members().stream()
                .filter(member -> member.profile().name().equals(node.nodeName()))
                .map(Member::id)
                .findFirst()
                .orElse(null);
    return topology == null || self == null ? 0 : (int) count(segments(topology), self);
  }

  @Override
  public int segments() {
    Topology topology = node.topology();
    return topology == null ? 0 : segments(topology).size();
  }
}
