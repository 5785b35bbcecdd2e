package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteCounterManagerFactory;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.counter.api.CounterConfiguration;
import org.infinispan.counter.api.CounterManager;
import org.infinispan.counter.api.CounterType;
import org.infinispan.counter.api.Storage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Persistent counters of the official client when all servers of a cluster are killed. */
@Tag("interop")
@Tag("deep")
class KeptCountersTest {
  private static final int CHANGES = 200;

  @TempDir private Path data;

  private final List<ServerProcess> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(ServerProcess::close);
  }

  private void startBoth() {
    servers.clear();
    List<Integer> ports = FreePorts.several(2);
    String first = Integer.toString(ports.get(0));
    start("a", "--cluster-port", first);
    start("b", "--cluster-port", Integer.toString(ports.get(1)), "--join", "127.0.0.1:" + first);
  }

  private void start(String name, String... options) {
    List<String> all = new ArrayList<>(List.of("--cluster", "counting", "--node-name", name));
    all.addAll(List.of("--data", data.resolve(name).toString()));
    all.addAll(List.of(options));
    servers.add(ServerProcess.start(all.toArray(String[]::new)));
  }

  private RemoteCacheManager connect() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(servers.get(0).port());
    return new RemoteCacheManager(builder.build());
  }

  @Test
  void counters_outliveServersThatAreKilled() {
    startBoth();
    CounterConfiguration strong =
        CounterConfiguration.builder(CounterType.BOUNDED_STRONG)
            .storage(Storage.PERSISTENT)
            .initialValue(3)
            .lowerBound(0)
            .build();
    CounterConfiguration weak =
        CounterConfiguration.builder(CounterType.WEAK).storage(Storage.PERSISTENT).build();
    try (RemoteCacheManager manager = connect()) {
      CounterManager counters = RemoteCounterManagerFactory.asCounterManager(manager);
      assertTrue(counters.defineCounter("s", strong));
      assertTrue(counters.defineCounter("w", weak));
      assertEquals(strong, counters.getConfiguration("s"));
      assertTrue(
          counters.defineCounter("v", CounterConfiguration.builder(CounterType.WEAK).build()));
      for (int i = 0; i < CHANGES; i++) {
        counters.getWeakCounter("w").sync().increment();
        assertEquals(4 + i, counters.getStrongCounter("s").sync().incrementAndGet());
      }
      servers.forEach(ServerProcess::kill);
    }
    startBoth();
    try (RemoteCacheManager manager = connect()) {
      CounterManager counters = RemoteCounterManagerFactory.asCounterManager(manager);
      assertEquals(strong, counters.getConfiguration("s"));
      assertEquals(weak, counters.getConfiguration("w"));
      assertFalse(counters.isDefined("v"));
      assertEquals(3 + CHANGES, counters.getStrongCounter("s").sync().getValue());
      assertEquals(CHANGES, counters.getWeakCounter("w").sync().getValue());
    }
  }
}
