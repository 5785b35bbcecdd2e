package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.engine.RealCluster.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class LargeClusterTest {
  private static final int NODES = 50;

  @Test
  void start_ofFiftyNodesAtOnce_formsOneCluster() throws Exception {
    TransportConfig config =
        new TransportConfig(
            "large-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.SameProcess(), null);
    try (RealCluster cluster = new RealCluster()) {
      List<TestNode> nodes = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        // on a busy machine the others would not be heard in time, and found clusters of their own
        nodes.add(cluster.start(config, i == 0));
      }
      cluster.awaitFormed();
      for (int i = 0; i < NODES; i++) {
        nodes.get(i).put("key " + i, "value " + i);
      }
      for (int i = 0; i < NODES; i++) {
        nodes.get(NODES - 1 - i).expect("key " + i, "value " + i);
        assertEquals(0, nodes.get(i).transport.counters().malformed());
      }
    }
  }
}
