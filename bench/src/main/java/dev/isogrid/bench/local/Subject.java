package dev.isogrid.bench.local;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.StorageType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;

/** A map to be measured, with the smallest possible configuration. */
public enum Subject {
  /** The JDK's map: the reference of the comparison. */
  CONCURRENT_HASH_MAP("ConcurrentHashMap"),

  /** Caffeine without a bound. */
  CAFFEINE("Caffeine, unbounded"),

  /** A local cache of this product that keeps references. */
  ISOGRID_OBJECT("Isogrid HEAP_OBJECT"),

  /** A local cache of this product that keeps bytes. */
  ISOGRID_BINARY("Isogrid HEAP_BINARY"),

  /** A local cache of this product that keeps bytes outside of the heap. */
  ISOGRID_OFF_HEAP("Isogrid OFF_HEAP"),

  /** A local cache of Infinispan. */
  INFINISPAN("Infinispan local"),

  /** A local cache of Infinispan that gives up most features for speed. */
  INFINISPAN_SIMPLE("Infinispan simple"),

  /** A local cache of Infinispan that keeps bytes outside of the heap. */
  INFINISPAN_OFF_HEAP("Infinispan off-heap");

  private static final String CACHE = "bench";

  /** Kept, so that the JVM does not drop the logger together with its level. */
  private static final Logger INFINISPAN_LOG = Logger.getLogger("org.infinispan");

  private final String label;

  Subject(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** Makes an empty map. */
  Opened open() {
    return switch (this) {
      case CONCURRENT_HASH_MAP -> new Opened(new ConcurrentHashMap<>(), () -> {});
      case CAFFEINE -> new Opened(Caffeine.newBuilder().<String, byte[]>build().asMap(), () -> {});
      case ISOGRID_OBJECT -> isogrid(StorageType.HEAP_OBJECT);
      case ISOGRID_BINARY -> isogrid(StorageType.HEAP_BINARY);
      case ISOGRID_OFF_HEAP -> isogrid(StorageType.OFF_HEAP);
      case INFINISPAN -> infinispan(new ConfigurationBuilder());
      case INFINISPAN_SIMPLE -> infinispan(new ConfigurationBuilder().simpleCache(true));
      case INFINISPAN_OFF_HEAP -> infinispan(infinispanOffHeap());
    };
  }

  private static Opened isogrid(StorageType storage) {
    Grid grid = Grid.start();
    return new Opened(
        grid.createCache(CACHE, CacheConfig.builder().storage(storage).build()), grid::close);
  }

  private static ConfigurationBuilder infinispanOffHeap() {
    ConfigurationBuilder config = new ConfigurationBuilder();
    config.memory().storage(org.infinispan.configuration.cache.StorageType.OFF_HEAP);
    config.encoding().mediaType("application/x-protostream");
    return config;
  }

  private static Opened infinispan(ConfigurationBuilder config) {
    INFINISPAN_LOG.setLevel(Level.SEVERE);
    DefaultCacheManager container =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    container.defineConfiguration(CACHE, config.build());
    return new Opened(container.getCache(CACHE), container::stop);
  }

  /**
   * A map in use.
   *
   * @param map empty at first
   * @param close releases the resources of the map
   */
  record Opened(ConcurrentMap<String, byte[]> map, Runnable close) {}
}
