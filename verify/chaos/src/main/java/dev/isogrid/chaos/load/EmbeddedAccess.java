package dev.isogrid.chaos.load;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.chaos.cluster.Place;
import dev.isogrid.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Nodes in this process that keep no entries. Thread-safe. */
public final class EmbeddedAccess implements Access {
  private static final String CACHE = "chaos";

  /** The number of nodes in this process. */
  public static final int NODES = 2;

  private static final int FIRST_PORT = 7900;
  private static final int PORT_STEP = 10;
  private static final long OPERATION_MILLIS = 3_000;

  private final List<Node> nodes = new ArrayList<>();
  private final List<Store> stores = new ArrayList<>();

  /**
   * Joins a cluster.
   *
   * @param host the address of this process in the network of the nodes
   * @param owners the copies of each entry
   */
  public EmbeddedAccess(List<Place> places, String host, int owners) {
    for (int i = 0; i < NODES; i++) {
      ClusterConfig cluster =
          ClusterConfig.builder()
              .bindAddress(host)
              .bindPort(FIRST_PORT + i * PORT_STEP)
              .seeds(places.stream().map(Place::seed).toList())
              .capacity(0)
              .operationTimeout(OPERATION_MILLIS, TimeUnit.MILLISECONDS)
              .build();
      Node node =
          (Node) Grid.start(GridConfig.builder().nodeName("client" + i).cluster(cluster).build());
      nodes.add(node);
      Cache<String, byte[]> cache =
          node.cache(CACHE, CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(owners).build());
      stores.add(new EmbeddedStore(cache));
    }
  }

  @Override
  public int count() {
    return stores.size();
  }

  @Override
  public Store store(int index) {
    return stores.get(index % stores.size());
  }

  @Override
  public Store probing() {
    return stores.getFirst();
  }

  @Override
  public List<Integer> owners(String key) {
    return List.of();
  }

  @Override
  public long operationMillisMax() {
    return OPERATION_MILLIS * 2;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
