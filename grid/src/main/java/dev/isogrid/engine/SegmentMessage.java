package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What nodes tell each other of one segment. All but {@link Reply} are acted upon only in the
 * segment epoch that they name.
 */
public sealed interface SegmentMessage extends Message {
  /** The segment's number. */
  int segment();

  /** The segment's epoch at the sender. */
  int segEpoch();

  /**
   * To the primary: do this.
   *
   * @param ackedUpTo the operations of the session up to this number are done with
   * @param attempt 1 if it was not sent before; more than {@link ClientOperation#REPEATED_ATTEMPTS}
   *     if a client had sent it to a server before
   * @param ageMillis how long ago a client's operation was sent first, if it was sent before; else
   *     {@link ClientOperation#FIRST}
   */
  record Operation(
      int epoch,
      int segment,
      int segEpoch,
      OperationId id,
      long ackedUpTo,
      int attempt,
      long ageMillis,
      Command command)
      implements SegmentMessage {
    /** Whether a client had sent it to a server before. */
    boolean isRepeatedByClient() {
      return attempt > ClientOperation.REPEATED_ATTEMPTS;
    }

    /** One that no client repeats. */
    public Operation(
        int epoch,
        int segment,
        int segEpoch,
        OperationId id,
        long ackedUpTo,
        int attempt,
        Command command) {
      this(epoch, segment, segEpoch, id, ackedUpTo, attempt, ClientOperation.FIRST, command);
    }
  }

  /** What came of an operation. */
  enum Status {
    /** It is done. */
    DONE,
    /**
     * The node is not the primary of the segment in this epoch: ask again with a newer topology.
     */
    STALE,
    /** The node can't do it now: ask again, a little later. */
    NOT_READY,
    /** The operation is one that its session is done with. */
    STALE_OPERATION,
    /** The session ended. */
    SESSION_EXPIRED
  }

  /**
   * From the primary: that came of it.
   *
   * @param attempt the attempt that is answered
   * @param isRecorded whether all attempts get this answer; an answer that is not recorded is to be
   *     ignored if the caller made another attempt
   */
  record Reply(
      int epoch,
      int segment,
      int segEpoch,
      OperationId id,
      int attempt,
      Status status,
      boolean isRecorded,
      @Nullable Object result)
      implements SegmentMessage {}

  /**
   * From the primary to the other replicas: append these.
   *
   * @param entries in their order, without gaps; may be empty
   * @param commitSeq the entries up to this one are committed
   */
  record Append(int epoch, int segment, int segEpoch, List<LogEntry> entries, long commitSeq)
      implements SegmentMessage {
    /** Copies the list. */
    public Append {
      entries = List.copyOf(entries);
    }
  }

  /**
   * To the primary: I have the entries up to this one.
   *
   * @param startSeq that of the copy that the learner has begun, or -1 from a backup
   * @param commitSeq the entries up to this one are committed, as the replica knows
   * @param isFull whether the replica's node has little memory left, so that there should be no
   *     more puts
   * @param isDiskBehind whether writes to caches with a store are to wait for the replica's disk
   */
  record Appended(
      int epoch,
      int segment,
      int segEpoch,
      long startSeq,
      long lastSeq,
      long commitSeq,
      boolean isFull,
      boolean isDiskBehind)
      implements SegmentMessage {
    Appended(int epoch, int segment, int segEpoch, long startSeq, long lastSeq, long commitSeq) {
      this(epoch, segment, segEpoch, startSeq, lastSeq, commitSeq, false, false);
    }
  }

  /**
   * From a primary of a new epoch: be equal to me.
   *
   * @param commitSeq the entries up to this one are committed; the replica has them
   * @param lastSeq the places up to this one are taken: the next entry comes behind it
   * @param tail what comes after the committed ones, and nothing more does; maybe with gaps
   */
  record Sync(
      int epoch, int segment, int segEpoch, long commitSeq, long lastSeq, List<LogEntry> tail)
      implements SegmentMessage {
    /** Copies the list. */
    public Sync {
      tail = List.copyOf(tail);
    }
  }

  /** To a primary of a new epoch: I am. */
  record Synced(int epoch, int segment, int segEpoch) implements SegmentMessage {}

  /**
   * An entry of a copy.
   *
   * @param seq the place of the write that made it
   */
  record CopiedEntry(Object key, Object value, long seq) {}

  /**
   * From the primary to a learner: what do you have of the segment from before?
   *
   * @param number of the question, for its answer
   */
  record BaseAsked(int epoch, int segment, int segEpoch, int number) implements SegmentMessage {}

  /**
   * To the primary: that is what I have.
   *
   * @param number that of the question
   * @param places by cache, a place that no entry that the learner has is behind; caches without
   *     entries are left out
   */
  record BaseTold(int epoch, int segment, int segEpoch, int number, Map<Integer, Long> places)
      implements SegmentMessage {
    /** Copies the map. */
    public BaseTold {
      places = Map.copyOf(places);
    }
  }

  /**
   * From the primary to a learner: a part of a copy.
   *
   * @param number 0 for the first one, which begins the copy
   * @param startSeq the copy is of at least the entries up to this one; the later ones are appended
   * @param records what is remembered of operations, in the first one
   * @param entries some of the entries
   * @param blocks further ones
   * @param delta what it says of the entries that the learner has from before
   * @param isLast whether that is all
   */
  record Chunk(
      int epoch,
      int segment,
      int segEpoch,
      int number,
      long startSeq,
      @Nullable DedupTable records,
      List<CopiedEntry> entries,
      List<CopiedBlock> blocks,
      CopyDelta delta,
      boolean isLast)
      implements SegmentMessage {
    /** Copies the lists. */
    public Chunk {
      entries = List.copyOf(entries);
      blocks = List.copyOf(blocks);
    }

    /** About the bytes of its entries, and of what it says of others. */
    long sizeBytes() {
      long bytes = delta.sizeBytes();
      for (CopiedEntry entry : entries) {
        bytes += Sized.of(entry.key()) + Sized.of(entry.value());
      }
      for (CopiedBlock block : blocks) {
        bytes += block.sizeBytes();
      }
      return bytes;
    }

    /** One of a copy of all entries. */
    // tidy: the fields of a message
    Chunk(
        int epoch,
        int segment,
        int segEpoch,
        int number,
        long startSeq,
        @Nullable DedupTable records,
        List<CopiedEntry> entries,
        List<CopiedBlock> blocks,
        boolean isLast) {
      this(
          epoch,
          segment,
          segEpoch,
          number,
          startSeq,
          records,
          entries,
          blocks,
          CopyDelta.NONE,
          isLast);
    }
  }

  /**
   * To the primary: I have the parts up to this one of the copy that began with {@code startSeq}.
   *
   * @param differing where the part had sums, what the learner has in the buckets that differ
   */
  record ChunkStored(
      int epoch, int segment, int segEpoch, int number, long startSeq, List<EntryPrints> differing)
      implements SegmentMessage {
    /** Copies the list. */
    public ChunkStored {
      differing = List.copyOf(differing);
    }

    /** The answer to a part without sums. */
    ChunkStored(int epoch, int segment, int segEpoch, int number, long startSeq) {
      this(epoch, segment, segEpoch, number, startSeq, List.of());
    }
  }
}
