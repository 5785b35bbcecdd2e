package dev.isogrid.node;

import static java.util.Objects.requireNonNull;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.GridConfig;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.LogLines;
import dev.isogrid.cluster.LoopNetwork;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.testkit.AtOnce;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Nodes of one cluster with data folders, over a {@link LoopNetwork}, in real time. */
final class StoredNodes implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = Await.PATIENCE.toSeconds();

  private final LogLines log = new LogLines(ClusterDriver.class);
  private final LoopNetwork network = new LoopNetwork();
  private final List<Node> living = new ArrayList<>();

  /** Starts a node; all without a memory find each other, and the smallest founds. */
  Node start(String name, Path data) {
    return start(name, data, false);
  }

  /** The same; {@code found} has it found a cluster whoever else may be there. */
  Node start(String name, Path data, boolean found) {
    return start(name, data, found, Env.system());
  }

  /** The same with another clock. */
  Node start(String name, Path data, boolean found, Env env) {
    return start(config(data, name, cluster().found(found)), env);
  }

  /** Starts a node that looks for others for some time by its clock before it goes on alone. */
  Node startLooking(String name, Path data, Env env) {
    ClusterDiscovery folder = new ClusterDiscovery.SharedFolder(data.resolveSibling("discovery"));
    return start(config(data, name, cluster().discovery(folder)), env);
  }

  private Node start(GridConfig config, Env env) {
    Node node = Node.start(config, network, env);
    add(node);
    return node;
  }

  private synchronized void add(Node node) {
    living.add(node);
  }

  /** Starts a node, which may have to wait for others. */
  CompletableFuture<Node> begin(String name, Path data) {
    return CompletableFuture.supplyAsync(
        () -> start(name, data), task -> Thread.ofVirtual().start(task));
  }

  private static ClusterConfig.Builder cluster() {
    return ClusterConfig.builder()
        .operationTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .joinTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .leaveTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private static GridConfig config(Path data, String name, ClusterConfig.Builder cluster) {
    return GridConfig.builder().nodeName(name).cluster(cluster.build()).dataFolder(data).build();
  }

  /** Ends a node in an orderly way. */
  void stop(Node node) {
    synchronized (this) {
      living.remove(node);
    }
    node.close();
    network.cutOff(node.calls().self());
  }

  /** Ends a node whose folder was copied before: for the others it dies. */
  void kill(Node node) {
    synchronized (this) {
      living.remove(node);
    }
    network.cutOff(node.calls().self());
    requireNonNull(node.driver()).close(); // so that it hands nothing over
    node.close();
  }

  /** Kills nodes, all at once. */
  void kill(List<Node> killed) {
    killed.forEach(node -> network.cutOff(node.calls().self()));
    AtOnce.run(killed.stream().map(node -> (Runnable) () -> kill(node)).toList());
  }

  /** How many times a node said that it waits for others. */
  long waiting() {
    return log.count("waiting for the cluster to come back");
  }

  /** The network of the nodes. */
  LoopNetwork network() {
    return network;
  }

  /** A copy of a folder, as a process that is killed now would leave it. */
  static Path copy(Path data, Path copy) throws IOException {
    for (int attempt = 0; ; attempt++) {
      Path target = attempt == 0 ? copy : copy.resolveSibling(copy.getFileName() + "-" + attempt);
      if (tryCopy(data, target)) {
        return target;
      }
    }
  }

  /** Copies a folder, unless a file is deleted meanwhile. */
  private static boolean tryCopy(Path data, Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(data.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
      return true;
    } catch (NoSuchFileException | UncheckedIOException _) {
      return false;
    }
  }

  @Override
  public void close() {
    List<Node> rest;
    synchronized (this) {
      rest = List.copyOf(living);
    }
    kill(rest);
    log.close();
    network.check();
  }
}
