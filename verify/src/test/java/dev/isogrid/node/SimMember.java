package dev.isogrid.node;

import dev.isogrid.base.SimProcess;
import dev.isogrid.engine.ClusterDriver;
import dev.isogrid.engine.ReplicaContents;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One life of a process of the simulated cluster, and its node. */
final class SimMember {
  final int host;
  final SimProcess process;

  /** Null until the node is a member of the cluster. */
  @Nullable Node node;

  /** Whether its clients have all caches. */
  boolean isReady;

  /** Whether the process sends nothing any more. */
  boolean isDead;

  boolean isLeaving;

  /** The folder of its data; null if it has none. */
  @Nullable Path folder;

  SimMember(int host, SimProcess process) {
    this.host = host;
    this.process = process;
  }

  /** Its node, which must exist. */
  Node grid() {
    return Objects.requireNonNull(node);
  }

  NodeId id() {
    return grid().calls().self();
  }

  @Nullable Topology topology() {
    return node == null ? null : node.topology();
  }

  /** Whether the node ended by itself, so that its process is useless. */
  boolean hasStopped() {
    ClusterDriver driver = node == null ? null : node.driver();
    return driver != null && ReplicaContents.isEnded(driver);
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
