package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.base.Env;
import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FoundingRules;
import dev.isogrid.cluster.GonePolicy;
import dev.isogrid.cluster.JGroupsTransport;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.TransportConfig;
import dev.isogrid.codec.ByteString;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nodes with real channels in this JVM. */
final class RealCluster implements AutoCloseable {
  static final int SEGMENTS = 16;
  private static final int OWNERS = 2;
  private static final long TIMEOUT_MILLIS = 60_000;

  /** With leases that do not end while a busy machine stands still for some seconds. */
  static final ClusterTimes PATIENT =
      new ClusterTimes(
          8_000_000_000L, 10, 7_000_000_000L, 100_000_000L, GonePolicy.OF_TWO, Set.of());

  /** One of them. */
  static final class TestNode {
    final Env env;
    final JGroupsTransport transport;
    final ClusterDriver driver;
    boolean isDead;

    TestNode(Env env, JGroupsTransport transport, ClusterDriver driver) {
      this.env = env;
      this.transport = transport;
      this.driver = driver;
    }

    void put(String key, String value) throws InterruptedException {
      Outcome outcome =
          driver.invoke(TestCommand.put(bytes(key), bytes(value)), segment(key), TIMEOUT_MILLIS);
      assertEquals(Outcome.Kind.DONE, outcome.kind(), key);
    }

    void expect(String key, String value) throws InterruptedException {
      Outcome outcome = driver.invoke(TestCommand.get(bytes(key)), segment(key), TIMEOUT_MILLIS);
      assertEquals(new Outcome(Outcome.Kind.DONE, bytes(value)), outcome, key);
    }
  }

  private final List<TestNode> nodes = new ArrayList<>();

  static ByteString bytes(String text) {
    return ByteString.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static int segment(String key) {
    return Math.floorMod(key.hashCode(), SEGMENTS);
  }

  TestNode start(TransportConfig config) {
    return start(config, ClusterTimes.usual());
  }

  TestNode start(TransportConfig config, ClusterTimes times) {
    return start(config, times, ProtocolVersions.OF_BUILD);
  }

  TestNode start(TransportConfig config, ClusterTimes times, ProtocolVersions speaks) {
    return start(config, times, speaks, false, 0);
  }

  /** Starts a node that founds the cluster at once, or leaves that to others for the whole test. */
  TestNode start(TransportConfig config, boolean isFounder) {
    long lookNanos = isFounder ? 0 : Long.MAX_VALUE;
    return start(config, ClusterTimes.usual(), ProtocolVersions.OF_BUILD, isFounder, lookNanos);
  }

  private TestNode start(
      TransportConfig config,
      ClusterTimes times,
      ProtocolVersions speaks,
      boolean isFounder,
      long lookNanos) {
    Env env = Env.system();
    JGroupsTransport transport =
        JGroupsTransport.open(config, new SegmentCodec(new TestCommand.Codec(), speaks), env);
    MemberProfile profile = new MemberProfile("", 1, "", "", "", speaks);
    ClusterNodeConfig node = new ClusterNodeConfig(times, ReplicaLimits.usual(), 1000);
    FoundingRules founding =
        FoundingRules.of(
            config.discovery(), transport.listensAt(), isFounder, lookNanos, List.of());
    ClusterDriver driver =
        new ClusterDriver(
            transport,
            new DriverConfig(node, founding, profile),
            _ -> new TestEntries(),
            (_, _, _) -> {},
            (_, _) -> {},
            env);
    driver.start();
    driver.define(new CacheRequest("cache", OWNERS, SEGMENTS, 1, ""));
    TestNode started = new TestNode(env, transport, driver);
    nodes.add(started);
    return started;
  }

  void kill(TestNode node) throws Exception {
    node.isDead = true;
    RealNetwork.kill(node.transport);
    node.driver.close();
  }

  /** Waits until all living nodes know each other and each segment has its copies. */
  void awaitFormed() throws Exception {
    List<TestNode> living = nodes.stream().filter(node -> !node.isDead).toList();
    int copies = Math.min(OWNERS, living.size());
    Await.until(
        "a cluster of " + living.size(),
        () -> living.stream().allMatch(node -> isFormed(node.driver.topology(), living, copies)));
  }

  private static boolean isFormed(@Nullable Topology topology, List<TestNode> living, int copies) {
    return topology != null
        && topology.members().size() == living.size()
        && living.stream().allMatch(node -> topology.member(node.driver.self()) != null)
        && topology.segments().size() == SEGMENTS
        && topology.segments().stream()
            .allMatch(segment -> segment.isr().size() == copies && !segment.isOffline());
  }

  @Override
  public void close() {
    for (TestNode node : nodes) {
      node.driver.close();
      node.env.scheduler().close();
    }
  }
}
