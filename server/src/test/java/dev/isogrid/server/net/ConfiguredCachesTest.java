package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches of configuration files and built-in ones, on servers that join a cluster. */
@Timeout(120)
class ConfiguredCachesTest {
  private static final CacheConfig FILE =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .storage(StorageType.OFF_HEAP)
          .segments(16)
          .maxCount(100)
          .build();

  private final List<Node> nodes = new ArrayList<>();
  private int seedPort;

  /** A server that joins, with its catalog. */
  private CacheCatalog join() throws IOException {
    int port = FreePorts.one();
    seedPort = seedPort == 0 ? port : seedPort;
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(30, TimeUnit.SECONDS)
            .build();
    String name = "node-" + nodes.size();
    Node node =
        Node.start(GridConfig.builder().nodeName(name).cluster(cluster).build(), Env.system());
    nodes.add(node);
    CacheCatalog catalog = new CacheCatalog(node, null);
    catalog.begin();
    return catalog;
  }

  @AfterEach
  void close() {
    nodes.reversed().forEach(Node::close);
  }

  @Test
  void changedFile_changesWhatMayChange_andNamesTheRest() throws IOException {
    CacheCatalog first = join();
    first.configured().apply("c", FILE);
    CacheCatalog second = join();
    CacheConfig changed =
        FILE.toBuilder().maxCount(200).lifespan(Duration.ofSeconds(9)).owners(3).build();
    List<String> lines = second.configured().apply("c", changed);
    CacheConfig expected = FILE.toBuilder().maxCount(200).lifespan(Duration.ofSeconds(9)).build();
    assertEquals(expected, second.config("c"));
    Await.until("the other server follows", () -> expected.equals(first.config("c")));
    String holds = "cluster's cache differs from the configuration file, and holds: cache=c, ";
    assertTrue(lines.contains(holds + "attribute=owners, cluster=2, file=3"), lines::toString);
    String applied = "cluster's cache changed to the configuration file: cache=c, ";
    assertTrue(
        lines.contains(applied + "attribute=memory.max-count, cluster=100, file=200"),
        lines::toString);
    assertEquals(3, lines.size(), lines::toString);
  }

  @Test
  void changedFile_withoutTheBound_isToldThatTheClustersHolds() throws IOException {
    CacheCatalog first = join();
    first.configured().apply("c", FILE);
    List<String> lines =
        first.configured().apply("c", FILE.toBuilder().maxCount(CacheConfig.UNBOUNDED).build());
    assertEquals(FILE, first.config("c"));
    String holds = "cluster's cache differs from the configuration file, and holds: cache=c, ";
    String bound = "attribute=memory.max-count, cluster=100, file=default";
    assertTrue(lines.contains(holds + bound), lines::toString);
  }

  @Test
  void unchangedFile_leavesWhatAClientChanged() throws IOException {
    CacheCatalog first = join();
    first.configured().apply("c", FILE);
    first.updateAttribute("c", "memory.max-count", "50");
    CacheCatalog second = join();
    second.configured().apply("c", FILE);
    assertEquals(50, Objects.requireNonNull(second.config("c")).maxCount());
    assertEquals(50, Objects.requireNonNull(first.config("c")).maxCount());
  }

  @Test
  void builtInCache_thatTheClusterRemoved_isNotMadeByAServerThatJoins() throws IOException {
    CacheCatalog first = join();
    first.getOrCreateBuiltIn("default", FILE);
    assertTrue(first.remove("default"));
    CacheCatalog second = join();
    second.getOrCreateBuiltIn("default", FILE);
    assertNull(second.config("default"));
    assertNull(first.config("default"));
  }
}
