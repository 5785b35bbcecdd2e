package dev.isogrid.engine;

import dev.isogrid.cluster.Rule;
import dev.isogrid.engine.SegmentMessage.BaseAsked;
import dev.isogrid.engine.SegmentMessage.BaseTold;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.topology.NodeId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The copy of a segment that a learner is given. Not thread-safe. */
final class IncomingCopy {
  /*
   * Parts are stored in their order, each once, and acknowledged. The answer to the last one waits
   * for the disk, since other replicas may drop their copies then. The others wait while the disk
   * is far behind, so that a copy comes no faster than it can be written.
   *
   * A learner may have entries of the segment from before. It tells the primary so when it is
   * asked, with a place that none of them is behind. The copy then consists of the entries behind
   * that place, and of sums of all others, which the learner compares with its own. It answers with
   * what differs, and is sent what is right. If nothing differs, the copy ends with the sums.
   */
  private final int index;
  private final ReplicaContext context;
  private final ReplicaLog log;
  private long startSeq = ReplicaPeer.NO_COPY;
  private int nextChunk;

  /** Whether all parts are stored. */
  private boolean isComplete;

  /** The seed of the prints of this copy. */
  private long seed;

  /** The part that had sums, or -1; and what was answered to it. */
  private int comparedChunk = -1;

  private List<EntryPrints> differing = List.of();

  /** What waits for the disk, or null. */
  private @Nullable HeldChunk held;

  /** What is said when the disk has all of a copy, or is not far behind any more. */
  private record HeldChunk(NodeId to, ChunkStored stored, boolean isLast) {}

  IncomingCopy(int index, ReplicaContext context, ReplicaLog log) {
    this.index = index;
    this.context = context;
    this.log = log;
  }

  /** That of the copy that was begun, or {@link ReplicaPeer#NO_COPY}. */
  long startSeq() {
    return startSeq;
  }

  /** Whether all of the copy that was begun is stored. */
  boolean isComplete() {
    return isComplete;
  }

  /** Gives up what was begun. */
  void end() {
    nextChunk = 0;
    isComplete = false;
    comparedChunk = -1;
    differing = List.of();
    held = null;
    startSeq = ReplicaPeer.NO_COPY;
  }

  /** More is on this node's disk. */
  void onForced() {
    HeldChunk known = held;
    if (known != null && !isHeldUp(known.isLast())) {
      held = null;
      context.outbox().send(known.to(), known.stored());
    }
  }

  /** The primary asks what this node has from before. */
  void onBaseAsked(NodeId from, BaseAsked asked) {
    FormerEntries base = log.committed().base();
    Map<Integer, Long> places = base == null ? Map.of() : base.places();
    context
        .outbox()
        .send(from, new BaseTold(context.epoch(), index, asked.segEpoch(), asked.number(), places));
  }

  /**
   * A part came all of whose caches are known.
   *
   * @return whether it began a copy
   */
  boolean onChunk(NodeId from, Chunk chunk) {
    boolean begins = chunk.number() == 0 && chunk.startSeq() > startSeq;
    if (begins) {
      end();
      log.beginCopy(chunk.startSeq(), chunk.records(), chunk.delta().bases());
      startSeq = chunk.startSeq();
    }
    if (chunk.startSeq() == startSeq && chunk.number() <= nextChunk) {
      if (chunk.number() == nextChunk) {
        nextChunk++;
        store(chunk);
      }
      acknowledge(from, chunk);
    }
    return begins;
  }

  private void acknowledge(NodeId from, Chunk chunk) {
    boolean isCompared = chunk.number() == comparedChunk;
    List<EntryPrints> answer = isCompared ? differing : List.of();
    ChunkStored stored =
        new ChunkStored(context.epoch(), index, chunk.segEpoch(), chunk.number(), startSeq, answer);
    if (isHeldUp(isLast(chunk))) {
      HeldChunk known = held;
      if (known == null || known.stored().number() <= chunk.number()) {
        held = new HeldChunk(from, stored, isLast(chunk)); // it acknowledges those before, too
      }
    } else {
      context.outbox().send(from, stored);
    }
  }

  private boolean isHeldUp(boolean isLast) {
    return isLast ? !log.committed().isCopyKept() : log.committed().isDiskBehind();
  }

  private boolean isLast(Chunk chunk) {
    return chunk.isLast() || (chunk.number() == comparedChunk && differing.isEmpty());
  }

  private void store(Chunk chunk) {
    FormerEntries base = log.committed().base();
    if (base != null && chunk.delta().isRepair()) {
      chunk.entries().forEach(entry -> log.repaired(base, entry));
      chunk.blocks().forEach(block -> log.repaired(base, block));
    } else {
      boolean heedsTombstones = context.times().holds(Rule.LEARNER_TOMBSTONES);
      for (CopiedEntry entry : chunk.entries()) {
        log.copied(entry, heedsTombstones);
      }
      for (CopiedBlock block : chunk.blocks()) {
        log.copied(block, heedsTombstones);
      }
    }
    if (base != null) {
      compare(base, chunk);
    }
    if (isLast(chunk)) {
      log.endCopy();
      isComplete = true;
      log.committed().copied(log.commitSeq());
    }
  }

  private void compare(FormerEntries base, Chunk chunk) {
    List<EntrySums> sums = chunk.delta().sums();
    if (!sums.isEmpty()) {
      seed = sums.getFirst().seed();
      comparedChunk = chunk.number();
      differing = base.differing(sums);
    }
    chunk.delta().gone().forEach(gone -> base.forget(seed, gone));
  }
}
