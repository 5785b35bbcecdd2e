package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.engine.RealCluster.TestNode;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operations in traces between real nodes. */
class CallTracesTest {
  private static final int KEYS = 32;

  private static final CallTrace TRACE =
      new CallTrace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");

  /** Those of a node. */
  private static final class Recorded implements CallTraces {
    private final LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private volatile @Nullable CallTrace current;

    @Override
    public @Nullable CallTrace current() {
      return current;
    }

    @Override
    public void report(Part part) {
      parts.add(part);
    }
  }

  private final TransportConfig config =
      new TransportConfig(
          "traces-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.SameProcess(), null);
  private final List<TestNode> nodes = new ArrayList<>();
  private final List<Recorded> recorded = new ArrayList<>();

  private void start(RealCluster cluster, ProtocolVersions speaks) {
    TestNode node = cluster.start(config, RealCluster.PATIENT, speaks);
    Recorded traces = new Recorded();
    node.driver.trace(traces);
    nodes.add(node);
    recorded.add(traces);
  }

  private NodeId primary(String key) {
    return requireNonNull(
        requireNonNull(nodes.getFirst().driver.topology())
            .segments()
            .get(RealCluster.segment(key))
            .primary());
  }

  private int placeOf(NodeId id) {
    return nodes.stream().map(node -> node.driver.self()).toList().indexOf(id);
  }

  /**
   * Puts all keys in traces of their own.
   *
   * @param places gets the place of the primary by the trace of each put
   * @return whether all primaries stayed the same meanwhile
   */
  private boolean putAll(Map<CallTrace, Integer> places) throws Exception {
    places.clear();
    int epoch = requireNonNull(nodes.getFirst().driver.topology()).epoch();
    for (int i = 0; i < KEYS; i++) {
      CallTrace trace = new CallTrace(TRACE.parent(), "key=%d-%d".formatted(i, epoch));
      recorded.getFirst().current = trace;
      nodes.getFirst().put("k" + i, "v");
      places.put(trace, placeOf(primary("k" + i)));
    }
    return requireNonNull(nodes.getFirst().driver.topology()).epoch() == epoch;
  }

  /** The traces of parts that were executed. */
  private Set<CallTrace> answered() {
    return recorded.stream()
        .flatMap(each -> each.parts.stream())
        .filter(part -> part.error() == null)
        .map(CallTraces.Part::trace)
        .collect(Collectors.toSet());
  }

  private int partsLeft() {
    return recorded.stream().mapToInt(each -> each.parts.size()).sum();
  }

  @Test
  void operation_inATrace_isReportedByAnotherPrimaryOnly() throws Exception {
    try (RealCluster cluster = new RealCluster()) {
      for (int i = 0; i < 3; i++) {
        start(cluster, ProtocolVersions.OF_BUILD);
      }
      cluster.awaitFormed();
      Map<CallTrace, Integer> places = new HashMap<>();
      Await.until("segments that stay where they are meanwhile", () -> putAll(places));
      Set<CallTrace> expected = new HashSet<>();
      places.forEach((trace, place) -> {
        if (place != 0) {
          expected.add(trace);
        }
      });
      assertFalse(expected.isEmpty(), "all keys at one node");
      Await.until("a part of each trace", () -> answered().containsAll(expected));
      for (int place = 0; place < nodes.size(); place++) {
        for (CallTraces.Part part : recorded.get(place).parts) { // one may be sent again
          assertEquals(places.getOrDefault(part.trace(), place), place);
          assertNotEquals(0, place);
          assertEquals(nodes.get(place).driver.names().ofSelf(), part.node());
          assertTrue(part.tookNanos() > 0, part::toString);
        }
      }
      recorded.getFirst().current = null;
      recorded.get(1).current = TRACE;
      int before = partsLeft();
      for (int i = 0; i < KEYS; i++) {
        nodes.getFirst().expect("k" + i, "v");
      }
      assertEquals(before, partsLeft());
    }
  }

  @Test
  void operation_inATrace_whileAMemberSpeaksVersion12_isSentWithoutIt() throws Exception {
    try (RealCluster cluster = new RealCluster()) {
      start(cluster, ProtocolVersions.only(12));
      cluster.awaitFormed(); // a cluster of later nodes alone would not let it in
      start(cluster, ProtocolVersions.OF_BUILD);
      start(cluster, ProtocolVersions.OF_BUILD);
      cluster.awaitFormed();
      recorded.forEach(each -> each.current = TRACE);
      for (TestNode node : nodes) {
        for (int i = 0; i < KEYS; i++) {
          node.put("k" + i, "v");
        }
      }
      assertEquals(0, partsLeft());
      cluster.kill(nodes.getFirst());
      cluster.awaitFormed();
      Await.until(
          "parts of traces in version 13",
          () -> {
            for (int i = 0; i < KEYS; i++) {
              nodes.getLast().put("k" + i, "v");
            }
            return partsLeft() > 0;
          });
      assertEquals(0, recorded.getFirst().parts.size());
    }
  }
}
