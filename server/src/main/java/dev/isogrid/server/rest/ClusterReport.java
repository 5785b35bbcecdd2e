package dev.isogrid.server.rest;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import dev.isogrid.wire.Segments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the cluster, as this node knows it; a server without a cluster counts as a cluster
 * of one. An immutable snapshot.
 */
final class ClusterReport {
  /** The health of a cache or the cluster, the best first. */
  enum Health {
    /** All copies exist. */
    HEALTHY,
    /** All entries exist, and copies are being made. */
    HEALTHY_REBALANCING,
    /** Some entries can't be reached, from this node at least. */
    DEGRADED
  }

  private final String ownName;

  /** The address of this node for clients, if it is in no cluster; may be empty. */
  private final String ownEndpoint;

  private final @Nullable Topology topology;

  private final @Nullable String obstacle;

  private ClusterReport(
      String ownName, String ownEndpoint, @Nullable Topology topology, @Nullable String obstacle) {
    this.ownName = ownName;
    this.ownEndpoint = ownEndpoint;
    this.topology = topology;
    this.obstacle = obstacle;
  }

  /** The present state. */
  static ClusterReport of(ServerContext context) {
    return new ClusterReport(
        context.node().nodeName(),
        context.ownEndpoint().text(),
        context.topology().get(),
        context.node().obstacle());
  }

  /** The members' names, the oldest first. */
  List<String> memberNames() {
    return topology == null
        ? List.of(ownName)
        : topology.members().stream().map(member -> member.profile().name()).toList();
  }

  /** The name of the oldest member. */
  String oldestName() {
    return memberNames().get(0);
  }

  /** Whether this node is the oldest member. */
  boolean isOldest() {
    return oldestName().equals(ownName);
  }

  /** The addresses of a member for clients; none if it announced none. */
  List<String> addresses(String memberName) {
    if (topology == null) {
      boolean isKnown = memberName.equals(ownName) && !ownEndpoint.isEmpty();
      return isKnown ? List.of(ownEndpoint) : List.of();
    }
    return topology.members().stream()
        .filter(member -> member.profile().name().equals(memberName))
        .map(ClusterReport::endpoint)
        .filter(endpoint -> !endpoint.isEmpty())
        .toList();
  }

  /** The versions of the protocol between nodes that a member speaks. */
  ProtocolVersions speaks(String memberName) {
    return topology == null
        ? ProtocolVersions.OF_BUILD
        : topology.members().stream()
            .filter(member -> member.profile().name().equals(memberName))
            .map(member -> member.profile().speaks())
            .findFirst()
            .orElse(ProtocolVersions.OF_BUILD);
  }

  /** The version of that protocol that all members speak. */
  int protocol() {
    return topology == null ? ProtocolVersions.OF_BUILD.newest() : topology.protocol();
  }

  /** The addresses of this node for clients. */
  List<String> ownAddresses() {
    return addresses(ownName);
  }

  /** The addresses of all members that announced theirs. */
  List<String> allAddresses() {
    return topology == null
        ? ownAddresses()
        : topology.members().stream()
            .map(ClusterReport::endpoint)
            .filter(endpoint -> !endpoint.isEmpty())
            .toList();
  }

  private static String endpoint(Member member) {
    return member.profile().endpoint();
  }

  /** The health of the whole: that of its worst cache, as far as this node can serve the caches. */
  Health health() {
    Health worst = obstacle == null ? Health.HEALTHY : Health.DEGRADED;
    if (topology != null) {
      for (int group = 0; group < topology.groups().size(); group++) {
        worst = topology.hasCaches(group) ? worse(worst, health(topology, group)) : worst;
      }
    }
    return worst;
  }

  /** The health of a cache. */
  Health health(String cacheName) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    if (topology == null || cache == null) {
      return Health.HEALTHY;
    }
    return obstacle == null ? health(topology, cache.group()) : Health.DEGRADED;
  }

  private static Health health(Topology topology, int group) {
    if (topology.offline(group) > 0) {
      return Health.DEGRADED;
    }
    boolean isComplete =
        topology.underreplicated(group) == 0
            && topology.segmentsOf(group).stream().allMatch(each -> each.learners().isEmpty());
    return isComplete ? Health.HEALTHY : Health.HEALTHY_REBALANCING;
  }

  /** The segments of a cache that no node serves, since all nodes with their entries are gone. */
  int lostSegments(String cacheName) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    return topology == null || cache == null ? 0 : topology.offline(cache.group());
  }

  /** The nodes with the segments of a cache. */
  Json segments(CacheEngine<?, ?> engine) {
    CacheDefinition cache = topology == null ? null : topology.cache(engine.name());
    return topology == null || cache == null || !engine.isClustered()
        ? SegmentReport.local(engine.name(), engine.segmentCount(), ownName)
        : SegmentReport.clustered(engine.name(), topology, cache.group());
  }

  /** Whether a cache belongs to the cluster. */
  boolean hasCache(String cacheName) {
    return topology != null && topology.cache(cacheName) != null;
  }

  /** Whether copies of a cluster's cache are made. */
  boolean isRebalanced(String cacheName) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    return topology != null && cache != null && !topology.pauses().holds(cache.group());
  }

  /** The missing copies of a cache's segments, including those being made. */
  int copiesMissing(String cacheName) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    if (topology == null || cache == null) {
      return 0;
    }
    int[] missing = Planner.missingCopies(topology, Set.of());
    int first = topology.firstSegment(cache.group());
    int end = first + topology.groups().get(cache.group()).segmentCount();
    return Arrays.stream(missing, first, end).sum();
  }

  /** The copies of a cache's segments that are being made. */
  int copiesUnderWay(String cacheName) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    if (topology == null || cache == null) {
      return 0;
    }
    int first = topology.firstSegment(cache.group());
    int end = first + topology.groups().get(cache.group()).segmentCount();
    return topology.segments().subList(first, end).stream()
        .mapToInt(segment -> segment.learners().size())
        .sum();
  }

  /** Whether copies are made, of caches without a pause of their own. */
  boolean isRebalanced() {
    return topology != null && !topology.pauses().all();
  }

  private static Health worse(Health one, Health other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /**
   * The names of a key's owners, the primary first; this node if the cache does not belong to the
   * cluster.
   *
   * @param hash the key's hash
   */
  List<String> ownerNames(String cacheName, int hash) {
    CacheDefinition cache = topology == null ? null : topology.cache(cacheName);
    if (topology == null || cache == null) {
      return List.of(ownName);
    }
    int count = topology.groups().get(cache.group()).segmentCount();
    int index = topology.firstSegment(cache.group()) + new Segments(count).of(hash);
    SegmentOwners owners = topology.segments().get(index);
    List<String> names = new ArrayList<>();
    NodeId primary = owners.primary();
    if (primary != null) {
      names.add(name(topology, primary));
    }
    owners.isr().stream()
        .filter(replica -> !replica.equals(primary))
        .forEach(replica -> names.add(name(topology, replica)));
    return names;
  }

  private static String name(Topology topology, NodeId node) {
    Member member = topology.member(node);
    return member == null ? node.toString() : member.profile().name();
  }
}
