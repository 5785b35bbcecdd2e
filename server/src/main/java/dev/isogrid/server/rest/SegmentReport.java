package dev.isogrid.server.rest;

import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes in JSON the nodes with the segments of a cache. Nodes are listed once; a segment names
 * them by their position in that list, so that the answer stays small with many segments.
 */
final class SegmentReport {
  /** The primary of a segment that no node serves. */
  private static final int NOBODY = -1;

  private final List<NodeId> nodes = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private SegmentReport() {}

  /** The segments of a cache on this node only. */
  static Json local(String cache, int segmentCount, String node) {
    SegmentReport report = new SegmentReport();
    report.names.add(node);
    Json json = report.begin(cache, 1);
    for (int segment = 0; segment < segmentCount; segment++) {
      segment(json, 0, List.of(), List.of());
    }
    return json.endArray().endObject();
  }

  /**
   * The segments of a cache of the cluster.
   *
   * @param group of the cache in the topology
   */
  static Json clustered(String cache, Topology topology, int group) {
    SegmentReport report = new SegmentReport();
    for (Member member : topology.members()) {
      report.nodes.add(member.id());
      report.names.add(member.profile().name());
    }
    List<SegmentOwners> segments = topology.segmentsOf(group);
    // Nodes that have left may still be in the records of segments that wait for them.
    segments.forEach(report::addMissing);
    int wanted = topology.groups().get(group).owners();
    Json json = report.begin(cache, Math.min(wanted, topology.members().size()));
    for (SegmentOwners owners : segments) {
      NodeId primary = owners.primary();
      segment(
          json,
          primary == null ? NOBODY : report.nodes.indexOf(primary),
          report.positions(owners.isr(), primary),
          report.positions(owners.learners(), null));
    }
    return json.endArray().endObject();
  }

  private void addMissing(SegmentOwners owners) {
    for (NodeId node : owners.isr()) {
      if (!nodes.contains(node)) {
        nodes.add(node);
        names.add(node.toString());
      }
    }
  }

  private Json begin(String cache, int owners) {
    Json json = new Json().beginObject().name("cache").value(cache);
    json.name("owners").value(owners);
    json.name("nodes").values(names);
    return json.name("segments").beginArray();
  }

  private List<Integer> positions(List<NodeId> of, @Nullable NodeId without) {
    return of.stream().filter(node -> !node.equals(without)).map(nodes::indexOf).toList();
  }

  private static void segment(
      Json json, int primary, List<Integer> backups, List<Integer> receiving) {
    json.beginObject().name("primary").value(primary);
    numbers(json.name("backups"), backups);
    numbers(json.name("receiving"), receiving);
    json.endObject();
  }

  private static void numbers(Json json, List<Integer> numbers) {
    json.beginArray();
    numbers.forEach(json::value);
    json.endArray();
  }
}
