package dev.isogrid.node;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.CuttableLink;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.HeardPlaces;
import dev.isogrid.engine.SideCounts;
import dev.isogrid.testkit.AtOnce;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes of one cluster in this JVM that can be cut apart. */
final class SplitNodes implements AutoCloseable {
  private final List<SeedAddress> addresses;
  private final List<Node> nodes;
  private final List<Node> living;

  private SplitNodes(List<SeedAddress> addresses, List<Node> nodes) {
    this.addresses = addresses;
    this.nodes = new ArrayList<>(nodes);
    this.living = new ArrayList<>(nodes);
  }

  /**
   * Starts nodes, the first one first: it is the oldest member.
   *
   * @param folder for the files of JGroups
   */
  static SplitNodes start(Path folder, int count) throws Exception {
    return start(folder, count, ClusterConfig.SPLIT_BYTES_MAX);
  }

  static SplitNodes start(Path folder, int count, long splitBytesMax) throws Exception {
    CuttableLink.heal();
    List<SeedAddress> addresses = RealNetwork.freeAddresses(count);
    List<String> seeds = addresses.stream().map(SeedAddress::toString).toList();
    String hosts =
        addresses.stream()
            .map(each -> "127.0.0.1[%d]".formatted(each.port()))
            .collect(Collectors.joining(","));
    Node[] started = new Node[count];
    List<Thread> starting =
        IntStream.range(0, count)
            .mapToObj(i ->
                Thread.ofVirtual()
                    .start(() -> {
                      int port = addresses.get(i).port();
                      Path stack = folder.resolve(i + ".xml");
                      started[i] = start("n" + i, port, seeds, hosts, stack, splitBytesMax);
                    }))
            .toList();
    for (Thread each : starting) {
      each.join();
    }
    return new SplitNodes(addresses, List.of(started));
  }

  private static Node start( // tidy: what a node of a test is made of
      String name, int port, List<String> seeds, String hosts, Path stack, long splitBytesMax) {
    try {
      Files.writeString(stack, stackOf(port, hosts));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(seeds)
            .stackFile(stack)
            .operationTimeout(3, TimeUnit.SECONDS)
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .splitBytesMax(splitBytesMax)
            .build();
    return Node.start(GridConfig.builder().nodeName(name).cluster(cluster).build(), Env.system());
  }

  private static String stackOf(int port, String hosts) {
    return """
    <config xmlns="urn:org:jgroups">
      <TCP_NIO2 bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false"
          recv_buf_size="0" send_buf_size="0" bundler_type="pd" max_send_buffers="64"/>
      <dev.isogrid.cluster.CuttableLink/>
      <TCPPING initial_hosts="%s" port_range="0"/>
      <MERGE3 min_interval="500" max_interval="1500"/>
      <FD_ALL3 timeout="60000" interval="2000"/>
      <VERIFY_SUSPECT2 timeout="500"/>
      <pbcast.NAKACK2 use_mcast_xmit="false" xmit_interval="100"/>
      <UNICAST3 xmit_interval="100"/>
      <pbcast.STABLE desired_avg_gossip="5000" max_bytes="1M"/>
      <pbcast.GMS join_timeout="1000" print_local_addr="false"/>
      <UFC max_credits="2m" min_threshold="0.4"/>
      <MFC max_credits="2m" min_threshold="0.4"/>
      <FRAG4 frag_size="60k"/>
    </config>
    """
        .formatted(port, hosts);
  }

  /** A cache that goes on on both sides. */
  static CacheConfig available(MergePolicy policy) {
    return CacheConfig.builder()
        .mode(CacheMode.DIST_SYNC)
        .segments(32)
        .whenSplit(WhenSplit.ALLOW_READ_WRITES)
        .mergePolicy(policy)
        .build();
  }

  Node node(int index) {
    return nodes.get(index);
  }

  Cache<String, String> cache(int index, String name, CacheConfig config) {
    return node(index).cache(name, config);
  }

  /**
   * The nodes in the order in which they became members, as one of them knows it; the ones that it
   * has given up come last.
   */
  List<Integer> byAge() {
    List<NodeId> ids =
        Objects.requireNonNull(living.getFirst().topology()).members().stream()
            .sorted(Comparator.comparingInt(Member::joinedEpoch))
            .map(Member::id)
            .toList();
    return IntStream.range(0, nodes.size())
        .boxed()
        .filter(i -> living.contains(node(i)))
        .sorted(Comparator.comparingInt(i -> place(ids, node(i).calls().self())))
        .toList();
  }

  private static int place(List<NodeId> ids, NodeId id) {
    int place = ids.indexOf(id);
    return place < 0 ? ids.size() : place;
  }

  /** Ends a node without a word to the others. */
  void kill(int index) {
    living.remove(node(index));
    node(index).close();
  }

  /** Cuts nodes off from the rest; they hear each other. */
  void cut(List<Integer> side) {
    side.forEach(index -> CuttableLink.cut(addresses.get(index).port(), 1));
  }

  /** Cuts each node off from all others. */
  void cutAll() {
    for (int i = 0; i < addresses.size(); i++) {
      CuttableLink.cut(addresses.get(i).port(), i + 1);
    }
  }

  /** Two nodes, one of which votes at most. */
  List<Integer> twoWithoutMajority() {
    List<NodeId> voters = Objects.requireNonNull(living.getFirst().topology()).voters();
    List<Integer> sorted =
        byAge().stream()
            .sorted(Comparator.comparing(i -> voters.contains(node(i).calls().self())))
            .toList();
    return sorted.subList(0, 2);
  }

  void heal() {
    CuttableLink.heal();
  }

  /** Waits until nodes keep writes apart. */
  void awaitApart(List<Integer> side) throws Exception {
    Await.until(
        "a side: " + side,
        () -> side.stream().allMatch(index -> node(index).sideCounts().isApart()));
  }

  /** Waits until nodes know what they have no copies of, as far as they ever do. */
  void awaitHeard(List<Integer> some, String cache) throws Exception {
    Await.until(
        "places of other nodes' segments: " + some,
        () -> {
          List<CacheEngine<?, ?>> all = new ArrayList<>();
          living.forEach(node -> all.add(Objects.requireNonNull(node.engine(cache))));
          return some.stream()
              .allMatch(
                  i -> HeardPlaces.areComplete(Objects.requireNonNull(node(i).engine(cache)), all));
        });
  }

  /** Waits until all nodes are members, have all copies, and have nothing left to hand over. */
  void awaitWhole() throws Exception {
    Await.until(
        "a whole cluster",
        () -> living.stream().allMatch(this::isWhole) && epochs().distinct().count() == 1);
  }

  /** The epochs that the nodes know. A node that is behind may call whole what was so before. */
  private IntStream epochs() {
    return living.stream().mapToInt(node -> Objects.requireNonNull(node.topology()).epoch());
  }

  /** Waits until all copies of a cache are the same, which all nodes have. */
  void awaitCommitted(String cache) throws Exception {
    Await.until(
        "equal copies",
        () -> {
          List<CacheEngine<?, ?>> all = new ArrayList<>();
          living.forEach(node -> all.add(Objects.requireNonNull(node.engine(cache))));
          return HeardPlaces.areCommitted(all);
        });
  }

  /** Whether a node has a copy of each segment, as far as it knows. */
  boolean hasAllCopies(int index) {
    NodeId self = node(index).calls().self();
    return Objects.requireNonNull(node(index).topology()).segments().stream()
        .allMatch(segment -> segment.isr().contains(self));
  }

  private boolean isWhole(Node node) {
    Topology known = node.topology();
    SideCounts counts = node.sideCounts();
    return known != null
        && known.members().size() == living.size()
        && known.segments().stream()
            .allMatch(each -> each.primary() != null && each.learners().isEmpty())
        && IntStream.of(Planner.missingCopies(known, Set.of())).allMatch(missing -> missing == 0)
        && !counts.isApart()
        && counts.keptBytes() == 0;
  }

  /** The counts of all nodes together that satisfy a figure. */
  long sum(ToLongFunction<SideCounts> figure) {
    return nodes.stream().mapToLong(node -> figure.applyAsLong(node.sideCounts())).sum();
  }

  @Override
  public void close() {
    heal();
    AtOnce.run(nodes.stream().map((Grid node) -> (Runnable) node::close).toList());
  }
}
