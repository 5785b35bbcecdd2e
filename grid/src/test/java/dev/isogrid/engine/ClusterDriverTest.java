package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.engine.RealCluster.TestNode;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ClusterDriverTest {
  private static final int KEYS = 40;

  private static TransportConfig inProcess() {
    return new TransportConfig(
        "test-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.SameProcess(), null);
  }

  @Test
  void invoke_inProcessWhileNodesComeAndGo_findsAllThatWasWritten() throws Exception {
    TransportConfig config = inProcess();
    survive(() -> config);
  }

  @Test
  void invoke_overTcpWhileNodesComeAndGo_findsAllThatWasWritten() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(4);
    Discovery seeds = new Discovery.Seeds(addresses.subList(0, 3));
    var next = addresses.iterator();
    survive(() -> new TransportConfig("tcp", "127.0.0.1", next.next().port(), seeds, null));
  }

  private static void survive(Supplier<TransportConfig> config) throws Exception {
    try (RealCluster cluster = new RealCluster()) {
      TestNode first = cluster.start(config.get());
      TestNode second = cluster.start(config.get());
      TestNode third = cluster.start(config.get());
      cluster.awaitFormed();
      write(first, "a");
      write(second, "b");
      write(third, "c");
      for (TestNode node : List.of(first, second, third)) {
        check(node, "a", "b", "c");
      }

      cluster.kill(second);
      write(first, "d");
      check(third, "a", "b", "c", "d");
      cluster.awaitFormed();

      TestNode fourth = cluster.start(config.get());
      cluster.awaitFormed();
      write(fourth, "e");
      for (TestNode node : List.of(first, third, fourth)) {
        check(node, "a", "b", "c", "d", "e");
      }
      assertEquals(0, first.transport.counters().malformed());
    }
  }

  private static void write(TestNode node, String prefix) throws Exception {
    for (int i = 0; i < KEYS; i++) {
      node.put(prefix + i, "value of " + prefix + i);
    }
  }

  private static void check(TestNode node, String... prefixes) throws Exception {
    for (String prefix : prefixes) {
      for (int i = 0; i < KEYS; i++) {
        node.expect(prefix + i, "value of " + prefix + i);
      }
    }
  }

  @Test
  void invoke_overTcpOnTheYoungerOfTwo_whenTheOlderDied_findsAllThatWasWritten() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    Discovery seeds = new Discovery.Seeds(addresses);
    try (RealCluster cluster = new RealCluster()) {
      TestNode older = cluster.start(config(addresses.get(0), seeds), RealCluster.PATIENT);
      TestNode younger = cluster.start(config(addresses.get(1), seeds), RealCluster.PATIENT);
      cluster.awaitFormed();
      write(older, "a");
      write(younger, "b");

      cluster.kill(
          requireNonNull(older.driver.topology()).voters().contains(older.driver.self())
              ? older
              : younger);
      TestNode left = older.isDead ? younger : older;
      write(left, "c");
      check(left, "a", "b", "c");
      cluster.awaitFormed();
      assertNull(left.driver.obstacle());
    }
  }

  private static TransportConfig config(SeedAddress address, Discovery seeds) {
    return new TransportConfig("two", "127.0.0.1", address.port(), seeds, null);
  }

  @Test
  void invoke_afterClose_isRefused() throws Exception {
    try (RealCluster cluster = new RealCluster()) {
      TestNode node = cluster.start(inProcess());
      cluster.awaitFormed();
      node.put("k", "v");
      node.driver.close();
      node.driver.close();
      assertThrows(FatalGridException.class, () -> node.put("k", "w"));
    }
  }
}
