package dev.isogrid.bench.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.health.ClusterHealth;
import org.infinispan.health.HealthStatus;
import org.infinispan.manager.DefaultCacheManager;

/** A node of Infinispan: its TCP stack with a list of seeds in the place of multicast. */
final class InfinispanMember implements ClusterMember {
  private static final String CACHE = "bench";

  /** Kept, so that its level is. */
  private static final Logger LOG = Logger.getLogger("org.infinispan");

  private final DefaultCacheManager container;
  private final AdvancedCache<String, byte[]> cache;

  private InfinispanMember(DefaultCacheManager container) {
    this.container = container;
    Cache<String, byte[]> all = container.getCache(CACHE);
    this.cache = all.getAdvancedCache();
  }

  static InfinispanMember open(String name, int port, List<Integer> seeds) throws IOException {
    LOG.setLevel(Level.WARNING);
    System.setProperty("jgroups.bind.address", "127.0.0.1");
    System.setProperty("jgroups.bind.port", String.valueOf(port));
    String hosts =
        seeds.stream().map(seed -> "127.0.0.1[" + seed + "]").collect(Collectors.joining(","));
    String configuration =
        """
        <infinispan>
          <jgroups>
            <stack name="seeds" extends="tcp">
              <TCPPING initial_hosts="%s" port_range="0"
                  stack.combine="REPLACE" stack.position="MPING"/>
            </stack>
          </jgroups>
          <cache-container name="container">
            <transport cluster="bench" stack="seeds" node-name="%s"/>
            <distributed-cache name="%s" owners="2" mode="SYNC">
              <state-transfer await-initial-transfer="false"/>
            </distributed-cache>
          </cache-container>
        </infinispan>
        """
            .formatted(hosts, name, CACHE);
    return new InfinispanMember(
        new DefaultCacheManager(
            new ByteArrayInputStream(configuration.getBytes(StandardCharsets.UTF_8))));
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public boolean isComplete(int nodes) {
    ClusterHealth health = container.getHealth().getClusterHealth();
    return health.getNumberOfNodes() == nodes
        && health.getHealthStatus() == HealthStatus.HEALTHY
        && localSegments() > 0;
  }

  @Override
  public long localSize() {
    return cache.getDataContainer().sizeIncludingExpired();
  }

  @Override
  public int localSegments() {
    DistributionManager distribution = cache.getDistributionManager();
    return distribution.getCacheTopology().getLocalReadSegments().size();
  }

  @Override
  public int segments() {
    return cache
        .getDistributionManager()
        .getCacheTopology()
        .getWriteConsistentHash()
        .getNumSegments();
  }
}
