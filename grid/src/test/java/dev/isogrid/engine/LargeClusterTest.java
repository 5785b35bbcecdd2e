package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.isogrid.base.Await;
import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.engine.RealCluster.TestNode;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many nodes in this process. Prints how long things take, and the processor time of it. */
@Tag("deep")
@Timeout(240)
class LargeClusterTest {
  private static final int NODES = 50;
  private static final int CACHES = 10;
  private static final int SEGMENTS = 256;
  private static final int OWNERS = 2;

  /** Of a machine that is busy with something else. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int GROUP = 1;

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long nanos = System.nanoTime();
  private long processorNanos = system.getProcessCpuTime();

  private void tell(String what) {
    long now = System.nanoTime();
    long used = system.getProcessCpuTime();
    System.out.printf(
        "%d nodes: %s: %d ms, processor %d ms%n",
        NODES, what, (now - nanos) / 1_000_000, (used - processorNanos) / 1_000_000);
    nanos = now;
    processorNanos = used;
  }

  @Test
  void fiftyNodes_formACluster_shareATopologyOfTenCaches_andMoveLittleWhenOneLeaves()
      throws Exception {
    TransportConfig config =
        new TransportConfig(
            "large-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.SameProcess(), null);
    try (RealCluster cluster = new RealCluster()) {
      List<TestNode> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        nodes.add(cluster.start(config));
      }
      cluster.awaitFormed();
      tell("formed");
      for (int i = 0; i < NODES; i++) {
        nodes.get(i).put("key " + i, "value " + i);
      }
      for (int i = 0; i < NODES; i++) {
        nodes.get(NODES - 1 - i).expect("key " + i, "value " + i);
        assertEquals(0, nodes.get(i).transport.counters().malformed());
      }
      checkCaches(nodes);
    }
  }

  private void checkCaches(List<TestNode> nodes) throws Exception {
    tell("operations");
    for (int i = 0; i < CACHES; i++) {
      nodes.get(i).driver.define(new CacheRequest("large" + i, OWNERS, SEGMENTS, 1, ""));
    }
    Await.until("caches", PATIENCE, () -> nodes.stream().allMatch(LargeClusterTest::hasCaches));
    tell("ten caches");
    Topology before = topology(nodes.getFirst());
    assertEquals(2, before.groups().size(), "one for all caches of a shape");

    TestNode leaving = nodes.getLast();
    NodeId left = leaving.driver.self();
    leaving.driver.leave();
    List<TestNode> rest = nodes.subList(0, NODES - 1);
    Await.until(
        "the copies of who left",
        PATIENCE,
        () -> leaving.driver.hasLeft() && rest.stream().allMatch(node -> isSpread(node, left)));
    tell("one left");
    checkMoved(segments(before), segments(topology(rest.getFirst())), left);
    rest.getFirst().expect("key 1", "value 1");
  }

  private static Topology topology(TestNode node) {
    return requireNonNull(node.driver.topology());
  }

  private static List<SegmentOwners> segments(Topology topology) {
    int first = topology.firstSegment(GROUP);
    return topology.segments().subList(first, first + SEGMENTS);
  }

  private static boolean hasCaches(TestNode node) {
    Topology known = topology(node);
    return known.caches().size() == CACHES + 1 && isComplete(known);
  }

  private static boolean isComplete(Topology known) {
    return known.segments().stream()
        .allMatch(owners -> owners.isr().size() == OWNERS && owners.learners().isEmpty());
  }

  private static boolean isSpread(TestNode node, NodeId left) {
    Topology known = topology(node);
    return known.member(left) == null && isComplete(known);
  }

  private static void checkMoved(
      List<SegmentOwners> before, List<SegmentOwners> after, NodeId left) {
    int least = 0;
    int moved = 0;
    for (int i = 0; i < SEGMENTS; i++) {
      List<NodeId> was = before.get(i).isr();
      least += was.contains(left) ? 1 : 0;
      moved += (int) after.get(i).isr().stream().filter(node -> !was.contains(node)).count();
    }
    System.out.printf("%d nodes: copies moved: %d, at least %d%n", NODES, moved, least);
    assertTrue(least > 0 && moved <= Math.ceil(least * 1.02), moved + " of " + least);
  }
}
