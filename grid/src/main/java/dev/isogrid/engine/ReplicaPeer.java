package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.Chunk;
import java.util.ArrayDeque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a primary knows of another replica in the current segment epoch. Not thread-safe. */
final class ReplicaPeer {
  /** Whether it is as the primary was when the epoch began; a learner: whether its copy began. */
  boolean isSynced;

  /** Where the copies of a replica start that is not copied to. */
  static final long NO_COPY = -1;

  /** What the copy is of that it is given, at least: the entries up to this one. */
  long copyStartSeq = NO_COPY;

  /** It has the entries up to this one. */
  long ackedSeq;

  /** It knows that the entries up to this one are committed. */
  long commitSeq;

  /** When writes were last sent to it again, or acknowledged. */
  long sentNanos;

  /** Since when it owes an answer without having given any; while {@link #owes}. */
  long owesSinceNanos;

  /** When it last got on with the segment, or since when it is known. */
  long progressedNanos;

  /** Whether it owed an answer when that was looked at last. */
  boolean owes;

  /** Whether it said that its node has little memory left. */
  boolean isFull;

  /** Whether it said that writes are to wait for its disk. */
  boolean isDiskBehind;

  /** Whether it is being copied to. */
  boolean isLearner;

  /**
   * A part of the copy that is on its way.
   *
   * @param bytes what it takes of the window
   * @param part its number among all that are sent to the node
   */
  record Sent(Chunk chunk, long bytes, long part, long sentNanos) {}

  /** The parts of the copy that are on their way, in their order. */
  final ArrayDeque<Sent> chunks = new ArrayDeque<>();

  /** Where the copy waits for its turn, or sends from; null if it does neither. */
  CopyQueue.@Nullable Copy copy;

  /** Whether the copy waits to begin: nothing is sent to it until then. */
  boolean isQueued;

  /** The number of the last question for what it has from before, 0 if there was none. */
  int askedNumber;

  /** Whether that question is not answered yet: the copy waits for the answer. */
  boolean isAsked;

  /** What it has from before, by cache. */
  Map<Integer, Long> basePlaces = Map.of();

  /** Says what it is sent, where it has something from before. */
  @Nullable DeltaSource delta;

  /** Whether it has to answer to sums before the copy can go on. */
  boolean isComparing;

  /** The number of the next part of the copy. */
  int nextChunk;

  /** Where the copy goes on. */
  @Nullable Object position;

  /** Bytes of entries of the copy that were sent. */
  long copiedBytes;

  /** Whether all parts of the copy were sent. */
  boolean isScanned;

  /** What the copy may be of, at most, once all parts of it were sent. */
  long scannedSeq;

  /** Whether it has all of the copy. */
  boolean isCopied;

  ReplicaPeer(boolean isLearner, long nowNanos) {
    this.isLearner = isLearner;
    this.sentNanos = nowNanos;
    this.owes = true;
    this.owesSinceNanos = nowNanos;
    this.progressedNanos = nowNanos;
  }
}
