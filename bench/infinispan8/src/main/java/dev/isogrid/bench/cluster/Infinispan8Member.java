package dev.isogrid.bench.cluster;

import dev.isogrid.bench.server.InfinispanStack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.distexec.mapreduce.Collator;
import org.infinispan.distexec.mapreduce.Collector;
import org.infinispan.distexec.mapreduce.MapReduceTask;
import org.infinispan.distexec.mapreduce.Mapper;
import org.infinispan.distexec.mapreduce.Reducer;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.manager.DefaultCacheManager;

/** A node of Infinispan 8: its TCP stack with a list of seeds in the place of multicast. */
@SuppressWarnings("deprecation") // its map/reduce, soon to be removed, is what is measured
final class Infinispan8Member implements ClusterMember {
  private static final String STACK = "default-configs/default-jgroups-tcp.xml";

  /** The protocol of that stack that finds others by multicast. */
  private static final Pattern DISCOVERY = Pattern.compile("<MPING[^>]*>");

  /** Kept, so that the JVM does not drop the logger together with its level. */
  private static final Logger LOG = Logger.getLogger("org.infinispan");

  private static final Logger TRANSPORT_LOG = Logger.getLogger("org.jgroups");

  private final DefaultCacheManager container;
  private final AdvancedCache<String, byte[]> cache;
  private final Cache<String, Long> numbers;
  private final Cache<String, String> texts;

  private Infinispan8Member(DefaultCacheManager container) {
    this.container = container;
    Cache<String, byte[]> all = container.getCache(CACHE);
    this.cache = all.getAdvancedCache();
    this.numbers = container.getCache(NUMBERS);
    this.texts = container.getCache(TEXTS);
  }

  static Infinispan8Member open(String name, int port, List<Integer> seeds, CacheKind kind)
      throws IOException {
    if (kind.isOffHeap()) {
      throw new UnsupportedOperationException("this version has no entries off the heap");
    }
    LOG.setLevel(Level.WARNING);
    TRANSPORT_LOG.setLevel(Level.WARNING);
    if (!kind.isDistributed()) {
      return new Infinispan8Member(
          new DefaultCacheManager(
              new GlobalConfigurationBuilder().nonClusteredDefault().build(),
              new ConfigurationBuilder().build()));
    }
    System.setProperty("jgroups.tcp.address", "127.0.0.1");
    System.setProperty("jgroups.tcp.port", String.valueOf(port));
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global
        .transport()
        .clusterName("bench")
        .nodeName(name)
        .addProperty("configurationXml", stack(seeds));
    Configuration distributed =
        new ConfigurationBuilder()
            .clustering()
            .cacheMode(CacheMode.DIST_SYNC)
            .hash()
            .numOwners(OWNERS)
            .stateTransfer()
            .awaitInitialTransfer(false)
            .build();
    return new Infinispan8Member(new DefaultCacheManager(global.build(), distributed));
  }

  private static String stack(List<Integer> seeds) throws IOException {
    String discovery = InfinispanStack.discovery(seeds, "");
    try (InputStream in = DefaultCacheManager.class.getClassLoader().getResourceAsStream(STACK)) {
      if (in == null) {
        throw new IOException("not on the class path: " + STACK);
      }
      String usual = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return DISCOVERY.matcher(usual).replaceFirst(Matcher.quoteReplacement(discovery));
    }
  }

  @Override
  public ConcurrentMap<String, byte[]> cache() {
    return cache;
  }

  @Override
  public ConcurrentMap<String, Long> numbers() {
    return numbers;
  }

  @Override
  public ConcurrentMap<String, String> texts() {
    return texts;
  }

  @Override
  public long mapReduceWords() {
    MapReduceTask<String, String, String, Long> task = new MapReduceTask<>(texts, true, true);
    Collator<String, Long, Long> collator = WordTexts::digest;
    return task.mappedWith(new WordMapper())
        .combinedWith(new Sum())
        .reducedWith(new Sum())
        .execute(collator);
  }

  private static final class WordMapper implements Mapper<String, String, String, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public void map(String key, String text, Collector<String, Long> out) {
      WordTexts.split(text, out::emit);
    }
  }

  private static final class Sum implements Reducer<String, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long reduce(String word, Iterator<Long> counts) {
      return WordTexts.sum(counts);
    }
  }

  private ConsistentHash owners(Cache<?, ?> of) {
    return distribution(of).getReadConsistentHash();
  }

  private static DistributionManager distribution(Cache<?, ?> of) {
    DistributionManager distribution = of.getAdvancedCache().getDistributionManager();
    if (distribution == null) {
      throw new IllegalStateException("not a cache of a cluster: " + of.getName());
    }
    return distribution;
  }

  private boolean isDistributed() {
    return container.getTransport() != null;
  }

  @Override
  public int nodes() {
    return isDistributed() ? owners(texts).getMembers().size() : 1;
  }

  @Override
  public String primary(String key) {
    return distribution(texts).getPrimaryLocation(key).toString();
  }

  @Override
  public void putMortal(String key, byte[] value) {
    cache.put(key, value, 1, TimeUnit.HOURS);
  }

  @Override
  public boolean isHere(String key) {
    return !isDistributed() || distribution(cache).getLocality(key).isLocal();
  }

  @Override
  public boolean isComplete(int nodes) {
    return !isDistributed() || (isComplete(cache, nodes) && isComplete(texts, nodes));
  }

  private boolean isComplete(Cache<?, ?> of, int nodes) {
    DistributionManager distribution = distribution(of);
    return distribution.isJoinComplete()
        && !distribution.isRehashInProgress()
        && owners(of).getMembers().size() == nodes
        && !ownSegments(of).isEmpty();
  }

  private Set<Integer> ownSegments(Cache<?, ?> of) {
    return owners(of).getSegmentsForOwner(container.getAddress());
  }

  @Override
  public long localSize() {
    return cache.getDataContainer().size();
  }

  @Override
  public int localSegments() {
    return isDistributed() ? ownSegments(cache).size() : 0;
  }

  @Override
  public int segments() {
    return isDistributed() ? owners(cache).getNumSegments() : 0;
  }
}
