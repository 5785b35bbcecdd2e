package dev.isogrid.engine;

import dev.isogrid.cluster.Ballot;
import dev.isogrid.cluster.FormerLives;
import dev.isogrid.cluster.Membership;
import dev.isogrid.cluster.MembershipMessage;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.Memory;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.Outbox;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  /*
   * The node only divides the work: messages of the membership, answers to calls and messages of
   * segments each go to one object, and these don't know each other. What they share, as topology,
   * records and copies, is in the context. Each new topology is installed in all of them before the
   * next message, so within a message all of them are of one epoch.
   *
   * Segments without work sleep. A tick costs what is awake, however many segments there are.
   */

  /** Segments whose records are looked at in one tick for those that nobody needs. */
  private static final int SWEPT_MAX = 512;

  /** How often sessions of clients are looked for that nothing came from: a tenth of their time. */
  private static final long UNUSED_NANOS = DedupTable.KEPT_NANOS / 10;

  /** How often it is looked whether what predecessors had is on this node's disk. */
  private static final long PREDECESSORS_NANOS = 50_000_000;

  /** What is remembered of them: many more than primaries follow each other in that time. */
  private static final int PREDECESSORS_MAX = 64;

  private final NodeId self;
  private final ClusterNodeConfig config;
  private final Outbox outbox;
  private final Membership membership;
  private final Calls calls;
  private final ReplicaContext context;
  private final IntFunction<CommittedEntries> containers;
  private final TopologyListener topologies;
  private final List<SegmentReplica> replicas = new ArrayList<>();

  /** Those that have something to do as time goes by: few of them, where little is written. */
  private final List<SegmentReplica> awake = new ArrayList<>();

  /** The segment that is looked at next, and how many still are. */
  private int nextSwept;

  private int toSweep;

  /** When sessions of clients are looked at next that nothing came from. */
  private long nextUnusedNanos = Long.MIN_VALUE;

  /** As in {@link Memory}. */
  private final Map<Integer, List<NodeId>> predecessors = new HashMap<>();

  /** How often the predecessors have changed. */
  private int predecessorChanges;

  private long nextPredecessorsNanos = Long.MIN_VALUE;

  private final RelayedOperations relayed = new RelayedOperations();

  /**
   * A node that belongs to no cluster yet.
   *
   * @param containers makes the empty container of a segment, when a topology first has it
   * @param listener is told of what is committed here
   * @param topologies is told of what the cluster becomes
   */
  public ClusterNode(
      NodeId self,
      ClusterNodeConfig config,
      Outbox outbox,
      IntFunction<CommittedEntries> containers,
      CommitListener listener,
      TopologyListener topologies,
      RandomGenerator random) {
    this.self = self;
    this.config = config;
    this.outbox = outbox;
    this.containers = containers;
    this.topologies = topologies;
    this.membership = new Membership(self, config.times(), outbox, random);
    CopyPace pace = new CopyPace(config.copies());
    this.calls = new Calls(self, config.times(), outbox, config.callsMax(), pace);
    this.context =
        new ReplicaContext(
            self, config.times(), config.limits(), outbox, membership.lease(), listener, pace);
    context.repeatBy(this::onSegmentMessage);
  }

  /** The node. */
  public NodeId self() {
    return self;
  }

  /** What this node knows of who owns what, or null if it is in no cluster yet. */
  public @Nullable Topology topology() {
    return membership.topology();
  }

  /** Says what this node has on its disk of former lives; before it knows a topology. */
  void remember(FormerLives lives) {
    membership.remember(lives);
    context.remember(lives);
  }

  /** What this node is to remember of its cluster, or null if it is in none. */
  @Nullable Memory memory() {
    return membership.memory(predecessors);
  }

  /** How often something of {@link #memory} changed apart from topologies and votes. */
  int memoryChanges() {
    return predecessorChanges;
  }

  /** Whether this node accepted something since it remembered a ballot. */
  boolean hasAcceptedSince(Ballot remembered) {
    return membership.hasAcceptedSince(remembered);
  }

  /** Whether this node knows a later topology than one, or any if that is null. */
  boolean isNewerThan(@Nullable Topology other) {
    Topology known = membership.topology();
    return known != null && (other == null || known.epoch() > other.epoch());
  }

  /** Whether this node may serve what it is primary of. Any thread. */
  boolean isLeased(long nowNanos) {
    return membership.lease().isHeld(nowNanos);
  }

  /** Whether this node answers for a segment at a time. */
  public boolean isServing(int segment, long nowNanos) {
    return segment < replicas.size()
        && replicas.get(segment).isServing()
        && membership.lease().isHeld(nowNanos);
  }

  /** Whether this node answers reads of a segment at a time, as its primary or as a backup. */
  boolean isReadable(int segment, long nowNanos) {
    return isServing(segment, nowNanos)
        || (segment < replicas.size()
            && replicas.get(segment).isReadable()
            && membership.lease().isHeld(nowNanos));
  }

  /** The replica of a segment. */
  SegmentReplica replica(int segment) {
    return replicas.get(segment);
  }

  /** The number of segments that this node knows of. */
  int replicaCount() {
    return replicas.size();
  }

  /** How often a topology came that is not of this cluster. */
  long foreignTopologies() {
    return membership.foreignTopologies();
  }

  /** The identity of the cluster that the last of these topologies is of, or null. */
  @Nullable String foreignIdentity() {
    return membership.foreignIdentity();
  }

  /** The number of segments that have something to do as time goes by. */
  int awakeCount() {
    return awake.size();
  }

  /** Operations without an answer. */
  int callCount() {
    return calls.count();
  }

  /**
   * Makes void what lets this node's callers read and write here without asking anybody. For good,
   * and before anything else when the node ends. Neither allocates nor fails, so that it can be
   * done whatever went wrong.
   */
  void end() {
    membership.lease().end();
    for (int i = 0; i < replicas.size(); i++) {
      replicas.get(i).log().committed().end();
    }
  }

  /** Waits for callers of this node that began to write before {@link #end}. */
  void awaitWriters() {
    replicas.forEach(replica -> replica.log().committed().awaitWriters());
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
  public void join(List<NodeId> contacts, MemberProfile profile) {
    membership.discovered(contacts);
    membership.updateProfile(profile);
  }

  /** Changes the profile of this node; the others learn it. */
  public void updateProfile(MemberProfile profile) {
    membership.updateProfile(profile);
  }

  /**
   * Asks for a cache, from now on until the topology has one of that name, which may be another
   * one: the first one counts. {@link Topology#refusal} says why it may be in vain.
   *
   * @return false if this node asks for too many already
   */
  public boolean tryDefine(CacheRequest request) {
    return membership.tryDefine(request);
  }

  /**
   * Asks from now on for a cache to be removed, until it is not in the topology.
   *
   * @param id its number; another cache of that name stays
   * @return false if this node asks for too many already
   */
  public boolean tryUndefine(String name, int id) {
    return membership.tryUndefine(name, id);
  }

  /** Asks nothing of the caches of a name any more; what was sent may still be done. */
  public void forget(String name) {
    membership.forget(name);
  }

  /**
   * Asks from now on for rebalancing to pause or to go on, until the topology shows it.
   *
   * @param group the place of a group, or {@link dev.isogrid.topology.Pauses#ALL}
   */
  public void pause(int group, boolean isPaused) {
    membership.pause(group, isPaused);
  }

  /** Asks for neither any more; what was sent may still be done. */
  public void forgetPause(int group) {
    membership.forgetPause(group);
  }

  /**
   * Asks from now on for copies to have a speed, until the topology shows it.
   *
   * @param bytesPerSecondMax as in {@link dev.isogrid.topology.Pauses}
   */
  public void limitCopies(long bytesPerSecondMax) {
    membership.limitCopies(bytesPerSecondMax);
  }

  /** Asks for no other speed any more. */
  public void forgetLimit() {
    membership.forgetLimit();
  }

  /**
   * Asks from now on for the segments of a group that are offline to be begun anew, without their
   * entries, until the topology shows it. Copies that there may be are given up by that.
   *
   * @param group the place of a group
   * @param inEpoch the epoch in which they are; those that are offline later are not meant
   */
  public void restartLost(int group, int inEpoch) {
    membership.restartLost(group, inEpoch);
  }

  /** Does not ask for it any more; what was sent may still be done. */
  public void forgetRestart(int group) {
    membership.forgetRestart(group);
  }

  /**
   * Begins to recover the majority, since an operator says that members are gone for good. The
   * topology shows it, or {@link #recoveryRefusal} says why not.
   *
   * @param without the members that are gone; what only they know is given up by that
   */
  public void recover(Set<NodeId> without, long nowNanos) {
    membership.recover(without, nowNanos);
  }

  /** Gives that up, unless it is decided already. */
  void forgetRecovery() {
    membership.forgetRecovery();
  }

  /** Returns why the last recovery that began here failed, or null if it did not yet. */
  public @Nullable String recoveryRefusal() {
    return membership.recoveryRefusal();
  }

  /** Returns whether this node knows all that was decided before these nodes died. */
  boolean knowsEndOf(Set<NodeId> nodes) {
    return membership.knowsEndOf(nodes);
  }

  /** What this node is to do with copies. O(segments). */
  CopyState copyState() {
    Topology known = membership.topology();
    int underWay = 0;
    int left = 0;
    long bytesLeft = 0;
    if (known != null) {
      int[] missing = Planner.missingCopies(known, membership.leaving());
      for (int i = 0; i < missing.length; i++) {
        SegmentOwners owners = known.segments().get(i);
        if (missing[i] > 0 && self.equals(owners.primary())) {
          underWay += replicas.get(i).copying();
          left += missing[i];
          bytesLeft += replicas.get(i).bytesToCopy(missing[i]);
        }
      }
    }
    CopyLedger copies = context.copies();
    return new CopyState(underWay, left, bytesLeft, copies.bytes(), copies.copies());
  }

  /** Bytes that this node has sent of copies since it started. Any thread. */
  long copiedBytes() {
    return context.copies().bytes();
  }

  /**
   * Says that the processes of nodes are dead. This must be true: a dead node is not waited for.
   *
   * @param refusedNanos by node, when a connection to it was refused, by this node's clock
   */
  public void gone(Map<NodeId, Long> refusedNanos) {
    membership.gone(refusedNanos);
  }

  /** The members that this node begins to miss, each once in a silence; for each tick. */
  Set<NodeId> newlyMissed(long nowNanos) {
    return membership.newlyMissed(nowNanos);
  }

  /** Why this node may not serve now, in words, or null if it may. */
  public @Nullable String obstacle(long nowNanos) {
    return membership.obstacle(nowNanos);
  }

  /** Begins to ask to be let go: others get its segments first. */
  public void leave() {
    membership.leave();
  }

  /** Whether there is a member that could take over what this node keeps. */
  public boolean hasHeirs() {
    return membership.hasHeirs();
  }

  /** Whether this node has left as it wanted, and can be stopped. */
  public boolean hasLeft() {
    return membership.hasLeft();
  }

  /**
   * Wants an operation done.
   *
   * @param segment the number of the key's segment in the cluster; the operation waits if there is
   *     none yet
   * @param deadlineNanos when it is given up
   * @param whenDone gets what became of it, in a later call of this node or at once
   * @return false if too many operations wait already
   */
  public boolean tryInvoke(
      Command command, int segment, long deadlineNanos, Consumer<Outcome> whenDone, long nowNanos) {
    return tryInvoke(command, null, null, segment, deadlineNanos, whenDone, nowNanos);
  }

  /**
   * As {@link #tryInvoke(Command, int, long, Consumer, long)}, for an operation that a client may
   * repeat.
   *
   * @param client the client's operation, or null if this node alone asks for it
   * @param trace its place in a trace, or null
   */
  // tidy: the parts of an operation
  public boolean tryInvoke(
      Command command,
      @Nullable ClientOperation client,
      @Nullable CallTrace trace,
      int segment,
      long deadlineNanos,
      Consumer<Outcome> whenDone,
      long nowNanos) {
    if (segment < 0 || segment >= Topology.SEGMENTS_MAX) {
      throw new IllegalArgumentException(
          "no number of a segment: segment=%d, max=%d"
              .formatted(segment, Topology.SEGMENTS_MAX - 1));
    }
    return calls.tryBegin(command, client, trace, segment, deadlineNanos, whenDone, nowNanos);
  }

  /**
   * Compares the clocks; to be called before each {@link #tick}, at the same time.
   *
   * @param wallMillis the wall clock
   * @return whether they disagree, so that this node has no lease until it got the next one
   */
  boolean compareClocks(long nowNanos, long wallMillis) {
    return membership.compareClocks(nowNanos, wallMillis);
  }

  /** Something of another member came at a time, and may wait to be looked at. */
  public boolean onArrival(NodeId from, long nanos) {
    return membership.onArrival(from, nanos);
  }

  /**
   * More is on this node's disk, of caches of some segments.
   *
   * @param first the first of them
   */
  void forced(int first, int count) {
    for (int segment = first; segment < Math.min(first + count, replicas.size()); segment++) {
      replicas.get(segment).onForced();
    }
  }

  /**
   * Returns whether nothing is due soon, as far as this node knows: a later tick does as well. What
   * comes next is a message, an operation, or the next heartbeat.
   */
  boolean isQuiet(long nowNanos) {
    return awake.isEmpty() && calls.count() == 0 && membership.isQuiet(nowNanos);
  }

  /**
   * Returns whether a tick at once decides what later ticks would, since there is no other node.
   */
  boolean isDueAlone() {
    return membership.isDueAlone();
  }

  /** Does what is due. */
  public void tick(long nowNanos) {
    context.records().tick(nowNanos);
    Topology decided = membership.tick(nowNanos);
    if (decided != null) {
      install(decided, nowNanos);
    }
    context.reachability().setBusy(membership.busy(nowNanos));
    int kept = 0;
    for (SegmentReplica replica : awake) {
      replica.tick(nowNanos);
      if (!replica.trySleep()) {
        awake.set(kept++, replica);
      }
    }
    awake.subList(kept, awake.size()).clear();
    forgetPredecessors(nowNanos);
    context.sendCopies(nowNanos);
    sweep(nowNanos);
    calls.tick(nowNanos);
  }

  /** Forgets those whose disks have nothing that this node's disk lacks, if it is time. */
  private void forgetPredecessors(long nowNanos) {
    boolean isDue =
        nextPredecessorsNanos == Long.MIN_VALUE || nowNanos - nextPredecessorsNanos >= 0;
    if (!predecessors.isEmpty() && isDue) {
      settle(nowNanos);
    }
  }

  /** Brings {@link #memory} up to date with what is on this node's disk; before it ends. */
  void settle(long nowNanos) {
    nextPredecessorsNanos = nowNanos + PREDECESSORS_NANOS;
    if (predecessors.keySet().removeIf(at -> replicas.get(at).hasAllOfPredecessors())) {
      predecessorChanges++;
    }
  }

  /**
   * Remembers the primary of a segment before a topology if this node is in sync after it: until
   * this node's disk has all writes that the other one may have acknowledged.
   */
  private void notePredecessor(int segment, SegmentOwners before, SegmentOwners next) {
    boolean isGoingOn = next.isr().contains(self) && next.restarts() == before.restarts();
    NodeId primary = before.primary();
    if (!isGoingOn) {
      predecessors.remove(segment);
    } else if (primary != null && !primary.equals(self) && !primary.equals(next.primary())) {
      List<NodeId> known = predecessors.computeIfAbsent(segment, _ -> new ArrayList<>());
      if (!known.contains(primary) && known.size() < PREDECESSORS_MAX) {
        known.add(primary);
      }
    }
  }

  /** Forgets the records of operations that sessions are done with, in some segments at a time. */
  private void sweep(long nowNanos) {
    if (nextUnusedNanos == Long.MIN_VALUE || nowNanos - nextUnusedNanos >= 0) {
      nextUnusedNanos = nowNanos + UNUSED_NANOS;
      toSweep = replicas.size();
    }
    for (int i = 0; i < SWEPT_MAX && toSweep > 0; i++) {
      nextSwept = nextSwept < replicas.size() ? nextSwept : 0;
      replicas.get(nextSwept++).forgetDone();
      toSweep--;
    }
  }

  /** A message came. */
  public void onMessage(NodeId from, Message message, long nowNanos) {
    context.records().tick(nowNanos);
    switch (message) {
      case Drain drain -> {
        if (drain.segment() < replicas.size()) {
          SegmentReplica replica = replicas.get(drain.segment());
          replica.onDrain(from, drain.segEpoch(), nowNanos);
          wake(replica);
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
        NodeId caller = caller(reply.id());
        if (caller.equals(self)) {
          calls.onReply(from, reply, nowNanos);
        } else {
          outbox.send(caller, reply); // which does not reach the primary
        }
      }
      case SessionDone done -> {
        if (context.tryNoteDone(done.last())) {
          toSweep = replicas.size();
        }
      }
      case SegmentMessage other -> onSegmentMessage(from, other, nowNanos);
      default -> throw new IllegalArgumentException("no message of this node: " + message);
    }
  }

  /** The node that wants the answer to an operation. */
  private NodeId caller(OperationId id) {
    if (!id.session().isOfClient()) {
      return id.session().node();
    }
    NodeId other = relayed.remove(id);
    return other == null ? self : other;
  }

  private void onSegmentMessage(NodeId from, SegmentMessage message, long nowNanos) {
    membership.compare(from, message.epoch(), nowNanos);
    if (message.segment() >= replicas.size()) {
      return;
    }
    SegmentReplica replica = replicas.get(message.segment());
    int segEpoch = replica.owners().segEpoch();
    if (message instanceof Operation operation && isToBeRelayed(from, operation)) {
      if (operation.id().session().isOfClient()) {
        relayed.add(operation.id(), from);
      }
      outbox.send(Objects.requireNonNull(replica.owners().primary()), operation);
    } else if (message.segEpoch() == segEpoch) {
      replica.onMessage(from, message, nowNanos);
      wake(replica);
    } else if (message instanceof Operation operation && operation.segEpoch() < segEpoch) {
      outbox.send(from, refusal(operation, segEpoch));
    } else if (message instanceof Append && !config.times().holds(Rule.FENCE)) {
      replica.onMessage(from, message, nowNanos);
    }
  }

  /**
   * Whether a caller that knows who the primary is, and does not reach it, wants an operation to be
   * passed on. What another node passed on goes no further.
   */
  boolean isToBeRelayed(NodeId from, Operation operation) {
    if (from.equals(self) || operation.segment() >= replicas.size()) {
      return false;
    }
    SegmentOwners owners = replicas.get(operation.segment()).owners();
    NodeId primary = owners.primary();
    SessionId session = operation.id().session();
    // All nodes have the same primary in an epoch, so the operation of a client ends there, too.
    return operation.segEpoch() == owners.segEpoch()
        && primary != null
        && !primary.equals(self)
        && (session.isOfClient() || from.equals(session.node()));
  }

  private void wake(SegmentReplica replica) {
    if (replica.wake()) {
      awake.add(replica);
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
    topologies.onTopology(membership.topology(), topology);
    membership.install(topology, nowNanos);
    if (context.install(topology)) {
      for (SegmentReplica replica : replicas) {
        replica.retainSessions();
        wake(replica);
      }
    }
    for (int i = 0; i < topology.segments().size(); i++) {
      install(i, topology, nowNanos);
    }
    membership.waitedFor(copiesWaitedFor(topology));
    dropIdleBases(topology);
    context.forgetCopies(topology);
    calls.install(topology, nowNanos);
  }

  /** By segment that is offline and waits for this node, whether it has its copy of it. */
  private Map<Integer, Boolean> copiesWaitedFor(Topology topology) {
    Map<Integer, Boolean> copies = new HashMap<>();
    for (int i = 0; i < topology.segments().size(); i++) {
      SegmentOwners owners = topology.segments().get(i);
      if (owners.isOffline() && owners.isr().contains(self)) {
        copies.put(i, replicas.get(i).hasCopy());
      }
    }
    return copies;
  }

  /**
   * Forgets the entries from before of segments that this node will not be given copies of, when
   * the segments have all their copies: their primaries have begun then, and the disk of this node
   * is not asked for. One that leaves, or was cut off, keeps them for its return.
   */
  private void dropIdleBases(Topology topology) {
    boolean isStaying = topology.member(self) != null && !membership.isLeaving();
    if (!isStaying || replicas.stream().noneMatch(SegmentReplica::hasIdleBase)) {
      return;
    }
    BitSet wanted = Planner.wantedAt(topology, self);
    int[] missing = Planner.missingCopies(topology, Set.of());
    for (int i = 0; i < replicas.size(); i++) {
      if (!wanted.get(i) && missing[i] == 0 && replicas.get(i).hasIdleBase()) {
        replicas.get(i).dropBase();
      }
    }
  }

  private void install(int segment, Topology topology, long nowNanos) {
    SegmentOwners owners = topology.segments().get(segment);
    boolean isFirst = segment == replicas.size();
    if (isFirst) {
      CommittedEntries committed = containers.apply(segment);
      CacheGroup group = topology.groupOf(segment);
      replicas.add(new SegmentReplica(segment, context, committed, owners, group));
    }
    SegmentReplica replica = replicas.get(segment);
    if (!isFirst) {
      notePredecessor(segment, replica.owners(), owners);
    }
    if (isFirst || !owners.equals(replica.owners())) {
      replica.install(owners, isFirst, nowNanos);
      wake(replica);
    }
  }
}
