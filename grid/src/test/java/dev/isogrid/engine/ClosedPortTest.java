package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node whose port is closed although it goes on: others take it for dead. */
class ClosedPortTest {
  @Test
  void node_whosePortIsClosedUnasked_endsWithoutALease() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    try (RealCluster cluster = new RealCluster()) {
      RealCluster.TestNode closed = cluster.start(config(addresses, 0), RealCluster.PATIENT);
      RealCluster.TestNode other = cluster.start(config(addresses, 1), RealCluster.PATIENT);
      cluster.awaitFormed();
      RealNetwork.closePort(closed.transport);
      Await.until("the end of the node", () -> closed.driver.failure() != null);
      assertFalse(closed.driver.isLeased());
      String cause = String.valueOf(requireNonNull(closed.driver.failure()).getCause());
      assertTrue(cause.contains("cluster port was closed"), cause);
      Await.until(
          "the other node alone",
          () -> {
            var known = other.driver.topology();
            return known != null && known.members().size() == 1 && other.driver.isLeased();
          });
    }
  }

  private static TransportConfig config(List<SeedAddress> addresses, int place) {
    return new TransportConfig(
        "closed", "127.0.0.1", addresses.get(place).port(), new Discovery.Seeds(addresses), null);
  }
}
