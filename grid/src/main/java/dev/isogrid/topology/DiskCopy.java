package dev.isogrid.topology;

import java.util.List;
import java.util.Map;

/**
 * A segment on the disk of a returned member, whose former process was a replica of the segment.
 *
 * @param node the member
 * @param lives the former ids of the member
 * @param places by the number of a cache whose entries are on the disk, the place up to which it
 *     has all writes, negative if it lacks some
 * @param predecessors former ids of nodes whose disks may have writes that this one lacks
 */
public record DiskCopy(
    NodeId node, List<NodeId> lives, Map<Integer, Long> places, List<NodeId> predecessors) {
  /** Copies the collections. */
  public DiskCopy {
    lives = List.copyOf(lives);
    places = Map.copyOf(places);
    predecessors = List.copyOf(predecessors);
  }
}
