package dev.isogrid.bench.memory;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StorageType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;

/** Local caches of Infinispan. */
final class InfinispanLibrary {
  private static final String CACHE = "bench";

  /** Kept, so that the JVM does not drop the logger together with its level. */
  private static final Logger LOG = Logger.getLogger("org.infinispan");

  private InfinispanLibrary() {}

  /** The default configuration: references to {@code String} and {@code byte[]}. */
  static Library heap() {
    Cache<String, byte[]> cache = open(new ConfigurationBuilder());
    return new ReferenceMap(cache);
  }

  /** Bytes outside of the heap. */
  static Library offHeap() {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.memory().storage(StorageType.OFF_HEAP);
    builder.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    Cache<byte[], byte[]> cache = open(builder);
    return new Library() {
      @Override
      public void put(byte[] key, byte[] value) {
        cache.put(key, value);
      }

      @Override
      public long count() {
        return cache.size();
      }
    };
  }

  private static <K, V> Cache<K, V> open(ConfigurationBuilder builder) {
    LOG.setLevel(Level.SEVERE);
    DefaultCacheManager container =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    container.defineConfiguration(CACHE, builder.build());
    return container.getCache(CACHE);
  }
}
