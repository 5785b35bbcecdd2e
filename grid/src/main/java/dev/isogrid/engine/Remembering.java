package dev.isogrid.engine;

import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Has a node's disk know what the node says. Messages that depend on it are held back until it
 * does, which the protocol allows for any message. For the thread that has the driver's lock.
 */
final class Remembering {
  /*
   * A node that comes back is another member than before. Until it is let in, the cluster may count
   * on the member that it was: it could be a voter, or have entries that nobody else has. So its
   * disk keeps what that member knew, and a node that is started again can still be that one.
   */
  /** A message that waits for the disk to have what was to be kept by then. */
  private record Held(long number, NodeId to, Message message) {}

  private final ClusterMemory memory;
  private final LongConsumer whenKept;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private int epoch;
  private Ballot ballot = Ballot.NONE;
  private int changes;
  private boolean isConcerned;

  /** Whether this node has been a member; until then its disk knows what it was before. */
  private boolean wasMember;

  private long asked;
  private long kept;

  /**
   * Begins with nothing.
   *
   * @param whenKept called by another thread with a number for {@link #kept}
   */
  Remembering(ClusterMemory memory, LongConsumer whenKept) {
    this.memory = memory;
    this.whenKept = whenKept;
  }

  /**
   * Whether messages about what a node accepted have to wait for {@link #update}: what it accepted
   * last may have the first cache whose entries are on disks.
   */
  boolean isConcerned(ClusterNode node) {
    Topology known = node.topology();
    return isConcerned || (known != null && concerns(known, Objects.requireNonNull(node.memory())));
  }

  private boolean concerns(Topology known, Memory now) {
    Proposal accepted = now.accepted();
    boolean isMember = wasMember || known.member(now.self()) != null;
    return isMember
        && (memory.concerns(known) || (accepted != null && memory.concerns(accepted.topology())));
  }

  /** Holds a message back until what the node knows at the next {@link #update} is kept. */
  void hold(NodeId to, Message message) {
    held.add(new Held(asked + 1, to, message));
  }

  /** Has the disk know what a node knows; to be called after each step. */
  void update(ClusterNode node, Outbox outbox) {
    Topology known = node.topology();
    boolean isNew =
        known != null
            && (known.epoch() != epoch
                || node.memoryChanges() != changes
                || node.hasAcceptedSince(ballot));
    if (known != null && isNew) {
      changes = node.memoryChanges();
      ask(known, Objects.requireNonNull(node.memory()));
    }
    release(outbox);
  }

  private void ask(Topology known, Memory now) {
    isConcerned = isConcerned || concerns(known, now);
    wasMember = wasMember || known.member(now.self()) != null;
    epoch = known.epoch();
    ballot = now.acceptedBallot();
    asked++;
    if (isConcerned) {
      long number = asked;
      memory.keep(now, () -> whenKept.accept(number));
    } else {
      kept = asked;
    }
  }

  /** The disk has what was asked for up to a number. */
  void kept(long number, Outbox outbox) {
    kept = Math.max(kept, number);
    release(outbox);
  }

  private void release(Outbox outbox) {
    boolean isAllKept = kept >= asked;
    while (!held.isEmpty() && (isAllKept || held.getFirst().number() <= kept)) {
      Held next = held.removeFirst();
      outbox.send(next.to(), next.message());
    }
  }
}
