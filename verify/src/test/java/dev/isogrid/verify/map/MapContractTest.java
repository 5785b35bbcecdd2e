package dev.isogrid.verify.map;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.Flag;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Caches as maps: embedded, alone and in a cluster of two nodes, and remote. */
class MapContractTest {
  private static final Set<String> EMBEDDED_BYTES =
      Stream.of(MapContract.OF_UNKNOWN_TYPES, MapContract.OF_ENTRY_SETS_WITHOUT_ADD)
          .flatMap(Set::stream)
          .collect(Collectors.toSet());

  /** The resources of a test, closed in reverse order. */
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> local() {
    Grid grid = Grid.start();
    opened.add(grid);
    return Stream.of(StorageType.values())
        .flatMap(storage -> {
          CacheConfig config = CacheConfig.builder().storage(storage).segments(4).build();
          String name = "local " + storage;
          Set<String> leftOut =
              storage == StorageType.HEAP_OBJECT
                  ? MapContract.OF_ENTRY_SETS_WITHOUT_ADD
                  : EMBEDDED_BYTES;
          return MapContract.of(name, grid.cache(name, config), leftOut).stream();
        });
  }

  @TestFactory
  @Tag("deep")
  Stream<DynamicTest> clustered() throws IOException {
    List<Integer> ports = FreePorts.several(2);
    List<String> seeds = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    CompletableFuture<Grid> first = CompletableFuture.supplyAsync(() -> node(ports.get(0), seeds));
    Grid second = node(ports.get(1), seeds);
    opened.add(second);
    opened.add(first.join());
    return Stream.of(CacheMode.DIST_SYNC, CacheMode.REPL_SYNC)
        .flatMap(mode -> {
          CacheConfig config = CacheConfig.builder().mode(mode).segments(4).build();
          String name = "clustered " + mode;
          return MapContract.of(name, second.cache(name, config), EMBEDDED_BYTES).stream();
        });
  }

  private static Grid node(int port, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds)
            .joinTimeout(60, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + port).cluster(cluster).build());
  }

  @TestFactory
  @Tag("deep")
  Stream<DynamicTest> remote() {
    ServerSettings defaults = ServerSettings.defaults();
    Server server =
        Server.start(
            new ServerSettings(
                defaults.bindAddress(),
                0,
                ServerSettings.OFF,
                ServerSettings.External.NONE,
                GridConfig.builder().build(),
                null,
                null,
                defaults.caches(),
                defaults.protocols(),
                Protection.NONE,
                defaults.warnings()));
    opened.add(server);
    RemoteCacheManager manager =
        new RemoteCacheManager(
            ClientConfig.builder()
                .addServer("127.0.0.1", server.address().getPort())
                .operationTimeoutMillis(20_000) // other processes may have the processors
                .build());
    opened.add(manager);
    RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
    return MapContract.of(
        "remote", cache.withFlags(Flag.FORCE_RETURN_VALUE), MapContract.OF_UNKNOWN_TYPES)
        .stream();
  }
}
