package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Recover;
import dev.isogrid.cluster.MembershipMessage.Recoverable;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Recovery;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of a cluster without a majority of its voters, after an operator said that the
 * others are gone for good. Not thread-safe.
 */
final class MajorityRecovery {
  /*
   * The protocol can't know that the others are dead. The operator's word replaces that knowledge,
   * and everything else is verified.
   *
   * One node, the recovering one, asks all members that are to stay. A member with a lease refuses,
   * since a majority of the voters answers it. Any other member promises to take part in nothing
   * else for some time, and reports what it accepted. The recovering node decides only when all
   * have promised. So of two recovering nodes only one decides: a member that stays in both
   * recoveries promises to one of them. An accepted topology may have been decided, so the newest
   * one is kept.
   *
   * A promise lasts twice as long as the recovering node has time, counted from its first question.
   * So no promise has ended when it decides.
   *
   * If the operator is wrong, and the others live and are a majority, both parts of the cluster
   * serve. When they meet, the recovered part wins: its epoch is far above theirs. Writes that the
   * others acknowledged are lost then, as the operator's question says.
   */

  /** The time of the recovering node, in leases. */
  private static final int DECIDED_WITHIN = 4;

  /** The length of a promise, in times of the recovering node. */
  private static final int PROMISED_LONGER = 2;

  private final NodeId self;
  private final ClusterTimes times;
  private final Outbox outbox;
  private final Lease lease;
  private final Voter voter;

  /** The recovery that this node asks for now, or null. */
  private @Nullable Recovery recovery;

  /** The number of the recovery: answers to an earlier one do not count. */
  private long attempt;

  private long begunNanos;
  private long resendNanos;
  private final Map<NodeId, Recoverable> promises = new HashMap<>();

  /** Why the last recovery failed, or null. */
  private @Nullable String refusal;

  /** The node that this one promised, or null; and until when. */
  private @Nullable NodeId promisedTo;

  private long promisedUntilNanos;

  MajorityRecovery(NodeId self, ClusterTimes times, Outbox outbox, Lease lease, Voter voter) {
    this.self = self;
    this.times = times;
    this.outbox = outbox;
    this.lease = lease;
    this.voter = voter;
  }

  /** Returns why the last recovery that this node began failed, or null if it did not yet. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Returns whether this node takes part in a recovery, and so in nothing else. */
  boolean isPromised(long nowNanos) {
    return promisedTo != null && nowNanos - promisedUntilNanos < 0;
  }

  /**
   * Begins to recover the majority.
   *
   * @param without the members that are gone for good
   */
  void begin(@Nullable Topology known, Set<NodeId> without, long nowNanos) {
    attempt++;
    promises.clear();
    recovery = null;
    String reason = refusalOf(self, nowNanos);
    if (known == null || known.member(self) == null || without.contains(self)) {
      reason = "it is no member that stays";
    }
    refusal = reason.isEmpty() ? null : refused(self, reason);
    if (known != null && reason.isEmpty()) {
      recovery = new Recovery(known, without);
      begunNanos = nowNanos;
      resendNanos = nowNanos;
      promise(self, nowNanos);
      promises.put(self, answer(known.epoch(), attempt, ""));
    }
  }

  private static String refused(NodeId node, String reason) {
    return "node=%s, since %s".formatted(node, reason);
  }

  /** Gives up what this node began. */
  void forget() {
    recovery = null;
  }

  /**
   * Asks those that did not answer, and goes on when all have.
   *
   * @return the topology to go on with, or null
   */
  @Nullable Topology tick(long nowNanos) {
    Recovery now = recovery;
    if (now == null) {
      return null;
    }
    Set<NodeId> missing = new TreeSet<>(now.staying());
    missing.removeAll(promises.keySet());
    if (nowNanos - begunNanos >= DECIDED_WITHIN * times.lease()) {
      refusal = "no answer came in time: nodes=" + missing;
      recovery = null;
      return null;
    }
    if (missing.isEmpty()) {
      recovery = null;
      return next(now).topology();
    }
    if (nowNanos - resendNanos >= 0) {
      resendNanos = nowNanos + times.resend();
      Recover ask = new Recover(now.last().epoch(), attempt, now.without());
      missing.forEach(node -> outbox.send(node, ask));
    }
    return null;
  }

  /** The same recovery, from what the members accepted last, if they accepted something. */
  private Recovery next(Recovery now) {
    Recoverable newest = null;
    for (Recoverable each : promises.values()) {
      boolean isNewer =
          newest == null || each.acceptedBallot().compareTo(newest.acceptedBallot()) > 0;
      newest = each.accepted() != null && isNewer ? each : newest;
    }
    if (newest == null || newest.accepted() == null) {
      return now;
    }
    Recovery adopted = new Recovery(newest.accepted().topology(), now.without());
    return adopted.staying().isEmpty() ? now : adopted;
  }

  /** A node asks this member. */
  void onRecover(Topology known, NodeId from, Recover ask, long nowNanos) {
    String reason = ask.without().contains(self) ? "it is alive" : refusalOf(from, nowNanos);
    if (reason.isEmpty()) {
      promise(from, nowNanos);
    }
    outbox.send(from, answer(known.epoch(), ask.attempt(), reason));
  }

  private void promise(NodeId to, long nowNanos) {
    promisedTo = to;
    promisedUntilNanos = nowNanos + PROMISED_LONGER * DECIDED_WITHIN * times.lease();
  }

  /** Why this node does not promise, or nothing. */
  private String refusalOf(NodeId to, long nowNanos) {
    if (lease.isHeld(nowNanos)) {
      return "a majority of the voters answers it";
    }
    boolean isOther = isPromised(nowNanos) && !to.equals(promisedTo);
    return isOther ? "it takes part in another recovery; try again later" : "";
  }

  private Recoverable answer(int epoch, long ofAttempt, String reason) {
    return new Recoverable(epoch, ofAttempt, reason, voter.acceptedBallot(), voter.accepted());
  }

  /** A member answers. */
  void onRecoverable(NodeId from, Recoverable answer) {
    Recovery now = recovery;
    if (now == null || answer.attempt() != attempt || !now.staying().contains(from)) {
      return;
    }
    if (answer.refusal().isEmpty()) {
      promises.put(from, answer);
    } else {
      refusal = refused(from, answer.refusal());
      recovery = null;
    }
  }

  /** Another topology is known: whatever was under way is done, or in vain. */
  void install() {
    if (recovery != null) {
      refusal = "the cluster decided on something meanwhile; look at it again";
      recovery = null;
    }
    promisedTo = null;
  }
}
