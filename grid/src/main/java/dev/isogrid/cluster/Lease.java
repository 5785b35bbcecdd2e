package dev.isogrid.cluster;

import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
   *
   * All of this goes by a clock that must not stand still while other nodes' clocks go on, as that
   * of a virtual machine may while its host holds it. Such a machine sees that its wall clock went
   * on, or will be set. So a lease, and heartbeats under way, are void if the wall clock passed
   * another time since they were sent than the other clock did, either way. That is looked at with
   * each tick, so up to a tick late. A wall clock that is set costs a lease as well, for as long as
   * the next heartbeat takes.
   */

  /** Heartbeats whose grants are awaited; older ones would give a lease that is nearly over. */
  private static final int AWAITED_MAX = 8;

  /**
   * By how much the clocks may differ over the length of a lease: far more than they do where wall
   * clocks are slewed, far less than a lease.
   */
  private static final long DISAGREEMENT_MAX = 200_000_000;

  private static final long NANOS_A_MILLI = 1_000_000;

  /** The times of both clocks at one moment. */
  private record Moment(long nanos, long wallMillis) {
    boolean disagrees(long nowNanos, long nowMillis) {
      long difference = (nowMillis - wallMillis) * NANOS_A_MILLI - (nowNanos - nanos);
      return Math.abs(difference) > DISAGREEMENT_MAX;
    }
  }

  private final NodeId self;
  private final ClusterTimes times;
  private final TreeMap<Long, Set<NodeId>> grants = new TreeMap<>();
  private long nextHeartbeatNanos = Long.MIN_VALUE;

  /** By voter, when the last heartbeat was sent that it granted in this epoch. */
  private final Map<NodeId, Long> grantedBy = new HashMap<>();

  /** Grants of heartbeats that were sent earlier are void; null for none. */
  private @Nullable Long validFromNanos;

  // written by: onGrant and install, first the end; read by any thread
  private volatile long endNanos;
  private volatile boolean isHeld;

  /** When the clocks were last compared; null if nobody does. */
  private @Nullable Moment compared;

  /** When the heartbeat was sent, or one soon before, that gave the lease; null if not known. */
  private @Nullable Moment leased;

  /** Heartbeats that may give a lease, by when they were sent. */
  private final TreeMap<Long, Moment> sent = new TreeMap<>();

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

  /**
   * Whether the newest lease lasts, or lasted, beyond a time that is not in the future, by clocks
   * that agreed. For the thread that drives the node.
   */
  boolean reaches(long nanos) {
    return isHeld && nanos - endNanos < 0;
  }

  /**
   * Whether the newest grant of a voter in this epoch lasts, or lasted, beyond a time that is not
   * in the future, by clocks that agreed. For the thread that drives the node.
   */
  boolean reaches(NodeId voter, long nanos) {
    Long sentNanos = grantedBy.get(voter);
    return sentNanos != null && nanos - (sentNanos + times.usableLease()) < 0;
  }

  /**
   * Compares the clock that leases go by with the wall clock, and makes void what was obtained
   * while they disagreed. To be called with each tick, before it.
   *
   * @return whether they did
   */
  boolean compareClocks(long nowNanos, long wallMillis) {
    Moment before = compared;
    Moment held = leased;
    boolean disagree =
        (before != null && before.disagrees(nowNanos, wallMillis))
            || (isHeld && held != null && held.disagrees(nowNanos, wallMillis));
    compared = new Moment(nowNanos, wallMillis);
    if (disagree) {
      isHeld = false;
      grants.clear();
      grantedBy.clear();
      validFromNanos = nowNanos;
      sent.clear();
      nextHeartbeatNanos = Long.MIN_VALUE;
    }
    return disagree;
  }

  /** Gives the lease up until the next topology: nobody need wait for this node. */
  void giveUp() {
    isGivenUp = true;
    isHeld = false;
    grants.clear();
    grantedBy.clear();
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
    if (compared != null) {
      sent.headMap(grants.firstKey()).clear();
      sent.put(nowNanos, compared);
    }
    MembershipMessage.Heartbeat heartbeat =
        new MembershipMessage.Heartbeat(topology.epoch(), nowNanos, silent.get());
    topology.voters().forEach(voter -> outbox.send(voter, heartbeat));
  }

  /** A voter granted a heartbeat. */
  public void onGrant(
      Topology topology, NodeId voter, MembershipMessage.Grant grant, long nowNanos) {
    if (grant.epoch() != topology.epoch()
        || !topology.voters().contains(voter)
        || topology.member(self) == null
        || isGivenUp
        || isEnded) {
      return;
    }
    Long validFrom = validFromNanos;
    if (validFrom == null || grant.sentNanos() - validFrom >= 0) {
      grantedBy.merge(voter, grant.sentNanos(), (one, other) -> one - other < 0 ? other : one);
    }
    Set<NodeId> granted = grants.get(grant.sentNanos());
    if (granted == null) {
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
      leased = sent.get(grant.sentNanos());
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
    grantedBy.clear();
    isGivenUp = false;
    nextHeartbeatNanos = Long.MIN_VALUE;
    if (topology.member(self) == null) {
      isHeld = false;
    }
  }
}
