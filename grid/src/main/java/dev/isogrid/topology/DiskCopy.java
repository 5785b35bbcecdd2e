package dev.isogrid.topology;

import java.util.Map;

/**
 * A segment on the disk of a returned member, whose former process was an in-sync replica of the
 * segment.
 *
 * @param node the member
 * @param places by the number of a cache whose entries are on the disk, the place up to which it
 *     has all writes, negative if it lacks some
 */
public record DiskCopy(NodeId node, Map<Integer, Long> places) {
  /** Copies the map. */
  public DiskCopy {
    places = Map.copyOf(places);
  }
}
