package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.ClusterTls;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.WhenGone;
import dev.isogrid.cluster.Discovery;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.cluster.TestKeys;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterWiringTest {
  private static Discovery wired(ClusterDiscovery discovery) {
    return ClusterWiring.discovery(ClusterConfig.builder().discovery(discovery).build());
  }

  @Test
  void discovery_ofEachKind_isThatOfTheTransport(@TempDir Path folder) {
    assertEquals(
        new Discovery.Multicast("239.1.1.1", 7555),
        wired(new ClusterDiscovery.Multicast("239.1.1.1", 7555)));
    assertEquals(
        new Discovery.Dns("grid.local", "SRV", "127.0.0.1:53"),
        wired(new ClusterDiscovery.Dns("grid.local", "SRV", "127.0.0.1:53")));
    assertEquals(
        new Discovery.SharedFolder(folder), wired(new ClusterDiscovery.SharedFolder(folder)));
    assertEquals(
        new Discovery.Database("jdbc:x", "me", "secret", "Driver"),
        wired(new ClusterDiscovery.Database("jdbc:x", "me", "secret", "Driver")));
    assertEquals(
        new Discovery.Seeds(List.of(new SeedAddress("a", 1), new SeedAddress("b", 7800))),
        ClusterWiring.discovery(ClusterConfig.builder().seeds(List.of("a:1", "b")).build()));
    assertEquals(new Discovery.Nobody(), ClusterWiring.discovery(ClusterConfig.builder().build()));
    ClusterConfig.Builder both =
        ClusterConfig.builder()
            .seeds(List.of("a:1"))
            .discovery(new ClusterDiscovery.SharedFolder(folder));
    assertThrows(InvalidConfigurationException.class, both::build);
  }

  @Test
  void seed_thatIsNoAddress_isRefusedAsConfiguration() {
    for (String seed : List.of("a:", "a:x", ":7800", "a:0", "a:65536", "")) {
      InvalidConfigurationException refusal =
          assertThrows(InvalidConfigurationException.class, () -> ClusterWiring.seed(seed));
      assertTrue(String.valueOf(refusal.getMessage()).contains("seed=" + seed + ";"));
    }
  }

  @Test
  void address_ofSeat_isWhereTheNodeListens() {
    SeedAddress at = new SeedAddress("10.0.0.1", 7801);
    assertEquals(at, SeedAddress.ofSeat(ClusterWiring.seat("a@b", at)));
    assertEquals(at, SeedAddress.ofSeat(ClusterWiring.seat("", at)));
    SeedAddress six = new SeedAddress("fe80:0:0:0:0:0:0:1", 7801);
    assertEquals(six, SeedAddress.ofSeat(ClusterWiring.seat("a", six)));
    assertNull(SeedAddress.ofSeat(""));
    assertNull(SeedAddress.ofSeat("a@b:c"));
  }

  private static long lookMillis(ClusterConfig.Builder config, List<SeedAddress> peers) {
    ClusterConfig built = config.foundAfter(7, TimeUnit.MILLISECONDS).build();
    return ClusterWiring.lookNanos(built, ClusterWiring.discovery(built), peers) / 1_000_000;
  }

  @Test
  void lookNanos_ofNodeThatIsToldOfAllOthers_isZeroUnlessItHasPeers() {
    List<SeedAddress> peers = List.of(new SeedAddress("a", 1));
    assertEquals(0, lookMillis(ClusterConfig.builder(), List.of()));
    assertEquals(7, lookMillis(ClusterConfig.builder(), peers));
    assertEquals(0, lookMillis(ClusterConfig.builder().seeds(List.of("b")), List.of()));
    assertEquals(7, lookMillis(ClusterConfig.builder().seeds(List.of("b")), peers));
    assertEquals(
        7,
        lookMillis(
            ClusterConfig.builder().discovery(new ClusterDiscovery.Multicast("239.1.1.1", 7555)),
            List.of()));
    assertEquals(7, lookMillis(ClusterConfig.builder().stackFile(Path.of("stack.xml")), List.of()));
  }

  @Test
  void withPeers_ofNodeThatIsToldOfAllOthers_looksThereToo() {
    List<SeedAddress> peers = List.of(new SeedAddress("a", 1));
    List<SeedAddress> seeds = List.of(new SeedAddress("b", 2));
    assertEquals(
        new Discovery.Seeds(peers), ClusterWiring.withPeers(new Discovery.Nobody(), peers));
    assertEquals(
        new Discovery.Nobody(), ClusterWiring.withPeers(new Discovery.Nobody(), List.of()));
    assertEquals(
        new Discovery.Seeds(List.of(seeds.getFirst(), peers.getFirst())),
        ClusterWiring.withPeers(new Discovery.Seeds(seeds), peers));
  }

  @Test
  void goneRule_ofEachKind_isThatOfTheProtocol() {
    assertEquals(
        List.of(GonePolicy.values()),
        Arrays.stream(WhenGone.values()).map(ClusterWiring::gone).toList());
  }

  @Test
  void nodes_withASharedFolderAndTls_formOneCluster(@TempDir Path folder) throws Exception {
    TestKeys keys = new TestKeys(folder, "node", "EC");
    Path store = keys.store.file();
    ClusterTls tls = new ClusterTls(store, TestKeys.PASSWORD, store, TestKeys.PASSWORD);
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    Path shared = folder.resolve("shared");
    List<CompletableFuture<Grid>> starting =
        addresses.stream()
            .map(at -> CompletableFuture.supplyAsync(() -> start(at.port(), shared, tls)))
            .toList();
    try (Grid first = starting.getFirst().get(120, TimeUnit.SECONDS);
        Grid second = starting.getLast().get(120, TimeUnit.SECONDS)) {
      Cache<String, String> written = first.cache("c", EmbeddedNodes.distributed());
      Cache<String, String> read = second.cache("c", EmbeddedNodes.distributed());
      written.put("key", "value");
      assertEquals("value", read.get("key"));
      assertEquals(2, first.executor().nodes().size());
    }
  }

  private static Grid start(int port, Path shared, ClusterTls tls) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .portRange(0)
            .discovery(new ClusterDiscovery.SharedFolder(shared))
            .tls(tls)
            .whenGone(WhenGone.ALWAYS)
            .foundAfter(300, TimeUnit.MILLISECONDS)
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + port).cluster(cluster).build());
  }
}
