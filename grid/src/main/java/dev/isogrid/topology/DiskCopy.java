package dev.isogrid.topology;

import java.util.Map;

/**
 * The places that a returned member's disk has of a segment whose in-sync replica its former
 * process was.
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
