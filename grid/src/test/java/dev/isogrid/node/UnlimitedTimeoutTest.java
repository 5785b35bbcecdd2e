package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.Cache;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that wait for each other as long as it takes. */
@Timeout(120)
class UnlimitedTimeoutTest {
  private static Grid start(String name, SeedAddress at, List<SeedAddress> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds.stream().map(SeedAddress::toString).toList())
            .operationTimeout(Long.MAX_VALUE, TimeUnit.MILLISECONDS)
            .joinTimeout(ChronoUnit.FOREVER.getDuration())
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName(name).cluster(cluster).build());
  }

  @Test
  void operations_ofAClusterWithoutTimeLimits_areDone() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    try (Grid first = start("a", addresses.getFirst(), List.of());
        Grid second = start("b", addresses.getLast(), addresses.subList(0, 1))) {
      Cache<Integer, Integer> cache = second.cache("c", EmbeddedNodes.distributed());
      Map<Integer, Integer> all = new HashMap<>();
      for (int i = 0; i < 100; i++) {
        cache.put(i, i);
        all.put(i, 2 * i);
      }
      cache.putAll(all);
      assertEquals(all, cache.getAll(all.keySet()));
      assertEquals(100, first.cache("c").size());
    }
  }
}
