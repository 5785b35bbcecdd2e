package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The right of a node to serve what it is primary of, given by a majority of the voters for a
 * limited time. Not thread-safe.
 */
public final class Lease {
  /*
   * The lease counts from when the heartbeat was sent, by this node's clock. A voter counts the
   * same length from when it got the heartbeat, which is later, by its own clock. Both may be off
   * by the drift, so the lease is shortened by twice that. See C. Gray, D. Cheriton, Leases, SOSP
   * 1989, https://doi.org/10.1145/74850.74870.
   *
   * Grants of one epoch are counted: the voters of the next one may be others. A lease that was
   * obtained holds over a change of the topology, since voters go by what they granted, and new
   * voters by what the old ones may have granted (see Voter).
   */

  /** Heartbeats whose grants are awaited; older ones would give a lease that is nearly over. */
  private static final int AWAITED_MAX = 8;

  private final NodeId self;
  private final ClusterTimes times;
  private final TreeMap<Long, Set<NodeId>> grants = new TreeMap<>();
  private long nextHeartbeatNanos = Long.MIN_VALUE;

  // written by: onGrant and install, first the end; read by any thread
  private volatile long endNanos;
  private volatile boolean isHeld;

  /** Whether it is void in this epoch. For the thread that drives the node. */
  private boolean isGivenUp;

  /** Whether it is void for good. For the thread that drives the node. */
  private boolean isEnded;

  /** Begins without a lease. */
  public Lease(NodeId self, ClusterTimes times) {
    this.self = self;
    this.times = times;
  }

  /** Whether this node may serve. Any thread. */
  public boolean isHeld(long nowNanos) {
    return isHeld && nowNanos - endNanos < 0;
  }

  /** Gives the lease up until the next topology: nobody need wait for this node. */
  void giveUp() {
    isGivenUp = true;
    isHeld = false;
    grants.clear();
  }

  /** Makes the lease void for good: this node ends. Does not fail. */
  public void end() {
    isEnded = true;
    isHeld = false;
  }

  /**
   * Sends a heartbeat to the voters if it is time.
   *
   * @param silent members that this node hears nothing of
   */
  public void tick(Topology topology, Supplier<Set<NodeId>> silent, Outbox outbox, long nowNanos) {
    if (nextHeartbeatNanos != Long.MIN_VALUE && nowNanos - nextHeartbeatNanos < 0) {
      return;
    }
    nextHeartbeatNanos = nowNanos + times.heartbeat();
    if (grants.size() == AWAITED_MAX) {
      grants.pollFirstEntry();
    }
    grants.put(nowNanos, new HashSet<>());
    MembershipMessage.Heartbeat heartbeat =
        new MembershipMessage.Heartbeat(topology.epoch(), nowNanos, silent.get());
    topology.voters().forEach(voter -> outbox.send(voter, heartbeat));
  }

  /** A voter granted a heartbeat. */
  public void onGrant(
      Topology topology, NodeId voter, MembershipMessage.Grant grant, long nowNanos) {
    Set<NodeId> granted = grants.get(grant.sentNanos());
    if (granted == null
        || grant.epoch() != topology.epoch()
        || !topology.voters().contains(voter)
        || topology.member(self) == null
        || isGivenUp
        || isEnded) {
      return;
    }
    granted.add(voter);
    if (!topology.isMajority(granted.size())) {
      return;
    }
    long from = times.holds(Rule.COUNT_FROM_SEND) ? grant.sentNanos() : nowNanos;
    long end = from + times.usableLease();
    if (!isHeld || end - endNanos > 0) {
      endNanos = end;
      isHeld = true;
    }
    for (Iterator<Long> sent = grants.keySet().iterator(); sent.hasNext(); ) {
      if (sent.next() - grant.sentNanos() > 0) {
        break;
      }
      sent.remove();
    }
  }

  /** The topology changed: what was granted under the old one, but not by enough, is void. */
  public void install(Topology topology) {
    grants.clear();
    isGivenUp = false;
    nextHeartbeatNanos = Long.MIN_VALUE;
    if (topology.member(self) == null) {
      isHeld = false;
    }
  }
}
