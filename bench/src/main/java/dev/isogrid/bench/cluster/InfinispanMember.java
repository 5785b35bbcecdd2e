package dev.isogrid.bench.cluster;

import dev.isogrid.bench.server.InfinispanStack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.context.Flag;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.health.ClusterHealth;
import org.infinispan.health.HealthStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.protocols.MsgStats;

/** A node of Infinispan: its TCP stack with a list of seeds in the place of multicast. */
final class InfinispanMember implements ClusterMember {
  /** Kept, so that the JVM does not drop the logger together with its level. */
  private static final Logger LOG = Logger.getLogger("org.infinispan");

  private final DefaultCacheManager container;
  private final AdvancedCache<String, byte[]> cache;
  private final AdvancedCache<String, byte[]> silent;
  private final boolean isDistributed;

  private InfinispanMember(DefaultCacheManager container, boolean isDistributed) {
    this.container = container;
    this.isDistributed = isDistributed;
    Cache<String, byte[]> all = container.getCache(CACHE);
    this.cache = all.getAdvancedCache();
    this.silent = cache.withFlags(Flag.IGNORE_RETURN_VALUES);
  }

  static InfinispanMember open(String name, int port, List<Integer> seeds, CacheKind kind)
      throws IOException {
    LOG.setLevel(Level.WARNING);
    InfinispanStack.bind(port);
    String configuration =
        """
        <infinispan>%s
          <cache-container name="container">%s
            <serialization
                marshaller="org.infinispan.commons.marshall.JavaSerializationMarshaller">
              <allow-list><regex>.*</regex></allow-list>
            </serialization>
            %s
            %s
            %s
          </cache-container>
        </infinispan>
        """
            .formatted(
                kind.isDistributed() ? InfinispanStack.element(seeds) : "",
                kind.isDistributed()
                    ? "<transport cluster=\"bench\" stack=\"%s\" node-name=\"%s\"/>"
                        .formatted(InfinispanStack.NAME, name)
                    : "",
                cache(CACHE, kind),
                cache(NUMBERS, kind),
                cache(TEXTS, kind));
    return new InfinispanMember(
        new DefaultCacheManager(
            new ByteArrayInputStream(configuration.getBytes(StandardCharsets.UTF_8))),
        kind.isDistributed());
  }

  private static String cache(String name, CacheKind kind) {
    String memory = kind.isOffHeap() ? "<memory storage=\"OFF_HEAP\"/>" : "";
    return kind.isDistributed()
        ? "<distributed-cache name=\"%s\" owners=\"%d\" mode=\"SYNC\">%s%s</distributed-cache>"
            .formatted(name, OWNERS, memory, "<state-transfer await-initial-transfer=\"false\"/>")
        : "<local-cache name=\"%s\">%s</local-cache>".formatted(name, memory);
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public void set(String key, byte[] value) {
    silent.put(key, value);
  }

  @Override
  public MemberCounts counts() {
    if (!isDistributed) {
      return MemberCounts.NONE;
    }
    JGroupsTransport transport = (JGroupsTransport) cache.getRpcManager().getTransport();
    MsgStats sent = transport.getChannel().getProtocolStack().getTransport().getMessageStats();
    return new MemberCounts(0, sent.getNumMsgsSent(), sent.getNumBytesSent(), 0);
  }

  @Override
  public ConcurrentMap<String, Long> numbers() {
    return container.getCache(NUMBERS);
  }

  @Override
  public ConcurrentMap<String, String> texts() {
    return container.getCache(TEXTS);
  }

  @Override
  public int nodes() {
    return isDistributed
        ? cache.getDistributionManager().getCacheTopology().getMembers().size()
        : 1;
  }

  @Override
  public String primary(String key) {
    AdvancedCache<String, String> texts =
        container.<String, String>getCache(TEXTS).getAdvancedCache();
    return texts
        .getDistributionManager()
        .getCacheTopology()
        .getDistribution(stored(texts, key))
        .primary()
        .toString();
  }

  @Override
  public void putMortal(String key, byte[] value) {
    cache.put(key, value, 1, TimeUnit.HOURS);
  }

  @Override
  public boolean isHere(String key) {
    return !isDistributed
        || cache.getDistributionManager().getCacheTopology().isReadOwner(stored(cache, key));
  }

  /** The key as its segment is computed from: off the heap these are its bytes. */
  private static Object stored(AdvancedCache<String, ?> of, String key) {
    return of.getKeyDataConversion().toStorage(key);
  }

  @Override
  public boolean isComplete(int nodes) {
    if (!isDistributed) {
      return true;
    }
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
    return distribution == null ? 0 : distribution.getCacheTopology().getLocalReadSegments().size();
  }

  @Override
  public int segments() {
    DistributionManager distribution = cache.getDistributionManager();
    return distribution == null
        ? 0
        : distribution.getCacheTopology().getWriteConsistentHash().getNumSegments();
  }
}
