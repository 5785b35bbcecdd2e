package dev.isogrid.engine;

import dev.isogrid.cluster.Membership;
import dev.isogrid.cluster.MembershipMessage;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: its vote, its replicas, the operations that it wants done. It is driven from
 * outside by messages and by the clock, has no threads and never blocks; what it sends goes to the
 * outbox. Not thread-safe.
 */
public final class ClusterNode {
  private final NodeId self;
  private final ClusterNodeConfig config;
  private final Outbox outbox;
  private final Membership membership;
  private final Calls calls;
  private final ReplicaContext context;
  private final IntFunction<CommittedEntries> containers;
  private final List<SegmentReplica> replicas = new ArrayList<>();

  /**
   * A node that belongs to no cluster yet.
   *
   * @param containers makes the empty container of a segment
   * @param listener is told of what is committed here
   */
  public ClusterNode(
      NodeId self,
      ClusterNodeConfig config,
      Outbox outbox,
      IntFunction<CommittedEntries> containers,
      CommitListener listener,
      RandomGenerator random) {
    this.self = self;
    this.config = config;
    this.outbox = outbox;
    this.containers = containers;
    this.membership = new Membership(self, config.times(), config.owners(), outbox, random);
    this.calls = new Calls(self, config.times(), outbox, config.callsMax());
    this.context =
        new ReplicaContext(
            self, config.times(), config.limits(), outbox, membership.lease(), listener);
  }

  /** The node. */
  public NodeId self() {
    return self;
  }

  /** What this node knows of who owns what, or null if it is in no cluster yet. */
  public @Nullable Topology topology() {
    return membership.topology();
  }

  /** Whether this node answers for a segment at a time. */
  public boolean isServing(int segment, long nowNanos) {
    return !replicas.isEmpty()
        && replicas.get(segment).isServing()
        && membership.lease().isHeld(nowNanos);
  }

  /** The replica of a segment. */
  SegmentReplica replica(int segment) {
    return replicas.get(segment);
  }

  /** Whether it has replicas, which it has since it knows a topology. */
  boolean hasReplicas() {
    return !replicas.isEmpty();
  }

  /** Operations without an answer. */
  int callCount() {
    return calls.count();
  }

  /** Begins with a topology that all its members begin with. */
  public void found(Topology first, long nowNanos) {
    install(first, nowNanos);
  }

  /** Says which nodes there are, members or not. */
  public void discovered(List<NodeId> nodes) {
    membership.discovered(nodes);
  }

  /**
   * Asks to be taken in, from now on and whenever this node is no member.
   *
   * @param contacts nodes that may be members
   */
  public void join(List<NodeId> contacts, float capacity, String zone) {
    membership.join(contacts, capacity, zone);
  }

  /** Begins to ask to be let go: others get its segments first. */
  public void leave() {
    membership.leave();
  }

  /** Whether this node has left as it wanted, and can be stopped. */
  public boolean hasLeft() {
    return membership.hasLeft();
  }

  /**
   * Wants an operation done.
   *
   * @param deadlineNanos when it is given up
   * @param whenDone gets what became of it, in a later call of this node or at once
   * @return false if too many operations wait already
   */
  public boolean tryInvoke(
      Command command, long deadlineNanos, Consumer<Outcome> whenDone, long nowNanos) {
    int segment = config.segmentOf().applyAsInt(command.key());
    return calls.tryBegin(command, segment, deadlineNanos, whenDone, nowNanos);
  }

  /** Does what is due. */
  public void tick(long nowNanos) {
    membership.tick(nowNanos);
    for (SegmentReplica replica : replicas) {
      replica.tick(nowNanos);
    }
    calls.tick(nowNanos);
  }

  /** A message came. */
  public void onMessage(NodeId from, Message message, long nowNanos) {
    switch (message) {
      case Drain drain -> {
        if (hasReplicas() && drain.segment() < replicas.size()) {
          replicas.get(drain.segment()).onDrain(drain.segEpoch(), nowNanos);
        }
      }
      case MembershipMessage other -> {
        Topology decided = membership.onMessage(from, other, nowNanos);
        if (decided != null) {
          install(decided, nowNanos);
        }
      }
      case Reply reply -> {
        membership.compare(from, reply.epoch(), nowNanos);
        calls.onReply(reply, nowNanos);
      }
      case SegmentMessage other -> onSegmentMessage(from, other, nowNanos);
      default -> throw new IllegalArgumentException("no message of this node: " + message);
    }
  }

  private void onSegmentMessage(NodeId from, SegmentMessage message, long nowNanos) {
    membership.compare(from, message.epoch(), nowNanos);
    if (message.segment() >= replicas.size()) {
      return;
    }
    SegmentReplica replica = replicas.get(message.segment());
    int segEpoch = replica.owners().segEpoch();
    if (message.segEpoch() == segEpoch) {
      replica.onMessage(from, message, nowNanos);
    } else if (message instanceof Operation operation && operation.segEpoch() < segEpoch) {
      outbox.send(from, refusal(operation, segEpoch));
    } else if (message instanceof Append && !config.times().holds(Rule.FENCE)) {
      replica.onMessage(from, message, nowNanos);
    }
  }

  private Reply refusal(Operation operation, int segEpoch) {
    Topology known = membership.topology();
    return new Reply(
        known == null ? 0 : known.epoch(),
        operation.segment(),
        segEpoch,
        operation.id(),
        operation.attempt(),
        Status.STALE,
        false,
        null);
  }

  private void install(Topology topology, long nowNanos) {
    boolean isFirst = replicas.isEmpty();
    membership.install(topology, nowNanos);
    for (int i = 0; i < topology.segments().size(); i++) {
      if (isFirst) {
        replicas.add(new SegmentReplica(i, context, containers.apply(i), topology));
      }
      replicas.get(i).install(topology, isFirst, nowNanos);
    }
    calls.install(topology, nowNanos);
  }
}
