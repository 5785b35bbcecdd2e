package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.cluster.LogLines;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A founder without seeds that is killed and starts again, over TCP. */
class RestartedFounderTest {
  @TempDir private Path folder;

  private final LogLines log = new LogLines(ClusterDriver.class);
  private final List<SeedAddress> at = RealNetwork.freeAddresses(2);
  private final List<Node> living = new CopyOnWriteArrayList<>();

  private Node start(
      String name, int place, List<String> seeds, @Nullable Path data, long foundAfterMillis) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.get(place).port())
            .portRange(0)
            .seeds(seeds)
            .foundAfter(foundAfterMillis, TimeUnit.MILLISECONDS)
            .joinTimeout(Await.PATIENCE)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    Node node =
        (Node)
            Grid.start(
                GridConfig.builder().nodeName(name).cluster(cluster).dataFolder(data).build());
    living.add(node);
    return node;
  }

  private Node founder(@Nullable Path data) {
    return start("founder", 0, List.of(), data, Await.PATIENCE.toMillis());
  }

  private Node second() {
    return start("second", 1, List.of(at.getFirst().toString()), null, 0);
  }

  private static Topology topology(Node node) {
    return requireNonNull(node.topology());
  }

  private static String identity(Node node) {
    return topology(node).origin().identity();
  }

  private static void awaitBoth(Node node) throws Exception {
    Await.until(
        "two members",
        () -> topology(node).members().size() == 2 && requireNonNull(node.driver()).isLeased());
  }

  private static void awaitAlone(Node node) throws Exception {
    Await.until("a takeover", () -> topology(node).members().size() == 1);
  }

  private void kill(Node node) {
    living.remove(node);
    requireNonNull(node.driver()).close(); // so that it hands nothing over
    node.close();
  }

  private void awaitKept() throws Exception {
    Path file = folder.resolve("peers");
    Await.until(
        "the address of the other node",
        () -> Files.exists(file) && Files.readString(file).contains(at.getLast().toString()));
  }

  @AfterEach
  void close() {
    List.copyOf(living).forEach(this::kill);
    log.close();
  }

  @Test
  void founder_whenTheOtherNodeLives_joinsIt() throws Exception {
    Node founder = founder(folder);
    Node second = second();
    awaitBoth(second);
    String cluster = identity(second);
    awaitKept();
    kill(founder);
    awaitAlone(second);
    Node again = founder(folder);
    awaitBoth(second);
    awaitBoth(again);
    assertEquals(cluster, identity(again));
    assertEquals(1, log.count("founding a cluster"));
  }

  @Test
  void cluster_thatEnded_isFoundedAtOnceByTheFounder() throws Exception {
    Node founder = founder(folder);
    Node second = second();
    awaitBoth(founder);
    awaitKept();
    kill(second);
    kill(founder);
    Node again = founder(folder);
    Node joined = second();
    awaitBoth(joined);
    assertEquals(identity(again), identity(joined));
    assertEquals(
        1, log.count("the former processes of its peers are gone: peers=[" + at.getLast()));
  }

  @Test
  void cluster_whoseOtherNodeComesBackFirst_isFoundedAtOnceByTheFounder() throws Exception {
    Node founder = founder(folder);
    Node second = second();
    awaitBoth(founder);
    awaitKept();
    kill(second);
    kill(founder);
    CompletableFuture<Node> joining = CompletableFuture.supplyAsync(this::second);
    Await.until("a node that waits", () -> !isFree(at.getLast()));
    Node again = founder(folder);
    assertEquals(identity(again), identity(joining.get()));
  }

  private static boolean isFree(SeedAddress address) throws IOException {
    try (ServerSocket socket =
        new ServerSocket(address.port(), 1, InetAddress.getByName(address.host()))) {
      return socket.isBound();
    } catch (BindException taken) {
      return false;
    }
  }

  @Test
  void founder_whosePeerDoesNotAnswer_foundsAfterSomeTimeAndSaysSo() throws Exception {
    try (ServerSocket silent =
        new ServerSocket(at.getLast().port(), 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(folder.resolve("peers"), "127.0.0.1:" + silent.getLocalPort() + "\n");
      Node founder = start("founder", 0, List.of(), folder, 1000);
      assertEquals(1, topology(founder).members().size());
      assertEquals(1, log.count("some peers may be alive: peers=[" + at.getLast()));
    }
  }

  @Test
  void founder_whoseFileIsDamaged_starts() throws Exception {
    Files.writeString(folder.resolve("peers"), "nonsense:x\n");
    assertEquals(1, topology(founder(folder)).members().size());
  }

  @Test
  void clusters_ofOneName_sayThatThereAreTwo() throws Exception {
    Node founder = founder(null);
    Node second = second();
    awaitBoth(second);
    kill(founder);
    awaitAlone(second);
    Node again = founder(null);
    assertNotEquals(identity(second), identity(again));
    Await.until(
        "both notice",
        () ->
            log.count("its cluster=" + identity(second) + ", other cluster=" + identity(again)) > 0
                && log.count("its cluster=" + identity(again) + ", other cluster=") > 0);
    assertTrue(log.count("two clusters of one name reach each other") >= 2);
  }
}
