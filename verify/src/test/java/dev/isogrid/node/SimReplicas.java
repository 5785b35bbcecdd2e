package dev.isogrid.node;

import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.ReplicaContents;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Compares the copies of a cache when there is no activity. */
final class SimReplicas {
  private final SimCache cache;
  private final List<SimMember> members;

  SimReplicas(SimCache cache, List<SimMember> members) {
    this.cache = cache;
    this.members = members;
  }

  void check() {
    Topology known = Objects.requireNonNull(members.getFirst().topology());
    CacheDefinition definition = Objects.requireNonNull(known.cache(cache.name));
    List<SegmentOwners> segments = known.segmentsOf(definition.group());
    for (int index = 0; index < segments.size(); index++) {
      Map<String, Map<String, String>> copies = new TreeMap<>();
      for (SimMember member : members) {
        if (segments.get(index).isr().contains(member.id())) {
          CacheEngine<?, ?> engine = Objects.requireNonNull(member.grid().anyEngine(cache.name));
          copies.put(member.toString(), ReplicaContents.of(engine, index));
        }
      }
      SimGrids.check(
          copies.values().stream().distinct().count() <= 1,
          SimPromise.COPIES_EQUAL,
          "cache=%s, segment=%d, copies=%s",
          cache.name,
          index,
          copies);
    }
  }
}
