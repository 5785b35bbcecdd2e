package dev.isogrid.chaos.load;

import java.net.InetSocketAddress;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.Configuration;
import org.infinispan.client.hotrod.impl.consistenthash.ConsistentHash;
import org.jspecify.annotations.Nullable;

/** The official client, which also tells where it sends the operations on a key. Thread-safe. */
final class RoutedContainer extends RemoteCacheManager {
  /** The cache that all load goes to. */
  static final String CACHE = "default";

  RoutedContainer(Configuration configuration) {
    super(configuration);
  }

  /** The cache. */
  RemoteCache<byte[], byte[]> cache() {
    RemoteCache<byte[], byte[]> cache = getCache(CACHE);
    if (cache == null) {
      throw new IllegalStateException("the cluster has no such cache: name=" + CACHE);
    }
    return cache;
  }

  /** The primary owner of a key as the client knows it, or null if it does not. */
  @Nullable InetSocketAddress primary(byte[] key) {
    ConsistentHash hash = dispatcher.getConsistentHash(CACHE);
    return hash == null ? null : (InetSocketAddress) hash.getServer(key);
  }
}
