package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way of the operations of a cache that goes on when its node is apart. Thread-safe. */
final class AvailableCalls extends ClusterCalls {
  private final ClusterDriver driver;
  private final int firstSegment;
  private final Sides sides;

  /** As for other caches; operations end when the node is apart. */
  AvailableCalls(ClusterDriver driver, int firstSegment, long timeoutMillis, Sides sides) {
    super(driver, firstSegment, timeoutMillis);
    this.driver = driver;
    this.firstSegment = firstSegment;
    this.sides = sides;
  }

  @Override
  Outcome invoke(Command command, @Nullable ClientOperation client, int segment)
      throws InterruptedException {
    return sides.invoke(command, client, segment);
  }

  /** The nodes that have a complete copy of a segment, as far as this node knows. */
  List<NodeId> copies(int index) {
    Topology topology = driver.topology();
    int segment = firstSegment + index;
    return topology == null || segment >= topology.segments().size()
        ? List.of()
        : topology.segments().get(segment).isr();
  }

  /** The part of the node that knows about sides. */
  Sides sides() {
    return sides;
  }
}
