package dev.isogrid.engine;

import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.BaseAsked;
import dev.isogrid.engine.SegmentMessage.BaseTold;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.engine.SegmentMessage.Synced;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Recovery;
import dev.isogrid.topology.SegmentOwners;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A node's part in one segment: none, learner, backup or primary. Not thread-safe. */
final class SegmentReplica {
  /*
   * Primary and backups as in primary-backup replication with in-sync replicas: the primary gives
   * each write its place, sends the effect to the others, and takes it for committed when all of
   * them have it. See W. Lin et al., PacificA, MSR-TR-2008-25,
   * https://www.microsoft.com/en-us/research/publication/pacifica-replication-in-log-based-distributed-storage-systems/
   *
   * Who the others are is decided by the topology alone. Each change of primary or replicas is a
   * new segment epoch, in which the primary first makes the others equal to itself: what they have
   * beyond its own log was never acknowledged, and what it has may have been, so that stays.
   *
   * A backup acts upon its primary's messages only after it was made equal in this epoch; it then
   * refuses those of older epochs, so an old primary can't get a write committed any more.
   *
   * A backup answers reads, too, under its lease and while it knows all that it acknowledged to be
   * committed: a write that is committed anywhere was acknowledged by it, so it is in what is read,
   * and while something is not known to be committed the primary is asked instead. A topology takes
   * it out of the replicas only when it gave the segment up, or when its lease is over.
   *
   * A cache may be defined in a group whose segments go on, so a write to it can come before the
   * topology that has it. A replica would drop such a write for want of a cache, as it drops
   * writes to removed caches. So it takes, and acknowledges, only what belongs to a cache that it
   * has heard of. Everything names the epoch of its sender, which makes the replica ask for the
   * topology; until that comes the primary sends again.
   *
   * A segment that lost all its replicas may be begun anew at a node that has nothing of it, or has
   * what it was once, which is given up: the entries of before must not come back here and there.
   * Nobody knows which places were taken, and a place is that of one write, even if it is lost:
   * entries have versions by it, and listeners know by it how far they have heard. So each restart
   * goes a long way up (firstPlace), much further than a segment comes by writes.
   *
   * After a recovery of the majority that was wrong, the topology may wait for a replica that has
   * no copy: the others had done without it, and it gave its copy up. It must not begin the segment
   * empty. So while a segment is offline, its replicas say whether they have their copies
   * (hasCopy), and only those that have may go on with it.
   *
   * Where a cache is on disk as well, a node that is not in sync any more, or was started again,
   * keeps what it has of the segment until it is given a copy, or is not to be given one. If its
   * former process was in sync, or a primary not long before, and nobody else has the segment, the
   * topology may make it a replica without a copy: it then continues with what it has.
   *
   * Where a cache is on disk as well, each copy is written where it is applied. A replica becomes
   * one that is in sync only when its copy is on its disk, since others may drop theirs then; and
   * the primary answers, where that is wanted, when its own disk has the write.
   *
   * In an asynchronous segment the primary applies writes, and answers, before the others have them
   * (PrimaryRole). Everything else is the same: if it is not primary any more, it takes back what
   * is not committed, and it may be lost as it may be where it was not answered.
   */

  /** Messages that wait while entries are read: about what a primary may have under way. */
  private static final int HELD_MAX = 1024;

  /** The greater, the shorter is the first way up and the longer are the last ones. */
  private static final int RESTART_STEPS = 16;

  private final int index;
  private final ReplicaContext context;
  private final ReplicaLog log;
  private final PrimaryRole primary;
  private final IncomingCopy copy;
  private final boolean isAsync;
  private SegmentOwners owners;
  private Role role = Role.NONE;
  private boolean isSynced;

  /** As a backup that is in sync, the last place of its primary when it was made equal. */
  private long syncedSeq;

  private boolean isAwake;

  /** Whether this node gave the segment up as a backup, in this segment epoch. */
  private boolean isReleased;

  private boolean isReadable;

  /** Whether entries from before were kept when this node took up its role. */
  private boolean hasBase;

  /**
   * Whether this node has all that was acknowledged when it was in sync, and gave nothing of it up
   * since.
   */
  private boolean hasCopy;

  /** What waits until the entries are in memory that it concerns, in its order. */
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** Whether they are being read. */
  private boolean isFetching;

  /** How often what waits was given up, since the role is another one. */
  private int givenUp;

  /** A message that waits. */
  private record Held(NodeId from, SegmentMessage message) {}

  /** How often the segment had been restarted when it was what this node keeps of it. */
  private int restarts;

  /** What the node is to the segment. */
  enum Role {
    /** It keeps nothing. */
    NONE,
    /** It is being given a copy. */
    LEARNER,
    /** It keeps what the primary sends. */
    BACKUP,
    /** It decides. */
    PRIMARY
  }

  SegmentReplica(
      int index,
      ReplicaContext context,
      CommittedEntries committed,
      SegmentOwners owners,
      CacheGroup group) {
    this.index = index;
    this.context = context;
    this.owners = owners;
    this.isAsync = group.isAsync();
    this.log =
        new ReplicaLog(
            committed,
            entry -> context.listener().onCommit(context.self(), index, entry),
            context.records());
    this.primary = new PrimaryRole(index, context, log, owners, group);
    this.copy = new IncomingCopy(index, context, log);
  }

  SegmentOwners owners() {
    return owners;
  }

  Role role() {
    return role;
  }

  ReplicaLog log() {
    return log;
  }

  /** The caps of what it keeps. */
  ReplicaLimits limits() {
    return context.limits();
  }

  /** Operations and answers that wait. */
  int waitingCount() {
    return primary.waitingCount();
  }

  /** Whether it answers, a lease provided. */
  boolean isServing() {
    return role == Role.PRIMARY && primary.isServing();
  }

  /**
   * Whether this node answers reads as a backup, a lease provided: what is committed here is all
   * that it acknowledged, so nothing else can be committed anywhere.
   */
  boolean isReadable() {
    return isReadable;
  }

  private void updateReadable() {
    boolean isSettled = log.pendingCount() == 0 || !context.times().holds(Rule.READ_SETTLED);
    boolean isGivenUp = isReleased && context.times().holds(Rule.DRAIN);
    boolean now = role == Role.BACKUP && isSynced && isSettled && !isGivenUp && !isAsync;
    if (now != isReadable) {
      isReadable = now;
      log.committed().readable(now);
    }
  }

  /**
   * About what this node is still to send of copies, as primary.
   *
   * @param copies those that are missing
   */
  long bytesToCopy(int copies) {
    return Math.max(0, copies * log.committed().bytes() - primary.copiedBytes());
  }

  /** Copies that this node is sending as primary. */
  int copying() {
    return primary.copying();
  }

  /** Forgets what ended sessions did. */
  void retainSessions() {
    log.dedup().retainSessions(context::isAlive);
  }

  /** Forgets the operations that sessions are done with. */
  void forgetDone() {
    log.dedup().doneUpTo(context.doneUpTo());
    log.dedup().forgetUnused(log.appliedSeq());
  }

  /**
   * Takes up the role that a topology gives.
   *
   * @param next the owners, which are others than before
   * @param isFirst whether it is the first topology that has the segment
   */
  void install(SegmentOwners next, boolean isFirst, long nowNanos) {
    SegmentOwners before = owners;
    Role roleBefore = role;
    owners = next;
    role = roleIn(owners);
    primary.install(owners);
    if (!isFirst && owners.segEpoch() == before.segEpoch() && role == roleBefore) {
      if (role == Role.PRIMARY) {
        primary.learnersChanged(nowNanos);
      }
      return;
    }
    if (roleBefore == Role.PRIMARY) {
      primary.end(role == Role.PRIMARY);
      if (role != Role.PRIMARY && log.appliedSeq() > log.commitSeq()) {
        log.committed().left(log.appliedSeq());
        log.takeBack();
        log.committed().left(log.commitSeq());
      }
    }
    held.clear();
    isFetching = false;
    givenUp++;
    isSynced = false;
    isReleased = false;
    hasBase = false;
    updateReadable();
    // A node that first hears of a segment after a recovery may have missed all that was before.
    if (Recovery.isBetween(isFirst ? 0 : before.segEpoch(), owners.segEpoch())) {
      log.dedup().noteLost();
    }
    boolean isLoaded = (isFirst && tryLoad()) || tryTakeBack(before, roleBefore);
    if (isLoaded) {
      log.dedup().noteLost(); // the disk has the entries only
    }
    boolean isRestarted = !isLoaded && owners.restarts() > restarts;
    if (isRestarted) {
      restarts = owners.restarts();
      boolean isGivenCopies = isFirst && !owners.isr().contains(context.self());
      if (!isGivenCopies) {
        beginAnew();
      }
    }
    boolean mayHaveCopy =
        isFirst || isLoaded || isRestarted || hasCopy || copy.isComplete() || role == Role.BACKUP;
    hasCopy = owners.isr().contains(context.self()) && mayHaveCopy;
    restarts = hasCopy ? restarts : owners.restarts();
    copy.end();
    if (role == Role.PRIMARY || role == Role.BACKUP) {
      context.noteChanged(index);
      log.committed().inSync();
    } else {
      log.committed().left(log.commitSeq());
    }
    switch (role) {
      case PRIMARY -> primary.begin(roleBefore != Role.PRIMARY, nowNanos);
      case BACKUP -> log.endCopy();
      case LEARNER -> {
        primary.follow();
        keepBase();
      }
      case NONE -> {
        if (!hasCopy && !mayBeAskedFor()) {
          primary.follow();
          keepBase();
        }
      }
    }
  }

  /** Drops what this node has of the segment, which others may have begun anew. */
  private void beginAnew() {
    log.committed().left(log.appliedSeq());
    log.restart(firstPlace(restarts));
    context.noteChanged(index);
  }

  /** Whether the segment may go on with what this node's disk has of it. */
  private boolean mayBeAskedFor() {
    return context.wasAmong(owners.isr()) || (owners.isOffline() && context.hasFormerLives());
  }

  /**
   * Whether all that was acknowledged before this node took up its role is kept here, as its cache
   * wants it: what former primaries had on their disks is on this one's, too.
   */
  boolean hasAllOfPredecessors() {
    return switch (role) {
      case PRIMARY -> primary.hasAllOfPredecessors();
      case BACKUP -> isSynced && log.keptSeq() >= syncedSeq;
      case LEARNER -> true;
      case NONE -> !owners.isr().contains(context.self());
    };
  }

  /** Whether this node has its copy of a segment whose in-sync replica it is by the topology. */
  boolean hasCopy() {
    return hasCopy;
  }

  /**
   * Keeps the entries that are on the disk as well: a copy may make them right, which is cheaper
   * than another copy of them, and until it begins the segment may have to go on with them. Those
   * of a segment that the node's former process led are left as they are.
   */
  private void keepBase() {
    if (isLedByFormerLife(owners)) {
      return;
    }
    FormerEntries base = log.committed().base();
    log.clearBut(base == null ? Set.of() : base.stored());
    hasBase = base != null && log.committed().count() > 0;
    if (base == null) {
      context.noteChanged(index);
    }
  }

  /** Whether this node keeps entries of a segment that it is given no copy of. */
  boolean hasIdleBase() {
    return role == Role.NONE && hasBase;
  }

  /** Forgets the entries of a segment that this node is not to have. */
  void dropBase() {
    hasBase = false;
    log.clear();
    context.noteChanged(index);
  }

  /** Begins with the entries that this node has loaded from its disk, if they are the segment's. */
  private boolean tryLoad() {
    boolean keeps = owners.isr().contains(context.self());
    long place = keeps ? log.committed().loadedPlace(owners.restarts()) : -1;
    if (place >= 0) {
      restarts = owners.restarts();
      log.load(place);
    }
    return place >= 0;
  }

  /**
   * Goes on with the entries that this node has kept since its start, if the topology says so: its
   * former process was in sync when the segment lost its last replica, or was its primary a short
   * time before. Else it would have been given a copy before it is made a replica.
   */
  private boolean tryTakeBack(SegmentOwners before, Role roleBefore) {
    boolean isUntouched =
        roleBefore == Role.NONE || (roleBefore == Role.LEARNER && isLedByFormerLife(before));
    boolean isReturned =
        isUntouched
            && !hasCopy
            && context.hasFormerLives()
            && owners.isr().contains(context.self())
            && owners.restarts() == before.restarts();
    if (isReturned) {
      restarts = owners.restarts();
      long place = log.committed().diskPlace();
      log.load(place);
      log.committed().restarted(place);
    }
    return isReturned;
  }

  /**
   * Whether the primary is this node's former process. It has ended, so no copy comes from it, and
   * the entries that this node has loaded may be all that there are.
   */
  private boolean isLedByFormerLife(SegmentOwners of) {
    NodeId primaryOf = of.primary();
    return primaryOf != null && context.wasAmong(List.of(primaryOf));
  }

  /** More is on this node's disk. */
  void onForced() {
    if (role == Role.PRIMARY) {
      primary.answerKept();
    }
    copy.onForced();
  }

  /**
   * The place behind which a restarted segment begins: at first a seventeenth of all that there are
   * below those of sides, which is more than 16 billion writes, then ever less, so that it can be
   * restarted as often as is counted.
   */
  static long firstPlace(int restarts) {
    return Sides.SIDE_BIT / (restarts + RESTART_STEPS) * restarts;
  }

  private Role roleIn(SegmentOwners now) {
    NodeId self = context.self();
    if (now.isOffline()) {
      return Role.NONE;
    }
    if (self.equals(now.primary())) {
      return Role.PRIMARY;
    }
    if (now.isr().contains(self)) {
      return Role.BACKUP;
    }
    return now.learners().contains(self) ? Role.LEARNER : Role.NONE;
  }

  /** Takes note that something may be to do; returns whether it was asleep. */
  boolean wake() {
    boolean wasAsleep = !isAwake;
    isAwake = true;
    return wasAsleep;
  }

  /** Takes note that nothing is to be done until it is woken. Returns whether that is so. */
  boolean trySleep() {
    isAwake = role == Role.PRIMARY && !primary.isIdle();
    return !isAwake;
  }

  /** Does what is due. */
  void tick(long nowNanos) {
    if (role == Role.PRIMARY) {
      primary.tick(nowNanos);
    }
  }

  /** A voter asks to give the segment up. */
  void onDrain(NodeId voter, int segEpoch, long nowNanos) {
    if (segEpoch != owners.segEpoch()) {
      return;
    }
    if (role == Role.PRIMARY) {
      primary.drain(nowNanos);
    } else if (role == Role.BACKUP) {
      List<NodeId> told = isReleased ? List.of(voter) : context.voters();
      isReleased = true;
      updateReadable();
      Released released = new Released(context.epoch(), index, segEpoch, context.self());
      told.forEach(node -> context.outbox().send(node, released));
    }
  }

  /** A message of this segment epoch came. */
  void onMessage(NodeId from, SegmentMessage message, long nowNanos) {
    boolean isPrimary = role == Role.PRIMARY;
    if (message instanceof Appended
        || message instanceof Synced
        || message instanceof BaseTold
        || message instanceof ChunkStored) {
      context.reachability().answered(from, nowNanos);
    }
    switch (message) {
      case Operation operation -> {
        if (isPrimary) {
          primary.onOperation(from, operation, nowNanos);
        } else {
          primary.refuse(from, operation, Status.STALE);
        }
      }
      case Appended appended when isPrimary -> primary.onAppended(from, appended, nowNanos);
      case Synced _ when isPrimary -> primary.onSynced(from, nowNanos);
      case ChunkStored stored when isPrimary -> primary.onChunkStored(from, stored, nowNanos);
      case Append append when !isPrimary -> inTurn(from, append);
      case Sync sync when role == Role.BACKUP -> inTurn(from, sync);
      case Chunk chunk when role == Role.LEARNER -> inTurn(from, chunk);
      case BaseAsked asked when role == Role.LEARNER -> copy.onBaseAsked(from, asked);
      case BaseTold told when isPrimary -> primary.onBaseTold(from, told, nowNanos);
      default -> {
        // It was sent to the role that this node had before or does not know that it has.
      }
    }
  }

  /**
   * Does what the primary says, when what is here of the same keys is in memory: so that the log
   * has no write whose former entry would have to be read when it is applied.
   */
  private void inTurn(NodeId from, SegmentMessage message) {
    if (!log.committed().areOnDisk() && held.isEmpty()) {
      follow(from, message);
      return;
    }
    if (held.size() < HELD_MAX) {
      held.add(new Held(from, message));
    } // else as if it was lost: it is sent again
    followHeld();
  }

  private void followHeld() {
    CommittedEntries committed = log.committed();
    while (!isFetching && !held.isEmpty()) {
      Held next = held.getFirst();
      Collection<Object> keys = keys(next.message());
      if (!committed.tryHold(keys)) {
        fetch(keys);
        return;
      }
      held.removeFirst();
      try {
        follow(next.from(), next.message());
      } finally {
        keys.forEach(committed::release);
      }
    }
  }

  private void fetch(Collection<Object> keys) {
    int known = givenUp;
    isFetching = log.committed().tryFetch(keys, (isRead, _) -> fetched(isRead, known));
    if (!isFetching) {
      held.clear(); // as if they were lost
    }
  }

  private void fetched(boolean isRead, int known) {
    if (known != givenUp) {
      return;
    }
    isFetching = false;
    if (!isRead) {
      held.clear();
    }
    followHeld();
  }

  private Collection<Object> keys(SegmentMessage message) {
    Set<Object> keys = new LinkedHashSet<>();
    switch (message) {
      case Append append -> append.entries().forEach(entry -> addKeys(entry, keys));
      case Sync sync -> sync.tail().forEach(entry -> addKeys(entry, keys));
      case Chunk chunk -> {
        chunk.entries().forEach(entry -> keys.add(entry.key()));
        chunk.blocks().forEach(block -> keys.addAll(log.committed().keys(block)));
      }
      default -> {
        // It concerns no entry.
      }
    }
    return keys;
  }

  private void addKeys(LogEntry entry, Set<Object> keys) {
    if (entry.seq() <= log.commitSeq() || !entry.changes()) {
      return;
    }
    if (entry.value() instanceof ManyValues many) {
      keys.addAll(many.byKey().keySet());
    } else {
      keys.add(entry.key());
    }
  }

  private void follow(NodeId from, SegmentMessage message) {
    switch (message) {
      case Append append -> onAppend(from, append);
      case Sync sync -> onSync(from, sync);
      case Chunk chunk -> onChunk(from, chunk);
      default -> throw new IllegalArgumentException("not from a primary: " + message);
    }
  }

  private void onAppend(NodeId from, Append append) {
    boolean isFollowing = role == Role.BACKUP || role == Role.LEARNER;
    boolean isOld = append.segEpoch() < owners.segEpoch();
    if (!isFollowing || (!isSynced && !isOld)) {
      return;
    }
    boolean remembers = context.times().holds(Rule.REPLICATE_DEDUP);
    boolean keepsAll = context.times().holds(Rule.KEEP_ALL_KEYS);
    for (LogEntry entry : append.entries()) {
      if (entry.seq() == log.lastSeq() + 1 && log.committed().knows(entry.key())) {
        log.append(keepsAll ? entry : entry.ofOneKey(), remembers);
      }
    }
    log.commitUpTo(append.commitSeq());
    log.trim(log.commitSeq());
    updateReadable();
    context
        .outbox()
        .send(
            from,
            new Appended(
                context.epoch(),
                index,
                append.segEpoch(),
                copy.startSeq(),
                log.lastSeq(),
                log.commitSeq(),
                log.committed().isNearlyFull(),
                log.committed().isDiskBehind()));
  }

  private void onSync(NodeId from, Sync sync) {
    if (!isSynced) {
      if (!sync.tail().stream().allMatch(entry -> log.committed().knows(entry.key()))) {
        return;
      }
      if (log.lastSeq() < sync.commitSeq()) {
        throw new IllegalStateException(
            ("in-sync replica lacks committed writes: node=%s, segment=%d, segEpoch=%d, last=%d,"
                    + " committed=%d")
                .formatted(
                    context.self(), index, owners.segEpoch(), log.lastSeq(), sync.commitSeq()));
      }
      log.truncate(Math.max(log.commitSeq(), sync.commitSeq()));
      for (LogEntry entry : sync.tail()) {
        if (entry.seq() > log.lastSeq()) {
          log.skipTo(entry.seq() - 1);
          log.append(entry, true);
        }
      }
      log.skipTo(sync.lastSeq());
      log.commitUpTo(sync.commitSeq());
      log.trim(log.commitSeq());
      primary.follow();
      isSynced = true;
      syncedSeq = sync.lastSeq();
      updateReadable();
    }
    context.outbox().send(from, new Synced(context.epoch(), index, owners.segEpoch()));
  }

  private boolean knowsAll(Chunk chunk) {
    CommittedEntries committed = log.committed();
    return chunk.entries().stream().allMatch(entry -> committed.knows(entry.key()))
        && chunk.blocks().stream().allMatch(block -> committed.knows(block.scope()));
  }

  private void onChunk(NodeId from, Chunk chunk) {
    if (!knowsAll(chunk)) {
      return;
    }
    if (copy.onChunk(from, chunk)) {
      context.noteChanged(index);
      retainSessions();
      forgetDone();
      isSynced = true;
    }
  }
}
