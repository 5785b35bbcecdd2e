package dev.isogrid.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.GridConfig;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientMetricsTest {
  private static Server server() {
    return Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
  }

  @Test
  void figures_areThoseOfTheClient() {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Server server = server();
        RemoteCacheManager manager =
            new RemoteCacheManager(
                ClientConfig.builder()
                    .addServer("127.0.0.1", server.address().getPort())
                    .operationTimeoutMillis(20_000) // other processes may have the processors
                    .statistics(true)
                    .build())) {
      new ClientMetrics(manager).bindTo(registry);
      assertEquals(0, registry.get("isogrid.client.caches").gauge().value());
      RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
      cache.put("k", "v");
      cache.get("k");
      cache.get("none");
      assertEquals(1, registry.get("isogrid.client.caches").gauge().value());
      FunctionTimer reads =
          registry.get("isogrid.client.reads").tag("cache", "default").functionTimer();
      assertEquals(2, reads.count());
      assertTrue(reads.totalTime(TimeUnit.NANOSECONDS) > 0);
      assertEquals(1, registry.get("isogrid.client.stores").functionTimer().count());
      assertEquals(1, registry.get("isogrid.client.hits").functionCounter().count());
      assertEquals(1, registry.get("isogrid.client.misses").functionCounter().count());
      assertEquals(0, registry.get("isogrid.client.near.hits").functionCounter().count());
      assertEquals(1, registry.get("isogrid.client.servers").gauge().value());
    }
  }
}
