package dev.isogrid.node;

import static java.util.Objects.requireNonNull;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.testkit.AtOnce;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Embedded nodes of one cluster, over TCP. They end without handing anything over. */
public final class EmbeddedNodes implements AutoCloseable {
  private final List<Grid> grids;
  private final List<String> seeds;

  private EmbeddedNodes(List<Grid> grids, List<String> seeds) {
    this.grids = new ArrayList<>(grids);
    this.seeds = seeds;
  }

  /** Starts nodes that are called n0, n1 and so on. The first one founds, the others join it. */
  public static EmbeddedNodes start(int count) throws Exception {
    return start(count, _ -> GridConfig.builder());
  }

  /** Starts nodes that have more in their configuration than a name and a cluster. */
  static EmbeddedNodes start(int count, IntFunction<GridConfig.Builder> configs) throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(count);
    List<String> seeds = addresses.stream().map(SeedAddress::toString).toList();
    Grid[] started = new Grid[count];
    // It is its only seed, so it waits for nobody.
    started[0] = start(configs.apply(0), "n0", addresses.getFirst(), seeds.subList(0, 1));
    List<Thread> starting =
        IntStream.range(1, count)
            .mapToObj(i ->
                Thread.ofVirtual()
                    .start(() ->
                        started[i] = start(configs.apply(i), "n" + i, addresses.get(i), seeds)))
            .toList();
    for (Thread each : starting) {
      each.join();
    }
    return new EmbeddedNodes(List.of(started), seeds);
  }

  /** Starts one more node; it is closed with the others. */
  public Grid join(String name) throws Exception {
    Grid joined = start(GridConfig.builder(), name, RealNetwork.freeAddresses(1).getFirst(), seeds);
    grids.add(joined);
    return joined;
  }

  private static Grid start(
      GridConfig.Builder config, String name, SeedAddress at, List<String> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds)
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    return Grid.start(config.nodeName(name).cluster(cluster).build());
  }

  /**
   * Waits until all segments have several in-sync replicas, so that any node may die. A busy
   * machine may have one taken out for some time.
   */
  public void awaitCopies() throws Exception {
    Node node = (Node) grids.getFirst();
    Await.until(
        "copies",
        () ->
            requireNonNull(node.topology()).segments().stream()
                .allMatch(owners -> owners.isr().size() > 1));
  }

  /** A node. */
  public Grid node(int index) {
    return grids.get(index);
  }

  /** A distributed cache of few segments. */
  static CacheConfig distributed() {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(32).build();
  }

  @Override
  public void close() {
    AtOnce.run(grids.stream().map(grid -> (Runnable) grid::close).toList());
  }
}
