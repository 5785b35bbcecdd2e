package dev.isogrid.engine;

import java.util.ArrayList;
import java.util.List;

/** Whether this node serves the segments of the cluster. For the thread that drives the node. */
public final class ServedSegments {
  private final List<ServedSegment> segments = new ArrayList<>();

  /** A segment's, which can be asked by any thread. */
  ServedSegment of(int segment) {
    while (segments.size() <= segment) {
      segments.add(new ServedSegment());
    }
    return segments.get(segment);
  }
}
