package dev.isogrid.chaos.load;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.Configuration;
import org.infinispan.client.hotrod.impl.consistenthash.SegmentConsistentHash;

/** The official client, which also shows the target servers of a key. Thread-safe. */
final class RoutedContainer extends RemoteCacheManager {
  /** The cache of all load. */
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

  /** The owners of a key as the client knows them, the primary first; empty if unknown. */
  List<InetSocketAddress> owners(byte[] key) {
    cache(); // which the client knows nothing of before it is used
    if (!(dispatcher.getConsistentHash(CACHE) instanceof SegmentConsistentHash hash)) {
      return List.of();
    }
    List<InetSocketAddress> owners = new ArrayList<>();
    for (SocketAddress owner : hash.getSegmentOwners()[hash.getSegment(key)]) {
      owners.add((InetSocketAddress) owner);
    }
    return owners;
  }
}
