package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that nodes learn of topologies that they missed, and that few are sent: they are
 * large. Not thread-safe.
 */
final class TopologyNews {
  /*
   * Whoever decided on a topology tells everybody. So a node that is heard to be behind most often
   * has the news on its way already: it is told only if it is still behind after a pause, or if it
   * asks. And whoever hears that it is behind asks one of the others, not all of them.
   */

  /** The pause is this part of the time after which a message is sent again. */
  private static final int PAUSE_FRACTION = 4;

  /** Peers that are remembered; more than a cluster has. */
  private static final int PEERS_MAX = 4096;

  private static final class Peer {
    private int behindEpoch;
    private long behindNanos;
    private long toldNanos;

    Peer(long neverNanos) {
      this.toldNanos = neverNanos;
    }
  }

  private final Outbox outbox;
  private final long pauseNanos;
  private final Map<NodeId, Peer> peers = new HashMap<>();
  private long askedNanos;
  private boolean hasAsked;

  TopologyNews(ClusterTimes times, Outbox outbox) {
    this.outbox = outbox;
    this.pauseNanos = times.resend() / PAUSE_FRACTION;
  }

  /**
   * A node is behind.
   *
   * @param asks whether it wants to know, and does not only say what it knows
   */
  void onBehind(NodeId node, Topology mine, boolean asks, long nowNanos) {
    if (peers.size() >= PEERS_MAX && !peers.containsKey(node)) {
      peers.clear();
    }
    Peer peer = peers.computeIfAbsent(node, _ -> new Peer(nowNanos - pauseNanos));
    if (peer.behindEpoch != mine.epoch()) {
      peer.behindEpoch = mine.epoch();
      peer.behindNanos = nowNanos;
    }
    boolean isStillBehind = nowNanos - peer.behindNanos >= pauseNanos;
    if ((asks || isStillBehind) && nowNanos - peer.toldNanos >= pauseNanos) {
      peer.toldNanos = nowNanos;
      outbox.send(node, new Learn(mine));
    }
  }

  /**
   * A node is ahead.
   *
   * @param mine what this node knows, or null
   */
  void onAhead(NodeId node, @Nullable Topology mine, long nowNanos) {
    if (!hasAsked || nowNanos - askedNanos >= pauseNanos) {
      hasAsked = true;
      askedNanos = nowNanos;
      outbox.send(node, new Fetch(mine == null ? 0 : mine.epoch()));
    }
  }

  /** This node took a topology over: there may be yet another one. */
  void install() {
    hasAsked = false;
  }
}
