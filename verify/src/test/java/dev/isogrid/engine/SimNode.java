package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A process of the simulated cluster. */
final class SimNode {
  /** A message that arrived while the process was paused. */
  record Arrived(SimNode from, Message message) {}

  final NodeId id;
  final ClusterNode core;
  MemberProfile profile;
  final ArrayDeque<Arrived> arrived = new ArrayDeque<>();

  /** The newest attempts at operations that are being prepared. */
  final Map<OperationId, Operation> preparing = new HashMap<>();

  private final double clockRate;
  private final long clockOffset;
  boolean isDead;
  boolean isLeaving;

  /** Voters of an epoch that this node knew to be dead while it had a lease. */
  final Set<NodeId> knownDead = new HashSet<>();

  int knownDeadEpoch;
  long pausedUntil;

  SimNode(NodeId id, ClusterNode core, MemberProfile profile, double clockRate, long clockOffset) {
    this.id = id;
    this.core = core;
    this.profile = profile;
    this.clockRate = clockRate;
    this.clockOffset = clockOffset;
  }

  /** The time of its clock. */
  long clock(long nowNanos) {
    return clockOffset + (long) (nowNanos * clockRate);
  }

  boolean runs(long nowNanos) {
    return !isDead && nowNanos >= pausedUntil;
  }

  @Override
  public String toString() {
    return "node " + id;
  }
}
