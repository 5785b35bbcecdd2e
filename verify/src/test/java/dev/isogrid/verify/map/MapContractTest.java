package dev.isogrid.verify.map;

import dev.isogrid.api.CacheConfig;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Caches as maps: embedded without a cluster, and remote. {@link ClusteredMapContractTest} has
 * those of clusters.
 */
class MapContractTest {
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
                  : MapContract.OF_BYTES;
          return MapContract.of(name, grid.cache(name, config), leftOut).stream();
        });
  }

  @TestFactory
  @Tag("deep")
  Stream<DynamicTest> remote() {
    Server server =
        Server.start(ServerSettings.local(0, GridConfig.builder().build(), Protection.NONE));
    opened.add(server);
    RemoteCacheManager manager =
        new RemoteCacheManager(
            ClientConfig.builder()
                .addServer("127.0.0.1", server.address().getPort())
                .operationTimeoutMillis(20_000) // other processes may have the processors
                .build());
    opened.add(manager);
    RemoteCache<String, String> cache = Objects.requireNonNull(manager.getCache("default"));
    return MapContract.of("remote", cache.withFlags(Flag.FORCE_RETURN_VALUE), MapContract.OF_BYTES)
        .stream();
  }
}
