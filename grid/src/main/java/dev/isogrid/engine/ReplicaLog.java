package dev.isogrid.engine;

import dev.isogrid.engine.CommittedEntries.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One replica's writes of a segment: those that are committed, as entries, and those that are on
 * their way, in order. Not thread-safe.
 */
final class ReplicaLog {
  /*
   * Entries up to commitSeq are in the container; the ones behind it wait, where reads don't see
   * them, so taking one back is dropping it. A primary keeps committed entries in the ring, too,
   * until the learners have them.
   */
  private final CommittedEntries committed;
  private final Consumer<LogEntry> onCommit;
  private final DedupTable dedup = new DedupTable();

  /** The entries from {@code ringSeq} to {@code lastSeq}. */
  private final ArrayDeque<LogEntry> ring = new ArrayDeque<>();

  /** By key, the last entry behind {@code commitSeq}. */
  private final Map<Object, LogEntry> latest = new HashMap<>();

  /** The version of what was removed while a copy is received, else empty. */
  private final Map<Object, Long> tombstones = new HashMap<>();

  private boolean keepsTombstones;
  private long ringSeq = 1;
  private long commitSeq;
  private long lastSeq;

  ReplicaLog(CommittedEntries committed, Consumer<LogEntry> onCommit) {
    this.committed = committed;
    this.onCommit = onCommit;
  }

  long commitSeq() {
    return commitSeq;
  }

  long lastSeq() {
    return lastSeq;
  }

  DedupTable dedup() {
    return dedup;
  }

  /** Entries that are not committed yet. */
  int pendingCount() {
    return (int) (lastSeq - commitSeq);
  }

  /** Entries that are kept, committed or not. */
  int keptCount() {
    return ring.size();
  }

  /** The last write of a key that is not committed yet, or null. */
  @Nullable LogEntry pending(Object key) {
    return latest.get(key);
  }

  /** The committed value of a key, or null. */
  @Nullable Object committed(Object key) {
    return committed.value(key);
  }

  /** Some committed entries. */
  Batch scan(@Nullable Object after, int countMax) {
    return committed.scan(after, countMax);
  }

  /**
   * Appends the next entry.
   *
   * @param remembers whether the operation is remembered
   */
  void append(LogEntry entry, boolean remembers) {
    if (entry.seq() != lastSeq + 1) {
      throw new IllegalStateException(
          "gap in a log: last=%d, entry=%d".formatted(lastSeq, entry.seq()));
    }
    lastSeq++;
    ring.add(entry);
    latest.put(entry.key(), entry);
    if (remembers) {
      dedup.add(entry);
    }
  }

  /** Applies the entries up to a number. */
  void commitUpTo(long seq) {
    long target = Math.min(seq, lastSeq);
    if (commitSeq >= target) {
      return;
    }
    for (LogEntry entry : ring) {
      if (entry.seq() > commitSeq && entry.seq() <= target) {
        commit(entry);
      }
    }
  }

  private void commit(LogEntry entry) {
    commitSeq = entry.seq();
    latest.remove(entry.key(), entry);
    if (entry.changes()) {
      if (entry.value() != null) {
        committed.put(entry.key(), entry.value(), entry.version());
        tombstones.remove(entry.key());
      } else {
        committed.remove(entry.key());
        if (keepsTombstones) {
          tombstones.put(entry.key(), entry.version());
        }
      }
    }
    onCommit.accept(entry);
  }

  /** Forgets committed entries up to a number. */
  void trim(long seq) {
    long target = Math.min(seq, commitSeq);
    while (ringSeq <= target && !ring.isEmpty()) {
      ring.removeFirst();
      ringSeq++;
    }
  }

  /** The entries behind a number, or null if some of them are not kept any more. */
  @Nullable List<LogEntry> after(long seq, int countMax) {
    if (seq + 1 < ringSeq) {
      return null;
    }
    List<LogEntry> entries = new ArrayList<>();
    for (LogEntry entry : ring) {
      if (entry.seq() > seq && entries.size() < countMax) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Takes back what is behind a number, which is not less than {@code commitSeq}. */
  void truncate(long seq) {
    for (Iterator<LogEntry> last = ring.descendingIterator(); last.hasNext(); ) {
      LogEntry entry = last.next();
      if (entry.seq() <= seq) {
        break;
      }
      last.remove();
      dedup.remove(entry);
      lastSeq--;
    }
    latest.clear();
    for (LogEntry entry : ring) {
      if (entry.seq() > commitSeq) {
        latest.put(entry.key(), entry);
      }
    }
  }

  /** Forgets everything. */
  void clear() {
    beginCopy(0, null);
    keepsTombstones = false;
  }

  /** Forgets everything, to be filled by a copy. */
  void beginCopy(long startSeq, @Nullable DedupTable records) {
    committed.clear();
    ring.clear();
    latest.clear();
    tombstones.clear();
    dedup.clear();
    if (records != null) {
      dedup.replaceBy(records);
    }
    keepsTombstones = true;
    commitSeq = startSeq;
    lastSeq = startSeq;
    ringSeq = startSeq + 1;
  }

  /** Stores an entry of a copy, unless a later write of the key was applied. */
  void copied(SegmentMessage.CopiedEntry entry, boolean heedsTombstones) {
    Long removed = heedsTombstones ? tombstones.get(entry.key()) : null;
    boolean isLater = entry.version() > committed.version(entry.key());
    if (isLater && (removed == null || removed < entry.version())) {
      committed.put(entry.key(), entry.value(), entry.version());
    }
  }

  /** A copy is complete. */
  void endCopy() {
    tombstones.clear();
    keepsTombstones = false;
  }

  @Override
  public String toString() {
    return "committed up to %d: %s".formatted(commitSeq, committed);
  }
}
