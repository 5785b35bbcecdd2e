package dev.isogrid.node;

import static java.util.Objects.requireNonNull;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.base.SteppedTime;
import dev.isogrid.cluster.LoopNetwork;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Whole nodes of one cluster over a {@link LoopNetwork}, in a time that stands still. An operation
 * that needs no time, as all do that no timer has a part in, runs on the test's thread with all
 * that the other nodes do for it.
 */
public final class SteppedGrids implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 20;

  /** The most that anything is waited for, in steps of 10 ms of the nodes' time. */
  private static final int STEPS_MAX = 3000;

  private final LoopNetwork network = new LoopNetwork();

  /** The time of all nodes. */
  public final SteppedTime time = new SteppedTime(network::awaitDelivery);

  private final List<Node> living = new ArrayList<>();
  private int started;

  /** Starts a node that knows of no cluster. */
  public static SteppedGrids startAlone() {
    SteppedGrids grids = new SteppedGrids();
    GridConfig config = GridConfig.builder().nodeName("n0").build();
    grids.living.add(Node.start(config, grids.network, grids.time.env(0)));
    return grids;
  }

  /** Starts nodes, one after the other; the first one founds the cluster. */
  public static SteppedGrids start(float... capacities) throws Exception {
    SteppedGrids grids = new SteppedGrids();
    for (float capacity : capacities) {
      grids.join(capacity);
    }
    grids.awaitWhole();
    return grids;
  }

  /** Starts one more node. */
  public Node join(float capacity) throws Exception {
    int number = started++;
    ClusterConfig cluster =
        ClusterConfig.builder()
            .seeds(List.of("127.0.0.1:7801"))
            .found(number == 0)
            .capacity(capacity)
            .operationTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .joinTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    GridConfig config = GridConfig.builder().nodeName("n" + number).cluster(cluster).build();
    Node node = time.call(() -> Node.start(config, network, time.env(number)));
    living.add(node);
    return node;
  }

  /** The nodes that are alive, in the order in which they were started. */
  public List<Node> nodes() {
    return List.copyOf(living);
  }

  /** Makes a cache on all nodes. */
  public void create(String name, CacheConfig config) throws Exception {
    for (Node node : living) {
      time.call(() -> node.cache(name, config));
    }
    awaitWhole();
  }

  /** Removes a cache on all nodes. */
  public void remove(String name) throws Exception {
    for (Node node : living) {
      time.call(() -> node.removeCache(name));
    }
    awaitWhole();
  }

  private void awaitWhole() {
    await(this::isWhole);
    time.settle();
  }

  /** A node's engine of a cache. */
  public static CacheEngine<?, ?> engine(Node node, String cache) {
    return requireNonNull(node.anyEngine(cache));
  }

  /** The node that a viewpoint is, for a key of a segment. */
  public Node node(CacheSetting.Viewpoint viewpoint, String cache, int index) {
    if (viewpoint == CacheSetting.Viewpoint.FIRST) {
      return living.getFirst();
    }
    SegmentOwners owners = owners(cache, index);
    return living.stream()
        .filter(node -> viewpoint == viewpoint(owners, node.calls().self()))
        .findFirst()
        .orElseThrow();
  }

  private static CacheSetting.Viewpoint viewpoint(SegmentOwners owners, NodeId node) {
    if (node.equals(owners.primary())) {
      return CacheSetting.Viewpoint.PRIMARY;
    }
    return owners.isr().contains(node)
        ? CacheSetting.Viewpoint.BACKUP
        : CacheSetting.Viewpoint.NON_OWNER;
  }

  /** Kills the host of a node, and waits until the others serve all segments. */
  public void kill(Node node) throws Exception {
    living.remove(node);
    network.cutOff(node.calls().self());
    time.call(() -> {
      node.close();
      return node;
    });
    awaitWhole();
  }

  /** The network of the nodes. */
  public LoopNetwork network() {
    return network;
  }

  /** Lets time pass until something holds. */
  public void await(BooleanSupplier condition) {
    for (int step = 0; !condition.getAsBoolean(); step++) {
      if (step == STEPS_MAX) {
        throw new AssertionError("not within " + STEPS_MAX + " steps of time");
      }
      time.pass(1);
    }
  }

  /** Whether all nodes know the same topology, in which nothing is missing. */
  private boolean isWhole() {
    Topology first = living.getFirst().topology();
    if (first == null) {
      return true;
    }
    return first.members().size() == living.size()
        && living.stream().allMatch(node -> first.equals(node.topology()))
        && living.stream().allMatch(Node::hasMajority)
        && first.segments().stream().allMatch(each -> each.primary() != null)
        && first.segments().stream().allMatch(each -> each.learners().isEmpty())
        && IntStream.of(Planner.missingCopies(first, Set.of())).allMatch(missing -> missing == 0);
  }

  /** Returns the owners of a segment. */
  public SegmentOwners owners(String cache, int index) {
    Topology known = requireNonNull(living.getFirst().topology());
    return known.segmentsOf(requireNonNull(known.cache(cache)).group()).get(index);
  }

  /** The living node of an id. */
  public Node node(NodeId id) {
    return living.stream().filter(node -> node.calls().self().equals(id)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    for (Node node : nodes()) {
      living.remove(node);
      network.cutOff(node.calls().self());
      node.close();
    }
    network.check();
  }
}
