package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which other nodes answer this one as replicas. Voters may hear a node that this one does not
 * reach, or is not reached by, and then nothing is committed that needs it; so they are told. Not
 * thread-safe.
 */
final class Reachability {
  /** Long enough for the largest message on a slow network: 64 MiB at 4 MB a second. */
  private static final int STALLED_TIMES = 16;

  /** How many times as long as usual a busy replica may leave this node without an answer. */
  private static final int BUSY_TIMES = 4;

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final Map<NodeId, Long> answeredNanos = new HashMap<>();
  private final Map<NodeId, Long> nextComplaintNanos = new HashMap<>();
  private List<NodeId> voters = List.of();
  private Set<NodeId> busy = Set.of();
  private int epoch;

  Reachability(NodeId self, ClusterTimes times, Outbox outbox) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
  }

  /** Takes a topology over. */
  void install(Topology topology) {
    epoch = topology.epoch();
    voters = topology.voters();
    answeredNanos.keySet().removeIf(node -> topology.member(node) == null);
    nextComplaintNanos.keySet().removeIf(node -> topology.member(node) == null);
  }

  /** Other members send messages and hear this one, though they may be slow to answer. */
  void setBusy(Set<NodeId> nodes) {
    busy = nodes;
  }

  /** A replica answered this node as its primary, whatever the segment. */
  void answered(NodeId node, long nowNanos) {
    answeredNanos.put(node, nowNanos);
  }

  /**
   * Tells the voters, not more often than messages are sent again, if a replica gave no answer of
   * any kind for longer than a silent member would be given up. To do without a replica that is
   * only busy would leave its segments with fewer copies just when there is much to lose.
   *
   * @param sinceNanos since when this node waits for an answer
   */
  void waitsFor(NodeId node, long sinceNanos, long nowNanos) {
    Long answered = answeredNanos.get(node);
    long patience = busy.contains(node) ? BUSY_TIMES * times.patience() : times.patience();
    boolean isSilent =
        nowNanos - sinceNanos >= patience && (answered == null || nowNanos - answered >= patience);
    if (isSilent) {
      complain(node, nowNanos);
    }
  }

  /**
   * Tells the voters, not more often than messages are sent again, if a replica made no progress in
   * a segment for a long time, whatever it answers in others: what it lacks may never reach it.
   *
   * @param sinceNanos since when this node waits, or when the replica last made progress
   */
  void waitsForProgress(NodeId node, long sinceNanos, long nowNanos) {
    if (nowNanos - sinceNanos >= STALLED_TIMES * times.patience()) {
      complain(node, nowNanos);
    }
  }

  private void complain(NodeId node, long nowNanos) {
    Long next = nextComplaintNanos.get(node);
    if (next == null || nowNanos - next >= 0) {
      nextComplaintNanos.put(node, nowNanos + times.resend());
      voters.forEach(voter -> outbox.send(voter, new Unreached(epoch, self, node)));
    }
  }
}
