package dev.isogrid.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest changes of a cache in one segment, for nodes that follow it. Bounded. Guarded by the
 * segment's lock.
 */
final class ChangeHistory {
  /** Changes that are kept; a node that is further behind misses some. */
  static final int CHANGES_MAX = 4096;

  /** Bytes that are kept; the last change may go beyond it. */
  static final long BYTES_MAX = 512 << 10;

  /** Changes of the last place that are kept in any case, so that a write of many keys is. */
  static final int PLACE_CHANGES_MAX = SegmentPuts.COUNT_MAX;

  /** Their bytes; the last change may go beyond it. */
  static final long PLACE_BYTES_MAX = 8 << 20;

  private static final long OPEN = Long.MAX_VALUE;

  private final ArrayDeque<FollowedChange> changes = new ArrayDeque<>();
  private long bytes;

  /** Whether anything is known. */
  private boolean isBegun;

  /** All changes behind this place are kept. */
  private long knownFrom;

  /** No changes behind this place are known, or {@link #OPEN}. */
  private long endSeq = OPEN;

  /** Begins anew: changes behind a place are kept from now on. */
  void begin(long seq) {
    forget();
    isBegun = true;
    knownFrom = seq;
  }

  /** Keeps what there is, but no more; this node knows of no changes behind a place. */
  void end(long seq) {
    endSeq = Math.min(endSeq, seq);
  }

  /** Forgets everything. */
  void forget() {
    changes.clear();
    bytes = 0;
    isBegun = false;
    knownFrom = 0;
    endSeq = OPEN;
  }

  /** Whether changes are being kept. */
  boolean isOpen() {
    return isBegun && endSeq == OPEN;
  }

  /** The last place up to which it can tell, given how far this node is. */
  long upTo(long position) {
    return Math.min(position, endSeq);
  }

  /** Keeps a change, which is not before the last one. */
  void add(FollowedChange change) {
    changes.add(change);
    bytes += change.sizeBytes();
    while (isTooMuch()) {
      FollowedChange dropped = changes.remove();
      bytes -= dropped.sizeBytes();
      knownFrom = Math.max(knownFrom, dropped.seq());
    }
  }

  private boolean isTooMuch() {
    if (changes.size() <= CHANGES_MAX && bytes <= BYTES_MAX) {
      return false;
    }
    boolean isOnePlace = changes.getFirst().seq() == changes.getLast().seq();
    return isOnePlace
        ? changes.size() > PLACE_CHANGES_MAX || (bytes > PLACE_BYTES_MAX && changes.size() > 1)
        : changes.size() > 1;
  }

  /** Whether it has all changes behind a place, up to where it ends. */
  boolean covers(long seq) {
    return isBegun && seq >= knownFrom && seq <= endSeq;
  }

  /**
   * The changes behind a place, up to a number of bytes; those of one place are not parted.
   *
   * @param seq a place that it {@link #covers}
   */
  List<FollowedChange> after(long seq, long bytesMax) {
    List<FollowedChange> found = new ArrayList<>();
    long size = 0;
    long lastSeq = seq;
    for (FollowedChange change : changes) {
      if (change.seq() <= seq) {
        continue;
      }
      if (size >= bytesMax && change.seq() != lastSeq) {
        break;
      }
      found.add(change);
      size += change.sizeBytes();
      lastSeq = change.seq();
    }
    return found;
  }

  /** The place of the last change that is kept, or 0. */
  long lastSeq() {
    FollowedChange last = changes.peekLast();
    return last == null ? 0 : last.seq();
  }
}
