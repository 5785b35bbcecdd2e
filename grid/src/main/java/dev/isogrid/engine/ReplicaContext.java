package dev.isogrid.engine;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.FormerLives;
import dev.isogrid.cluster.Lease;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.cluster.Rule;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The common state of all replicas of a node. Not thread-safe. */
final class ReplicaContext {
  private final NodeId self;
  private final ClusterTimes times;
  private final ReplicaLimits limits;
  private final Outbox outbox;
  private final Lease lease;
  private final CommitListener listener;
  private final Reachability reachability;
  private final CopyLedger copies = new CopyLedger();
  private final CopyPace pace;
  private final Map<NodeId, CopyQueue> copyQueues = new HashMap<>();
  private final RecordRoom records;
  private final LargeAnswers largeAnswers;

  /** The sessions that are alive, each with its last operation that nobody asks for again. */
  private final Map<SessionId, Long> doneUpTo = new HashMap<>();

  /** Takes a message once more that had to wait for a disk. Written by {@link #repeatBy}. */
  private Repeating repeating = (_, _, _) -> {};

  private FormerLives former = FormerLives.none();
  private Set<SessionId> sessions = Set.of();
  private List<NodeId> voters = List.of();
  private int epoch;

  /**
   * That of a node that knows no topology yet.
   *
   * @param limits the caps of what a replica keeps
   * @param pace says when copies may be sent
   */
  ReplicaContext(
      NodeId self,
      ClusterTimes times,
      ReplicaLimits limits,
      Outbox outbox,
      Lease lease,
      CommitListener listener,
      CopyPace pace) {
    this.self = self;
    this.times = times;
    this.limits = limits;
    this.outbox = outbox;
    this.lease = lease;
    this.listener = listener;
    this.pace = pace;
    this.reachability = new Reachability(self, times, outbox);
    this.records = new RecordRoom(limits.records(), times.holds(Rule.REFUSE_FORGOTTEN));
    this.largeAnswers = new LargeAnswers(limits.records().largeBytes());
  }

  /** Takes a message as if it came. */
  @FunctionalInterface
  interface Repeating {
    /** A message came from a node. */
    void take(NodeId from, SegmentMessage message, long nowNanos);
  }

  /** Says what takes messages that had to wait; once, before any came. */
  void repeatBy(Repeating node) {
    repeating = node;
  }

  /** Takes a message again, whatever became of its segment since it came. */
  void repeat(NodeId from, SegmentMessage message, long nowNanos) {
    repeating.take(from, message, nowNanos);
  }

  NodeId self() {
    return self;
  }

  /** Says what this node's disk has of former lives. */
  void remember(FormerLives lives) {
    former = lives;
  }

  /** Whether one of some replicas was this node, in a former life that its disk remembers. */
  boolean wasAmong(List<NodeId> replicas) {
    return former.isAmong(replicas);
  }

  /** Whether this node's disk may have segments of former lives. */
  boolean hasFormerLives() {
    return former.isAny();
  }

  /** Takes note that a segment on this node's disk is not that of a former life any more. */
  void noteChanged(int segment) {
    former.changed(segment);
  }

  ClusterTimes times() {
    return times;
  }

  ReplicaLimits limits() {
    return limits;
  }

  Outbox outbox() {
    return outbox;
  }

  Lease lease() {
    return lease;
  }

  CommitListener listener() {
    return listener;
  }

  /** The copies that were sent. */
  CopyLedger copies() {
    return copies;
  }

  /** The copies that are sent to a node. */
  CopyQueue copiesTo(NodeId node) {
    return copyQueues.computeIfAbsent(
        node, _ -> new CopyQueue(pace, limits.copyWindowBytes(), times.resendCopies()));
  }

  /** Forgets the queues of nodes that are no members; nothing is in them any more. */
  void forgetCopies(Topology topology) {
    copyQueues.keySet().removeIf(node -> topology.member(node) == null);
  }

  /** Sends what may be sent of copies by now. */
  void sendCopies(long nowNanos) {
    copyQueues.values().forEach(queue -> queue.send(nowNanos));
  }

  Reachability reachability() {
    return reachability;
  }

  /** The memory of the records of operations. */
  RecordRoom records() {
    return records;
  }

  /** Answers that no record has. */
  LargeAnswers largeAnswers() {
    return largeAnswers;
  }

  /** The operations that sessions are done with, in all segments. */
  Map<SessionId, Long> doneUpTo() {
    return doneUpTo;
  }

  /**
   * A session is done with its operations up to one.
   *
   * @return whether that was not known
   */
  boolean tryNoteDone(OperationId last) {
    SessionId session = last.session();
    if (!sessions.contains(session) || doneUpTo.getOrDefault(session, 0L) >= last.number()) {
      return false;
    }
    doneUpTo.put(session, last.number());
    largeAnswers.forget(id -> id.session().equals(session) && id.number() <= last.number());
    return true;
  }

  /**
   * Takes a topology over.
   *
   * @return whether other sessions are alive than before
   */
  boolean install(Topology topology) {
    epoch = topology.epoch();
    voters = topology.voters();
    reachability.install(topology);
    pace.limit(topology.pauses().bytesPerSecondMax());
    Set<SessionId> before = sessions;
    sessions = new HashSet<>();
    for (Member member : topology.members()) {
      sessions.add(new SessionId(member.id(), member.joinedEpoch()));
    }
    doneUpTo.keySet().retainAll(sessions);
    if (!sessions.equals(before)) {
      largeAnswers.forget(id -> !isAlive(id.session()));
    }
    return !sessions.equals(before);
  }

  /** Whether there is one member. */
  boolean isAlone() {
    return sessions.size() == 1;
  }

  /** The epoch of the topology. */
  int epoch() {
    return epoch;
  }

  /** The nodes that decide on the next topology. */
  List<NodeId> voters() {
    return voters;
  }

  /** Whether a session is one of a member's present life, or of a client, which may come back. */
  boolean isAlive(SessionId session) {
    return session.isOfClient() || sessions.contains(session);
  }
}
