package dev.isogrid.engine;

import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.Command.Decision;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.BaseAsked;
import dev.isogrid.engine.SegmentMessage.BaseTold;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Recovery;
import dev.isogrid.topology.SegmentOwners;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the primary of a segment does: decide, have it kept by all, answer. Not thread-safe. */
final class PrimaryRole {
  /*
   * From RECOVERING (the others are being made equal, operations are parked) to ACTIVE to DRAINING
   * (no new operations, the old ones are finished) to RELEASED, which ends with the epoch.
   *
   * An answer depends on committed writes only. A condition that fails is a read, so it needs the
   * lease, and what it saw must be committed. It leaves no entry behind, and so no record: if the
   * same operation were carried out once more it could succeed, after its client was told that it
   * failed. So the primary remembers such an answer for the epoch, and gives it to the first
   * attempt only; another attempt, which may meet another primary, leaves an entry that changes
   * nothing. The client ignores an answer without a record once it made another attempt.
   *
   * A learner gets all writes from the one on that follows the committed ones when its copy begins,
   * and the committed entries in parts meanwhile. When it has them it is asked to be added, and
   * from that moment on no write is committed without it: the topology that adds it may be decided
   * at any time, and then it may become primary.
   *
   * While no other node has a copy or is given one, and none asks, the segment is this node's own:
   * its callers write to the entries without coming here. No other node can become primary, since
   * none is in sync, so neither lease nor log is needed. It ends before a learner begins, before an
   * operation is carried out here, and before the role ends. It does not begin where copies are
   * only missing, as after another node was too slow: such writes leave no records, and what
   * clients repeat could not be answered for some time.
   *
   * The primary of an asynchronous segment applies a write, and answers, when the write has its
   * place, if the primary has a lease and not too many writes are ahead of the others; else they
   * wait as others do. What it applied may be lost with it, but a place of the order must not be
   * that of two writes, since it is the version of an entry and says how far listeners have heard.
   * So each epoch begins behind all places that the primary before may have used: no more writes
   * are pending than that. A copy may have writes that are ahead, and they can't be taken back
   * there: the learner is added when all have them.
   *
   * Replicas keep the answer to an operation with its record, so that one that is sent again gets
   * it from any of them. A large one they don't: it could be the value of an entry, and would stay
   * until its session writes again. The primary keeps it until it has been given, and the latest
   * ones of the node for some time after that. Without it, an operation that is sent again is
   * refused, as one whose record was forgotten.
   *
   * A replica whose node has little memory left says so with its acknowledgements, and puts are
   * refused then: it could not keep them, and must not be without them. It is asked until it has
   * more again.
   *
   * Where entries are on disks, a learner may have some from before. It is asked for them first,
   * and is then given what differs (DeltaSource, IncomingCopy).
   *
   * Such a learner may be the next process of the primary before, whose disk alone has the last
   * writes until this node's disk has them as well. A copy replaces them there. So copies begin
   * when this node's disk has all that there was when it became active as the next primary.
   *
   * A learner that is too far behind is given a new copy, and forgets what it had. What it said to
   * have of the old copy may still be on its way then, so acknowledgements name the copy.
   */
  private enum State {
    IDLE,
    RECOVERING,
    ACTIVE,
    DRAINING,
    RELEASED
  }

  /** Who is to get an answer. */
  private record Waiting(NodeId node, Operation operation, @Nullable Object unrecorded) {}

  /** A result that may be null, in a map. */
  private record Unrecorded(long seenSeq, @Nullable Object result) {}

  private final int index;
  private final ReplicaContext context;
  private final ReplicaLog log;
  private final Map<NodeId, ReplicaPeer> peers = new LinkedHashMap<>();
  private final Set<NodeId> asked = new HashSet<>();
  private final TreeMap<Long, Map<OperationId, Waiting>> waiting = new TreeMap<>();
  private final Map<OperationId, Unrecorded> unrecorded = new LinkedHashMap<>();
  private final Map<OperationId, Waiting> parked = new LinkedHashMap<>();
  private final PendingAnswers largeAnswers;
  private State state = State.IDLE;
  private SegmentOwners owners;
  private long toldCommitSeq;

  /** The last place when it became active. */
  private long activatedSeq;

  /** Whether this node's disk may lack what the primary before it acknowledged. */
  private boolean mayLackOnDisk;

  private long nextRequestNanos;
  private boolean isOwn;
  private final boolean isAsync;

  /** Whether other members are to have copies. */
  private final boolean wantsCopies;

  /** Whether others may have written what this node does not know, at places that follow. */
  private boolean mayLackWrites;

  /** When there was last an operation. */
  private long operatedNanos = Long.MIN_VALUE;

  PrimaryRole(
      int index, ReplicaContext context, ReplicaLog log, SegmentOwners owners, CacheGroup group) {
    this.index = index;
    this.context = context;
    this.log = log;
    this.owners = owners;
    this.mayLackWrites = Recovery.isBetween(0, owners.segEpoch());
    this.isAsync = group.isAsync();
    this.wantsCopies = group.owners() > 1;
    this.largeAnswers =
        new PendingAnswers(context.largeAnswers(), context.limits().records().answerBytes());
  }

  boolean isServing() {
    return state == State.ACTIVE || (state == State.RELEASED && !holds(Rule.DRAIN));
  }

  /** As {@link SegmentReplica#hasAllOfPredecessors}. */
  boolean hasAllOfPredecessors() {
    boolean wasActivated = state != State.IDLE && state != State.RECOVERING;
    return wasActivated && log.keptSeq() >= activatedSeq;
  }

  private void become(State next) {
    endOwn();
    state = next;
    log.committed().serve(isServing());
  }

  /** Leaves the entries to this node's callers if no other node is concerned with them. */
  private void tryOwn(long nowNanos) {
    boolean isQuiet =
        operatedNanos == Long.MIN_VALUE || nowNanos - operatedNanos >= context.times().resend();
    if (!isOwn && state == State.ACTIVE && isQuiet && isAlone() && log.pendingCount() == 0) {
      isOwn = true;
      log.beginOwn();
    }
  }

  /** Whether no other node has a copy, is given one, or is to have one. */
  private boolean isAlone() {
    return peers.isEmpty()
        && owners.isr().size() == 1
        && owners.learners().isEmpty()
        && (!wantsCopies || context.isAlone());
  }

  private void endOwn() {
    if (isOwn) {
      isOwn = false;
      log.endOwn();
      if (log.committed().isWrittenByClients()) {
        log.dedup().noteOwn();
      }
    }
  }

  /** Operations and answers that wait here. */
  int waitingCount() {
    return parked.size() + waiting.values().stream().mapToInt(Map::size).sum();
  }

  private boolean holds(Rule rule) {
    return context.times().holds(rule);
  }

  private void send(NodeId to, SegmentMessage message) {
    context.outbox().send(to, message);
  }

  void install(SegmentOwners next) {
    mayLackWrites |= Recovery.isBetween(owners.segEpoch(), next.segEpoch());
    owners = next;
  }

  /** What this node has is that of another primary from now on, whose places count. */
  void follow() {
    mayLackWrites = false;
  }

  // ---- the beginning and the end of an epoch

  /**
   * The node is primary in a new segment epoch.
   *
   * @param isNext whether it was not in the one before
   */
  void begin(boolean isNext, long nowNanos) {
    become(State.RECOVERING);
    mayLackOnDisk |= isNext;
    log.endCopy();
    forgetPeers();
    asked.clear();
    toldCommitSeq = log.commitSeq();
    if (!holds(Rule.KEEP_SUFFIX)) {
      log.truncate(log.commitSeq());
    }
    if (isAsync) {
      log.skipTo(log.lastSeq() + context.limits().pending());
    }
    if (mayLackWrites) {
      mayLackWrites = false;
      log.skipTo(log.lastSeq() + ReplicatedSegment.LOST_WRITES_MAX);
    }
    for (NodeId node : owners.isr()) {
      if (!node.equals(context.self())) {
        peers.put(node, new ReplicaPeer(false, nowNanos));
        sendSync(node);
      }
    }
    tryActivate(nowNanos);
  }

  private void sendSync(NodeId node) {
    List<LogEntry> tail = log.after(log.commitSeq(), Integer.MAX_VALUE, Long.MAX_VALUE);
    if (tail == null) {
      throw new IllegalStateException("uncommitted writes are missing: segment=" + index);
    }
    send(
        node,
        new Sync(context.epoch(), index, owners.segEpoch(), log.commitSeq(), log.lastSeq(), tail));
  }

  /** Another one is primary, or this one in a new epoch. */
  void end(boolean isStillPrimary) {
    boolean wasActive = state == State.ACTIVE;
    become(State.IDLE);
    if (mayLackWrites && wasActive && !isAsync) {
      log.truncate(
          log.commitSeq()); // no caller has an answer to these, and others may have their places
    }
    forgetPeers();
    asked.clear();
    unrecorded.clear();
    if (!isStillPrimary) {
      largeAnswers.clear();
    }
    Status status = isStillPrimary ? Status.NOT_READY : Status.STALE;
    waiting.values().forEach(all -> all.values().forEach(one -> refuse(one, status)));
    waiting.clear();
    parked.values().forEach(one -> refuse(one, status));
    parked.clear();
  }

  void onSynced(NodeId from, long nowNanos) {
    ReplicaPeer peer = peers.get(from);
    if (peer != null && !peer.isLearner && !peer.isSynced) {
      peer.isSynced = true;
      peer.progressedNanos = nowNanos;
      peer.ackedSeq = log.lastSeq();
      peer.commitSeq = log.commitSeq();
      tryActivate(nowNanos);
    }
  }

  private void tryActivate(long nowNanos) {
    if (state != State.RECOVERING) {
      return;
    }
    boolean isSynced = peers.values().stream().allMatch(peer -> peer.isSynced);
    boolean isReady = isSynced || !holds(Rule.SYNC_FIRST);
    if (!isReady || !isLeased(nowNanos)) {
      return;
    }
    if (isSynced) {
      log.commitUpTo(log.lastSeq());
      largeAnswers.applied(log.appliedSeq());
    }
    activatedSeq = log.lastSeq();
    become(State.ACTIVE);
    trim();
    learnersChanged(nowNanos);
    List<Waiting> unparked = List.copyOf(parked.values());
    parked.clear();
    unparked.forEach(one -> onOperation(one.node, one.operation, nowNanos));
  }

  private boolean isLeased(long nowNanos) {
    return context.lease().isHeld(nowNanos) || !holds(Rule.LEASE);
  }

  // ---- operations

  private void refuse(Waiting one, Status status) {
    refuse(one.node, one.operation, status);
  }

  void refuse(NodeId to, Operation operation, Status status) {
    reply(to, operation, status, false, null);
  }

  private void reply(
      NodeId to, Operation operation, Status status, boolean isRecorded, @Nullable Object result) {
    send(
        to,
        new Reply(
            context.epoch(),
            index,
            owners.segEpoch(),
            operation.id(),
            operation.attempt(),
            status,
            isRecorded,
            result));
  }

  void onOperation(NodeId from, Operation operation, long nowNanos) {
    if (!isServing()) {
      if (parked.size() < context.limits().parked() || parked.containsKey(operation.id())) {
        parked.put(operation.id(), new Waiting(from, operation, null));
      } else {
        refuse(from, operation, Status.NOT_READY);
      }
    } else if (operation.command().isRead()) {
      read(from, operation, nowNanos);
    } else {
      write(from, operation, nowNanos);
    }
  }

  private void read(NodeId from, Operation operation, long nowNanos) {
    if (!isLeased(nowNanos)) {
      refuse(from, operation, Status.NOT_READY);
    } else if (tryHold(from, operation)) {
      try {
        readHeld(from, operation, nowNanos);
      } finally {
        log.committed().release(operation.command());
      }
    }
  }

  private void readHeld(NodeId from, Operation operation, long nowNanos) {
    Object result = operation.command().read(log.committed());
    long seenSeq = log.committed().unkeptSeq(operation.command());
    if (isOwn && seenSeq > log.keptSeq()) {
      endOwn(); // what callers write from now on has places of its own, and is not waited for
      operatedNanos = nowNanos;
    }
    if (seenSeq <= log.keptSeq()) {
      reply(from, operation, Status.DONE, true, result);
    } else if (waiting.getOrDefault(seenSeq, Map.of()).size() < context.limits().pending()) {
      await(seenSeq, new Waiting(from, operation, new Unrecorded(seenSeq, result)));
    } else {
      refuse(from, operation, Status.NOT_READY);
    }
  }

  /**
   * Keeps the entries of an operation in memory, if they are there; else has them read, and comes
   * back to it as if it had come later.
   */
  private boolean tryHold(NodeId from, Operation operation) {
    CommittedEntries committed = log.committed();
    if (committed.tryHold(operation.command())) {
      return true;
    }
    boolean isBegun =
        committed.tryFetch(
            committed.keys(operation.command()),
            (isRead, nowNanos) -> {
              if (isRead) {
                context.repeat(from, operation, nowNanos);
              } else {
                refuse(from, operation, Status.NOT_READY);
              }
            });
    if (!isBegun) {
      refuse(from, operation, Status.NOT_READY);
    }
    return false;
  }

  private void write(NodeId from, Operation operation, long nowNanos) {
    OperationId id = operation.id();
    if (!context.isAlive(id.session()) && holds(Rule.SESSION_END)) {
      boolean mayBeNew = operation.epoch() > context.epoch();
      refuse(from, operation, mayBeNew ? Status.NOT_READY : Status.SESSION_EXPIRED);
      return;
    }
    if (state != State.ACTIVE || !log.committed().knows(operation.command().key())) {
      refuse(from, operation, Status.NOT_READY);
      return;
    }
    if (holds(Rule.DEDUP) && answerFromRecord(from, operation)) {
      return;
    }
    if (isOfOldRecord(from, operation) && holds(Rule.REFUSE_FORGOTTEN)) {
      refuse(from, operation, Status.STALE_OPERATION);
      return;
    }
    if (!tryHold(from, operation)) {
      return;
    }
    try {
      endOwn();
      operatedNanos = nowNanos;
      log.dedup().doneUpTo(id.session(), operation.ackedUpTo());
      execute(from, operation, nowNanos);
    } finally {
      log.committed().release(operation.command());
    }
  }

  /** Whether the record of a client's operation that was sent before may have been forgotten. */
  private boolean isOfOldRecord(NodeId from, Operation operation) {
    if (operation.ageMillis() == ClientOperation.FIRST) {
      return false;
    }
    boolean wasOwnKnown = from.equals(context.self()) || !operation.isRepeatedByClient();
    return (isOwn && !wasOwnKnown) || !log.dedup().isSurelyNew(operation.ageMillis(), wasOwnKnown);
  }

  /** Answers an operation that was carried out before. */
  private boolean answerFromRecord(NodeId from, Operation operation) {
    DedupTable.Done done = log.dedup().find(operation.id());
    if (done != null) {
      if (done.seq() <= log.keptSeq()) {
        replyDone(from, operation, done);
      } else {
        await(done.seq(), new Waiting(from, operation, null));
      }
      return true;
    }
    if (log.dedup().isDoneWith(operation.id())) {
      refuse(from, operation, Status.STALE_OPERATION);
      return true;
    }
    Unrecorded known = unrecorded.get(operation.id());
    if (known != null && operation.attempt() == 1) {
      answerUnrecorded(from, operation, known);
      return true;
    }
    return false;
  }

  /** Answers from a record; without its answer the caller can't know what came of it. */
  private void replyDone(NodeId from, Operation operation, DedupTable.Done done) {
    Object answer = context.largeAnswers().answer(operation.id(), done);
    if (answer instanceof OmittedAnswer) {
      refuse(from, operation, Status.STALE_OPERATION);
    } else {
      reply(from, operation, Status.DONE, true, answer);
    }
  }

  private void answerUnrecorded(NodeId from, Operation operation, Unrecorded known) {
    if (known.result instanceof OmittedAnswer) {
      refuse(from, operation, Status.STALE_OPERATION);
    } else if (known.seenSeq <= log.keptSeq() || !holds(Rule.WAIT_FOR_SEEN)) {
      reply(from, operation, Status.DONE, false, known.result);
    } else {
      await(known.seenSeq, new Waiting(from, operation, known));
    }
  }

  private void await(long seq, Waiting one) {
    waiting.computeIfAbsent(seq, _ -> new LinkedHashMap<>()).put(one.operation.id(), one);
  }

  private void execute(NodeId from, Operation operation, long nowNanos) {
    Object key = operation.command().key();
    LogEntry pending = log.pending(key);
    Object current =
        pending == null ? log.committed(key, operation.command().needsValue()) : pending.value(key);
    long seq = pending == null ? 0 : pending.seq();
    Command command = operation.command().onto(current, seq);
    Decision decision = decide(command, current, seq);
    if (decision.changes() && waitsForDisk(command)) {
      refuse(from, operation, Status.NOT_READY);
      return;
    }
    boolean leavesRecord =
        decision.changes()
            || (operation.attempt() > 1 && holds(Rule.RECORD_RETRIED))
            || !hasRoomForUnrecorded();
    if (!leavesRecord) {
      if (isLeased(nowNanos)) {
        Object result = decision.result();
        boolean isLarge = Sized.of(result) > context.limits().records().answerBytes();
        Object kept = isLarge ? OmittedAnswer.of(result) : result;
        long seenSeq = Math.max(seq, log.committed().unkeptSeq(command));
        unrecorded.put(operation.id(), new Unrecorded(seenSeq, kept));
        answerUnrecorded(from, operation, new Unrecorded(seenSeq, result));
      } else {
        refuse(from, operation, Status.NOT_READY);
      }
      return;
    }
    if (log.pendingCount() >= context.limits().pending()
        || log.pendingBytes() + largeAnswers.bytes() >= context.limits().pendingBytes()) {
      refuse(from, operation, Status.NOT_READY);
      return;
    }
    append(from, operation, command, decision);
    advance(nowNanos);
  }

  private Decision decide(Command command, @Nullable Object current, long seq) {
    Decision wanted = command.decide(current, seq, log.lastSeq() + 1);
    Object refusal = refusal(command, wanted.changes());
    if (refusal != null) {
      return new Decision(false, null, refusal);
    }
    boolean isElsewhere =
        !wanted.changes() && current == null && log.committed().removesElsewhere(command, wanted);
    return isElsewhere ? new Decision(true, null, wanted.result()) : wanted;
  }

  private @Nullable Object refusal(Command command, boolean changes) {
    Object ofCopies =
        changes ? log.committed().refusalOfCopies(command, owners.isr().size()) : null;
    if (ofCopies != null) {
      return ofCopies;
    }
    for (Map.Entry<NodeId, ReplicaPeer> peer : peers.entrySet()) {
      Object refusal =
          changes && peer.getValue().isFull
              ? log.committed().refusal(command, peer.getKey())
              : null;
      if (refusal != null) {
        return refusal;
      }
    }
    return log.committed().refusal(command, changes);
  }

  private boolean waitsForDisk(Command command) {
    boolean isPeerBehind = false;
    for (ReplicaPeer peer : peers.values()) {
      isPeerBehind |= peer.isDiskBehind;
    }
    return log.committed().waitsForDisk(command, isPeerBehind);
  }

  /** Whether one more answer can be remembered, once those are forgotten that are done with. */
  private boolean hasRoomForUnrecorded() {
    if (unrecorded.size() >= context.limits().unrecorded()) {
      unrecorded.keySet().removeIf(log.dedup()::isDoneWith);
    }
    return unrecorded.size() < context.limits().unrecorded();
  }

  private void append(NodeId from, Operation operation, Command command, Decision decision) {
    long seq = log.lastSeq() + 1;
    LogEntry entry =
        new LogEntry(
            seq,
            operation.command().key(),
            decision.changes(),
            decision.changes() ? decision.value() : null,
            operation.id(),
            operation.ackedUpTo(),
            largeAnswers.recorded(operation.id(), seq, decision.result()));
    if (decision.changes()) {
      log.committed().accepted(command, seq);
    }
    log.append(entry, true);
    await(seq, new Waiting(from, operation, null));
    Append append =
        new Append(context.epoch(), index, owners.segEpoch(), List.of(entry), log.commitSeq());
    toldCommitSeq = log.commitSeq();
    peers.forEach((node, peer) -> {
      if (!peer.isQueued) {
        send(node, append);
      }
    });
  }

  // ---- acknowledgements

  void onAppended(NodeId from, Appended appended, long nowNanos) {
    ReplicaPeer peer = peers.get(from);
    if (peer == null || appended.startSeq() != peer.copyStartSeq) {
      return;
    }
    peer.commitSeq = Math.max(peer.commitSeq, appended.commitSeq());
    peer.isFull = appended.isFull();
    peer.isDiskBehind = appended.isDiskBehind();
    if (peer.isSynced && appended.lastSeq() > peer.ackedSeq) {
      peer.ackedSeq = Math.min(appended.lastSeq(), log.lastSeq());
      peer.progressedNanos = nowNanos;
      peer.sentNanos = nowNanos;
      advance(nowNanos);
      tryAsk(from, peer, nowNanos);
    }
  }

  /** Commits what all replicas have, and answers who waits for what is applied. */
  private void advance(long nowNanos) {
    if (state == State.RECOVERING) {
      return;
    }
    long everywhere = log.lastSeq();
    for (Map.Entry<NodeId, ReplicaPeer> peer : peers.entrySet()) {
      boolean counts =
          !peer.getValue().isLearner || (asked.contains(peer.getKey()) && holds(Rule.UNION));
      if (counts && holds(Rule.COMMIT_ALL)) {
        everywhere = Math.min(everywhere, peer.getValue().ackedSeq);
      }
    }
    log.commitUpTo(everywhere);
    if (isAsync) {
      applyAhead(nowNanos);
    }
    trim();
    answerKept();
    if (state == State.DRAINING) {
      release(nowNanos);
    }
  }

  /** Answers who waits for what is applied, and on the disk where the cache wants that. */
  void answerKept() {
    if (state == State.RECOVERING || state == State.IDLE) {
      return;
    }
    long kept = waiting.isEmpty() ? 0 : log.keptSeq();
    while (!waiting.isEmpty() && waiting.firstKey() <= kept) {
      Map.Entry<Long, Map<OperationId, Waiting>> next = waiting.pollFirstEntry();
      largeAnswers.applied(next.getKey());
      next.getValue().values().forEach(this::answer);
    }
    largeAnswers.applied(log.appliedSeq());
  }

  private void applyAhead(long nowNanos) {
    if (state == State.ACTIVE && isLeased(nowNanos)) {
      ReplicaLimits limits = context.limits();
      log.applyAhead(limits.pending() / 2, limits.pendingBytes() / 2);
    }
    peers.forEach((node, peer) -> tryAsk(node, peer, nowNanos));
  }

  private void answer(Waiting one) {
    if (one.unrecorded instanceof Unrecorded known) {
      boolean isRead = one.operation.command().isRead(); // its answer is final, though not recorded
      reply(one.node, one.operation, Status.DONE, isRead, known.result);
      return;
    }
    DedupTable.Done done = log.dedup().find(one.operation.id());
    if (done != null) {
      replyDone(one.node, one.operation, done);
    } else {
      refuse(one.node, one.operation, Status.STALE_OPERATION);
    }
  }

  /** Keeps what learners lack, up to a limit; a learner that lacks more begins anew. */
  private void trim() {
    long needed = log.commitSeq();
    for (ReplicaPeer peer : peers.values()) {
      if (peer.isLearner && peer.isSynced) {
        needed = Math.min(needed, peer.ackedSeq);
      }
    }
    log.trim(Math.max(needed, log.commitSeq() - context.limits().history()));
    log.trimToBytes(context.limits().historyBytes());
  }

  // ---- copies for learners

  /** Begins the copies of the learners that are new, if this node's disk has enough. */
  void learnersChanged(long nowNanos) {
    if (state != State.ACTIVE || (mayLackOnDisk && !hasAllOfPredecessors())) {
      return;
    }
    mayLackOnDisk = false;
    if (!owners.learners().isEmpty()) {
      endOwn();
    }
    for (NodeId node : owners.learners()) {
      if (!peers.containsKey(node)) {
        ReplicaPeer peer = new ReplicaPeer(true, nowNanos);
        peers.put(node, peer);
        queueCopy(node, peer, nowNanos);
      }
    }
  }

  /** Queues a copy for a learner, which replaces the one before. */
  private void queueCopy(NodeId node, ReplicaPeer peer, long nowNanos) {
    endCopy(node, peer);
    peer.isCopied = false;
    peer.isQueued = true;
    peer.basePlaces = Map.of();
    peer.askedNumber++;
    FormerEntries base = log.committed().base();
    peer.isAsked = base != null && base.isPossible();
    if (peer.isAsked) {
      peer.sentNanos = nowNanos;
      ask(node, peer);
    } else {
      startCopy(node, peer, nowNanos);
    }
  }

  private void ask(NodeId node, ReplicaPeer peer) {
    send(node, new BaseAsked(context.epoch(), index, owners.segEpoch(), peer.askedNumber));
  }

  /** A learner says what it has from before. */
  void onBaseTold(NodeId from, BaseTold told, long nowNanos) {
    ReplicaPeer peer = peers.get(from);
    if (peer != null && peer.isAsked && peer.askedNumber == told.number()) {
      peer.isAsked = false;
      peer.basePlaces = told.places();
      peer.progressedNanos = nowNanos;
      startCopy(from, peer, nowNanos);
    }
  }

  private void startCopy(NodeId node, ReplicaPeer peer, long nowNanos) {
    LearnerCopy copy = new LearnerCopy(node, peer);
    peer.copy = copy;
    CopyQueue queue = context.copiesTo(node);
    queue.add(copy);
    queue.send(nowNanos);
  }

  /** The copy for a learner, from when it waits for its turn. */
  private final class LearnerCopy implements CopyQueue.Copy {
    private final NodeId node;
    private final ReplicaPeer peer;
    private CommittedEntries.ScanState state = CommittedEntries.ScanState.READY;

    LearnerCopy(NodeId node, ReplicaPeer peer) {
      this.node = node;
      this.peer = peer;
    }

    @Override
    public void sendPart(long nowNanos) {
      if (peer.isQueued) {
        beginCopy(peer, nowNanos);
      }
      ReplicaLimits limits = context.limits();
      Object position = peer.position;
      state =
          log.committed()
              .prepareScan(
                  position,
                  limits.chunk(),
                  limits.chunkBytes(),
                  (isRead, now) -> onRead(position, isRead, now));
      if (state == CommittedEntries.ScanState.READY) {
        sendChunk(node, peer, nowNanos);
      }
    }

    private void onRead(@Nullable Object position, boolean isRead, long nowNanos) {
      boolean isCurrent = equals(peer.copy) && Objects.equals(peer.position, position);
      if (isCurrent && isRead) {
        goOn(nowNanos);
      } else if (isCurrent) {
        state = CommittedEntries.ScanState.REFUSED;
      }
    }

    private void goOn(long nowNanos) {
      state = CommittedEntries.ScanState.READY;
      CopyQueue queue = context.copiesTo(node);
      queue.add(this);
      queue.send(nowNanos);
    }

    /** Tries again to read the next part, if that was refused. */
    void retry(long nowNanos) {
      if (state == CommittedEntries.ScanState.REFUSED) {
        goOn(nowNanos);
      }
    }

    @Override
    public boolean isWaiting() {
      return state != CommittedEntries.ScanState.READY;
    }

    @Override
    public boolean isSent() {
      return peer.isScanned || peer.isComparing;
    }
  }

  private void beginCopy(ReplicaPeer peer, long nowNanos) {
    long startSeq = holds(Rule.COPY_FROM_COMMITTED) ? log.appliedSeq() : log.lastSeq();
    peer.isQueued = false;
    peer.isSynced = true;
    peer.isScanned = false;
    peer.copyStartSeq = startSeq;
    peer.ackedSeq = startSeq;
    peer.commitSeq = startSeq;
    peer.sentNanos = nowNanos;
    peer.progressedNanos = nowNanos;
    peer.nextChunk = 0;
    peer.copiedBytes = 0;
    peer.isComparing = false;
    DeltaSource delta = DeltaSource.of(peer.basePlaces, log.committed(), startSeq, seed(startSeq));
    peer.delta = delta;
    peer.position = delta == null ? log.committed().newScan() : log.committed().beginScan(delta);
  }

  /** Another one for each copy; nobody outside of the cluster can know it. */
  private long seed(long startSeq) {
    NodeId self = context.self();
    long seed = EntryPrint.mixed(self.high() ^ owners.segEpoch());
    seed = EntryPrint.mixed(seed ^ self.low() ^ index);
    return EntryPrint.mixed(seed ^ startSeq);
  }

  /** Gives up what is under way of a copy. */
  private void endCopy(NodeId node, ReplicaPeer peer) {
    if (peer.position != null) {
      log.committed().endScan(peer.position);
      peer.position = null;
    }
    peer.isComparing = false;
    peer.delta = null;
    CopyQueue.Copy copy = peer.copy;
    if (copy != null) {
      long onWay = peer.chunks.stream().mapToLong(ReplicaPeer.Sent::bytes).sum();
      context.copiesTo(node).remove(copy, onWay);
      peer.copy = null;
      peer.chunks.clear();
    }
  }

  private void forgetPeers() {
    peers.forEach(this::endCopy);
    peers.clear();
  }

  private void sendChunk(NodeId node, ReplicaPeer peer, long nowNanos) {
    ReplicaLimits limits = context.limits();
    CommittedEntries.Batch batch = log.scan(peer.position, limits.chunk(), limits.chunkBytes());
    int number = peer.nextChunk++;
    peer.position = batch.position();
    boolean isEnd = batch.position() == null;
    DeltaSource delta = peer.delta;
    peer.isComparing = isEnd && delta != null && !delta.isRepairing();
    peer.isScanned = isEnd && !peer.isComparing;
    peer.scannedSeq = log.appliedSeq();
    Chunk chunk =
        new Chunk(
            context.epoch(),
            index,
            owners.segEpoch(),
            number,
            peer.copyStartSeq,
            number == 0 ? log.dedup().copy(peer.copyStartSeq) : null,
            batch.entries(),
            batch.blocks(),
            delta == null ? CopyDelta.NONE : delta.part(number == 0, isEnd),
            peer.isScanned);
    long bytes = chunk.sizeBytes();
    long part = context.copiesTo(node).sent(bytes);
    peer.chunks.add(new ReplicaPeer.Sent(chunk, bytes, part, nowNanos));
    peer.copiedBytes += bytes;
    context.copies().sent(bytes);
    send(node, chunk);
  }

  /** Copies that are being sent. */
  int copying() {
    int count = 0;
    for (ReplicaPeer peer : peers.values()) {
      count += peer.isLearner && !peer.isCopied ? 1 : 0;
    }
    return count;
  }

  /** Bytes of entries that were sent of the copies that are not complete yet. */
  long copiedBytes() {
    long bytes = 0;
    for (ReplicaPeer peer : peers.values()) {
      bytes += peer.isLearner ? peer.copiedBytes : 0;
    }
    return bytes;
  }

  void onChunkStored(NodeId from, ChunkStored stored, long nowNanos) {
    ReplicaPeer peer = peers.get(from);
    if (peer == null || peer.chunks.isEmpty() || stored.startSeq() != peer.copyStartSeq) {
      return;
    }
    CopyQueue queue = context.copiesTo(from);
    while (!peer.chunks.isEmpty() && peer.chunks.element().chunk().number() <= stored.number()) {
      ReplicaPeer.Sent first = peer.chunks.remove();
      queue.stored(first.bytes(), first.part(), nowNanos);
      peer.progressedNanos = nowNanos;
    }
    if (peer.isComparing && peer.chunks.isEmpty()) {
      compared(from, peer, stored.differing());
    }
    if (peer.isScanned && peer.chunks.isEmpty() && !peer.isCopied) {
      peer.isCopied = true;
      context.copies().completed();
      tryAsk(from, peer, nowNanos);
    }
    queue.send(nowNanos);
  }

  /** A learner answered to the last part of the first walk, which has the sums. */
  private void compared(NodeId from, ReplicaPeer peer, List<EntryPrints> differing) {
    DeltaSource delta = peer.delta;
    CopyQueue.Copy copy = peer.copy;
    peer.isComparing = false;
    if (delta == null || copy == null || differing.isEmpty()) {
      peer.isScanned = true;
      return;
    }
    delta.repair(differing);
    peer.position = log.committed().beginScan(delta);
    context.copiesTo(from).add(copy);
  }

  /** Sends parts of a copy again if the first one was lost. */
  private void resendChunks(NodeId node, ReplicaPeer peer, long nowNanos) {
    CopyQueue queue = context.copiesTo(node);
    ReplicaPeer.Sent first = peer.chunks.peek();
    if (first == null || !queue.isLost(first.part(), first.sentNanos(), nowNanos)) {
      return;
    }
    List<ReplicaPeer.Sent> lost = List.copyOf(peer.chunks);
    peer.chunks.clear();
    for (ReplicaPeer.Sent each : lost) {
      long part = queue.sentAgain();
      peer.chunks.add(new ReplicaPeer.Sent(each.chunk(), each.bytes(), part, nowNanos));
      send(node, each.chunk());
    }
  }

  private void tryAsk(NodeId node, ReplicaPeer peer, long nowNanos) {
    long needed = Math.max(log.commitSeq(), peer.scannedSeq);
    boolean isCaughtUp =
        peer.isLearner
            && peer.isCopied
            && peer.ackedSeq >= needed
            && log.commitSeq() >= peer.scannedSeq;
    if (state == State.ACTIVE && isCaughtUp && asked.add(node)) {
      nextRequestNanos = nowNanos;
      request(nowNanos);
    }
  }

  /** Tells the voters what this primary wants of them, until a topology ends it. */
  private void request(long nowNanos) {
    if (nowNanos - nextRequestNanos < 0) {
      return;
    }
    nextRequestNanos = nowNanos + context.times().resend();
    for (NodeId voter : context.voters()) {
      for (NodeId learner : asked) {
        context
            .outbox()
            .send(voter, new AddIsr(context.epoch(), index, owners.segEpoch(), learner));
      }
      if (state == State.RELEASED) {
        NodeId self = context.self();
        context.outbox().send(voter, new Released(context.epoch(), index, owners.segEpoch(), self));
      }
    }
  }

  // ---- giving the segment up, and what is due

  void drain(long nowNanos) {
    if (state == State.ACTIVE) {
      become(State.DRAINING);
      release(nowNanos);
    }
  }

  private void release(long nowNanos) {
    if (log.pendingCount() == 0) {
      become(State.RELEASED);
      nextRequestNanos = nowNanos;
      request(nowNanos);
    }
  }

  void tick(long nowNanos) {
    tryActivate(nowNanos);
    tryOwn(nowNanos);
    if (mayLackOnDisk) {
      learnersChanged(nowNanos);
    }
    if (!asked.isEmpty() || state == State.RELEASED) {
      request(nowNanos);
    }
    boolean tellsCommit = state != State.RECOVERING && toldCommitSeq < log.commitSeq();
    peers.forEach((node, peer) -> catchUp(node, peer, tellsCommit, nowNanos));
    toldCommitSeq = Math.max(toldCommitSeq, tellsCommit ? log.commitSeq() : 0);
  }

  /** Whether nothing is to be done until the next message or topology. */
  boolean isIdle() {
    if (state != State.ACTIVE || !asked.isEmpty() || toldCommitSeq < log.commitSeq()) {
      return state == State.IDLE;
    }
    if ((!isOwn && isAlone()) || (mayLackOnDisk && !owners.learners().isEmpty())) {
      return false;
    }
    for (ReplicaPeer peer : peers.values()) {
      boolean hasAll = peer.ackedSeq >= log.lastSeq() && peer.commitSeq >= log.commitSeq();
      boolean isCopying = peer.isLearner && !peer.isCopied;
      if (!peer.isSynced || isCopying || peer.isFull || peer.isDiskBehind || !hasAll) {
        return false;
      }
    }
    return true;
  }

  /** Has the voters do without a replica that does not answer. */
  private void watch(NodeId node, ReplicaPeer peer, long nowNanos) {
    boolean owesOther =
        !peer.isQueued
            && (!peer.isSynced || peer.ackedSeq < log.lastSeq() || !peer.chunks.isEmpty());
    boolean owes = peer.isAsked || owesOther;
    if (owes && !peer.owes) {
      peer.owesSinceNanos = nowNanos;
    }
    peer.owes = owes;
    if (owes) {
      context.reachability().waitsFor(node, peer.owesSinceNanos, nowNanos);
      long sinceNanos =
          peer.owesSinceNanos - peer.progressedNanos > 0
              ? peer.owesSinceNanos
              : peer.progressedNanos;
      context.reachability().waitsForProgress(node, sinceNanos, nowNanos);
    }
  }

  private void catchUp(NodeId node, ReplicaPeer peer, boolean tellsCommit, long nowNanos) {
    watch(node, peer, nowNanos);
    boolean isLate = nowNanos - peer.sentNanos >= context.times().resend(log.pendingBytes());
    if (isLate) {
      peer.sentNanos = nowNanos;
    }
    if (peer.isQueued) {
      if (peer.isAsked && isLate) {
        ask(node, peer);
      }
      return;
    }
    if (!peer.isSynced) {
      if (isLate) {
        sendSync(node);
      }
      return;
    }
    if (isLate && peer.copy instanceof LearnerCopy copy) {
      copy.retry(nowNanos);
    }
    resendChunks(node, peer, nowNanos);
    boolean isBehind = peer.ackedSeq < log.lastSeq() || peer.commitSeq < log.commitSeq();
    boolean resends = isLate && (isBehind || peer.isFull || peer.isDiskBehind);
    if (!resends && !tellsCommit) {
      return;
    }
    List<LogEntry> entries =
        resends
            ? log.after(peer.ackedSeq, context.limits().batch(), context.limits().batchBytes())
            : List.of();
    if (entries == null) {
      queueCopy(node, peer, nowNanos);
      return;
    }
    send(node, new Append(context.epoch(), index, owners.segEpoch(), entries, log.commitSeq()));
  }
}
