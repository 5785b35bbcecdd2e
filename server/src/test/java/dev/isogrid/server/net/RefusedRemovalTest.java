package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenGone;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The removal of a cache without a majority of its cluster. */
@Timeout(120)
class RefusedRemovalTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .storage(StorageType.OFF_HEAP)
          .segments(4)
          .build();

  @TempDir private Path directory;

  private static Node start(String name, int port, int seedPort) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .whenGone(WhenGone.IGNORED)
            .build();
    return Node.start(GridConfig.builder().nodeName(name).cluster(cluster).build(), Env.system());
  }

  @Test
  void remove_thatTheClusterDoesNotDecide_leavesTheFile() throws Exception {
    List<Integer> ports = FreePorts.several(2);
    Node onlyVoter = start("n0", ports.getFirst(), ports.getFirst());
    try (Node left = start("n1", ports.getLast(), ports.getFirst());
        CacheFiles files = CacheFiles.open(directory)) {
      CacheCatalog catalog = new CacheCatalog(left, files);
      catalog.begin();
      long before = catalog.aliasVersion();
      catalog.createPermanent("c", CONFIG);
      assertTrue(files.contains("c"));
      // Settings are heard some time after they are written, or never if the primary ends before.
      Await.until("the cache is known as permanent", () -> catalog.aliasVersion() != before);
      onlyVoter.close();
      Await.until("no majority", () -> !left.hasMajority());

      assertThrows(RetryableGridException.class, () -> catalog.remove("c"));

      Await.until("the file is back", () -> files.contains("c"));
    }
  }
}
