package dev.isogrid.engine;

import dev.isogrid.engine.CommittedEntries.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
   *
   * The primary of an asynchronous segment applies entries ahead, before they are committed, and
   * remembers what was there before, so that they can be taken back. The removal of all entries of
   * a scope can't, so it waits, and what comes behind it.
   */

  /** What was there under a key; {@code value} is null for nothing. */
  private record Before(Object key, @Nullable Object value, long seq) {}

  /** What was there before an entry was applied ahead, under each of its keys. */
  private record Ahead(List<Before> before) {
    long sizeBytes() {
      long bytes = 0;
      for (Before each : before) {
        bytes += Sized.of(each.value);
      }
      return bytes;
    }
  }

  private final CommittedEntries committed;
  private final Consumer<LogEntry> onCommit;
  private final DedupTable dedup;

  /** The entries from {@code ringSeq} to {@code lastSeq}. */
  private final ArrayDeque<LogEntry> ring = new ArrayDeque<>();

  /** The entries from {@code commitSeq} to {@code appliedSeq} that change something. */
  private final ArrayDeque<Ahead> ahead = new ArrayDeque<>();

  /** By key or scope, the last entry behind {@code commitSeq} that changes something. */
  private final Map<Object, LogEntry> latest = new HashMap<>();

  /**
   * Where in the order a key, or all keys of a scope, were removed while a copy is received, or
   * stored where the node may evict the entry again; else empty.
   */
  private final Map<Object, Long> tombstones = new HashMap<>();

  private boolean keepsTombstones;

  /** Whether a copy is received that repairs entries from before. */
  private boolean hasBase;

  private long keptBytes;
  private long pendingBytes;
  private long aheadBytes;
  private long ringSeq = 1;
  private long commitSeq;
  private long appliedSeq;
  private long lastSeq;

  /**
   * An empty log.
   *
   * @param onCommit called with each committed entry
   * @param room for the records of operations
   */
  ReplicaLog(CommittedEntries committed, Consumer<LogEntry> onCommit, RecordRoom room) {
    this.committed = committed;
    this.onCommit = onCommit;
    this.dedup = new DedupTable(room);
  }

  long commitSeq() {
    return commitSeq;
  }

  /** The entries up to this one are seen by reads; those behind {@code commitSeq} are ahead. */
  long appliedSeq() {
    return appliedSeq;
  }

  long lastSeq() {
    return lastSeq;
  }

  DedupTable dedup() {
    return dedup;
  }

  /** Places behind the last committed entry that are taken. */
  int pendingCount() {
    return (int) (lastSeq - commitSeq);
  }

  /** About the bytes of the entries that are not committed yet, and of what may come back. */
  long pendingBytes() {
    return pendingBytes + aheadBytes;
  }

  /** About the bytes of the committed entries that are kept. */
  long historyBytes() {
    return keptBytes - pendingBytes;
  }

  /** Entries that are kept, committed or not. */
  int keptCount() {
    return ring.size();
  }

  /** The last write of a key, or of its whole scope, that is not committed yet, or null. */
  @Nullable LogEntry pending(Object key) {
    LogEntry ofKey = latest.get(key);
    if (!(key instanceof ScopedKey scoped)) {
      return ofKey;
    }
    LogEntry ofScope = latest.get(scoped.scope());
    boolean isCleared = ofScope != null && (ofKey == null || ofKey.seq() < ofScope.seq());
    return isCleared ? ofScope : ofKey;
  }

  /** What is committed, for reads. */
  CommittedEntries committed() {
    return committed;
  }

  /**
   * Leaves the entries to this node's callers. Nothing is pending, and nobody needs the log.
   *
   * @see CommittedEntries#beginOwn
   */
  void beginOwn() {
    trim(commitSeq);
    committed.beginOwn(lastSeq);
  }

  /** Takes the entries back from this node's callers, with what they wrote as committed. */
  void endOwn() {
    long seq = Math.max(lastSeq, committed.endOwn());
    lastSeq = seq;
    commitSeq = seq;
    appliedSeq = seq;
    ringSeq = seq + 1;
  }

  /** Leaves the places up to one without entries: the next entry comes behind it. */
  void skipTo(long seq) {
    lastSeq = Math.max(lastSeq, seq);
  }

  /** The committed value of a key, or null. */
  @Nullable Object committed(Object key) {
    return committed.value(key);
  }

  /**
   * The committed value of a key for a decision, or null.
   *
   * @param needsBytes as in {@link CommittedEntries#value(Object, boolean)}
   */
  @Nullable Object committed(Object key, boolean needsBytes) {
    return committed.value(key, needsBytes);
  }

  /** Some committed entries. */
  Batch scan(@Nullable Object after, int countMax, int bytesMax) {
    return committed.scan(after, countMax, bytesMax);
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
    keptBytes += entry.sizeBytes();
    pendingBytes += entry.sizeBytes();
    note(entry);
    if (remembers) {
      dedup.add(entry, appliedSeq);
    }
  }

  private void note(LogEntry entry) {
    if (!entry.changes()) {
      return;
    }
    if (entry.value() instanceof ManyValues many) {
      many.byKey().keySet().forEach(key -> note(key, entry));
    } else {
      note(entry.key(), entry);
    }
  }

  /** What is committed of a key that a write waits for stays in memory until it is applied. */
  private void note(Object key, LogEntry entry) {
    if (latest.put(key, entry) == null) {
      committed.hold(key);
    }
  }

  private void forgetLatest() {
    List<Object> keys = List.copyOf(latest.keySet());
    latest.clear();
    keys.forEach(committed::release);
  }

  /** Applies the entries up to a number. */
  void commitUpTo(long seq) {
    long target = Math.min(seq, lastSeq);
    if (commitSeq >= target) {
      return;
    }
    for (LogEntry entry : ring) {
      if (entry.seq() > target) {
        break;
      }
      if (entry.seq() > commitSeq) {
        commit(entry);
      }
    }
    if (commitSeq < target) {
      commitSeq = target;
      appliedSeq = Math.max(appliedSeq, target);
      committed.reached(appliedSeq);
    }
  }

  private void commit(LogEntry entry) {
    commitSeq = entry.seq();
    pendingBytes -= entry.sizeBytes();
    if (entry.seq() > appliedSeq) {
      show(entry);
    } else if (entry.changes()) {
      aheadBytes -= ahead.remove().sizeBytes();
    }
    if (entry.value() instanceof ManyValues many) {
      many.byKey().keySet().forEach(key -> applied(key, entry));
    } else if (entry.changes()) {
      applied(entry.key(), entry);
    }
    onCommit.accept(entry);
  }

  private void applied(Object key, LogEntry entry) {
    if (latest.remove(key, entry)) {
      committed.release(key);
    }
  }

  private void show(LogEntry entry) {
    appliedSeq = entry.seq();
    committed.beginCommit(entry);
    if (entry.changes()) {
      apply(entry.key(), entry.value(), entry.seq());
    }
  }

  /**
   * Applies entries that are not committed yet, in their order, as long as they can be taken back.
   *
   * @param countMax places between the last committed entry and the last applied one at most
   * @param bytesMax what the entries before them may take, but for the last one
   */
  void applyAhead(int countMax, long bytesMax) {
    if (appliedSeq >= lastSeq) {
      return;
    }
    // Mostly it is the last one alone.
    Iterator<LogEntry> rest =
        appliedSeq == lastSeq - 1 ? List.of(ring.getLast()).iterator() : ring.iterator();
    while (rest.hasNext()) {
      LogEntry entry = rest.next();
      if (entry.seq() > appliedSeq) {
        boolean hasRoom = entry.seq() - commitSeq <= countMax && aheadBytes < bytesMax;
        if (!hasRoom || !tryApplyAhead(entry)) {
          return;
        }
      }
    }
  }

  private boolean tryApplyAhead(LogEntry entry) {
    if (entry.changes()) {
      Collection<Object> keys =
          entry.value() instanceof ManyValues many ? many.byKey().keySet() : List.of(entry.key());
      if (!keys.stream().allMatch(committed::canTakeBack)) {
        return false;
      }
      Ahead applied = new Ahead(keys.stream().map(this::before).toList());
      ahead.add(applied);
      aheadBytes += applied.sizeBytes();
    }
    show(entry);
    return true;
  }

  private Before before(Object key) {
    return new Before(key, committed.value(key), committed.seq(key));
  }

  /** Takes back what was applied ahead; the entries wait to be committed as others do. */
  void takeBack() {
    while (!ahead.isEmpty()) {
      for (Before each : ahead.removeLast().before()) {
        committed.takeBack(each.key(), each.value(), each.seq());
      }
    }
    aheadBytes = 0;
    appliedSeq = commitSeq;
  }

  private void apply(Object key, @Nullable Object value, long seq) {
    if (value instanceof ManyValues many) {
      committed.putTogether(many, seq);
      many.byKey().keySet().forEach(each -> stored(each, seq));
      return;
    }
    if (value != null) {
      committed.put(key, value, seq);
      stored(key, seq);
      return;
    }
    if (key instanceof ScopedKey) {
      committed.remove(key, seq);
    } else {
      committed.clear(key, seq);
    }
    if (keepsTombstones) {
      tombstones.put(key, seq);
    }
  }

  /**
   * What a copy has of a key is older, even if the node evicts the entry that was just stored, or
   * the write was a touch, after which an entry from before has the place that it had.
   */
  private void stored(Object key, long seq) {
    boolean isTouched = hasBase && committed.seq(key) != seq;
    if (keepsTombstones && (isTouched || committed.mayEvict(key))) {
      tombstones.put(key, seq);
    } else {
      tombstones.remove(key);
    }
  }

  /** Forgets committed entries up to a number. */
  void trim(long seq) {
    long target = Math.min(seq, commitSeq);
    while (!ring.isEmpty() && ring.getFirst().seq() <= target) {
      keptBytes -= ring.removeFirst().sizeBytes();
    }
    ringSeq = Math.max(ringSeq, target + 1);
  }

  /** Forgets the oldest committed entries until those that are left take no more bytes. */
  void trimToBytes(long bytesMax) {
    while (historyBytes() > bytesMax && ring.getFirst().seq() <= commitSeq) {
      trim(ring.getFirst().seq());
    }
  }

  /**
   * The entries behind a number, or null if some of them are not kept any more.
   *
   * @param bytesMax what they take together, but for the last one, which may go beyond it
   */
  @Nullable List<LogEntry> after(long seq, int countMax, long bytesMax) {
    if (seq + 1 < ringSeq) {
      return null;
    }
    List<LogEntry> entries = new ArrayList<>();
    long bytes = 0;
    for (LogEntry entry : ring) {
      if (entry.seq() > seq && entries.size() < countMax && bytes < bytesMax) {
        entries.add(entry);
        bytes += entry.sizeBytes();
      }
    }
    return entries;
  }

  /** Drops what is behind a number, which is not less than {@code appliedSeq}. */
  void truncate(long seq) {
    for (Iterator<LogEntry> last = ring.descendingIterator(); last.hasNext(); ) {
      LogEntry entry = last.next();
      if (entry.seq() <= seq) {
        break;
      }
      last.remove();
      keptBytes -= entry.sizeBytes();
      pendingBytes -= entry.sizeBytes();
      dedup.remove(entry);
    }
    lastSeq = Math.min(lastSeq, seq);
    List<Object> keys = List.copyOf(latest.keySet());
    latest.clear();
    for (LogEntry entry : ring) {
      if (entry.seq() > commitSeq) {
        note(entry);
      }
    }
    keys.forEach(committed::release);
  }

  /** Forgets everything. */
  void clear() {
    clearBut(Set.of());
  }

  /** Forgets everything but the entries of some caches, which count no more as they are. */
  void clearBut(Set<Integer> caches) {
    beginCopy(0, null, Map.of(), caches);
    keepsTombstones = false;
  }

  /** Begins with entries that were loaded; the places up to one are taken. For an empty log. */
  void load(long seq) {
    commitSeq = seq;
    appliedSeq = seq;
    lastSeq = seq;
    ringSeq = seq + 1;
    committed.reached(seq);
  }

  /** The entries up to this one are seen by reads, and are kept as their caches want. */
  long keptSeq() {
    return Math.min(appliedSeq, committed.keptSeq());
  }

  /** Forgets everything; the places up to one are taken, and what was there is lost. */
  void restart(long seq) {
    beginCopy(seq, null, Map.of(), Set.of());
    keepsTombstones = false;
    committed.restarted(seq);
  }

  /**
   * Forgets everything, to be filled by a copy.
   *
   * @param bases by cache, the place up to which its entries stay until the copy replaces them
   */
  void beginCopy(long startSeq, @Nullable DedupTable records, Map<Integer, Long> bases) {
    beginCopy(startSeq, records, bases, bases.keySet());
  }

  private void beginCopy(
      long startSeq, @Nullable DedupTable records, Map<Integer, Long> bases, Set<Integer> caches) {
    committed.clearBut(caches);
    FormerEntries base = committed.base();
    if (base != null) {
      base.begin(bases);
    }
    hasBase = !bases.isEmpty();
    ring.clear();
    keptBytes = 0;
    pendingBytes = 0;
    ahead.clear();
    aheadBytes = 0;
    forgetLatest();
    tombstones.clear();
    dedup.clear();
    if (records != null) {
      dedup.replaceBy(records);
      dedup.shrink(startSeq);
    }
    keepsTombstones = true;
    commitSeq = startSeq;
    appliedSeq = startSeq;
    lastSeq = startSeq;
    ringSeq = startSeq + 1;
  }

  /** Stores an entry of a copy, unless a later write of the key, or of its scope, was applied. */
  void copied(SegmentMessage.CopiedEntry entry, boolean heedsTombstones) {
    long applied = committed.seq(entry.key());
    if (heedsTombstones) {
      applied = Math.max(applied, removedSeq(entry.key()));
    }
    if (entry.seq() > applied) {
      committed.restore(entry.key(), entry.value(), entry.seq());
    }
  }

  /** The same with the entries of a block. */
  void copied(CopiedBlock block, boolean heedsTombstones) {
    boolean isHeeded = heedsTombstones && !tombstones.isEmpty();
    committed.restoreAll(block, isHeeded ? this::removedSeq : null);
  }

  /** Stores an entry in place of one from before, unless a later write of the key was applied. */
  void repaired(FormerEntries base, SegmentMessage.CopiedEntry entry) {
    boolean isWritten = removedSeq(entry.key()) > 0;
    if (!isWritten && base.isReplaceable(entry.key(), committed.seq(entry.key()))) {
      committed.restore(entry.key(), entry.value(), entry.seq());
    }
  }

  /** The same with the entries of a block. */
  void repaired(FormerEntries base, CopiedBlock block) {
    base.repair(block, this::removedSeq);
  }

  /** The place of the last write that removed a key while it was copied, or 0. */
  private long removedSeq(Object key) {
    long removed = tombstones.getOrDefault(key, 0L);
    return key instanceof ScopedKey scoped
        ? Math.max(removed, tombstones.getOrDefault(scoped.scope(), 0L))
        : removed;
  }

  /** A copy is complete. */
  void endCopy() {
    tombstones.clear();
    keepsTombstones = false;
    hasBase = false;
  }

  @Override
  public String toString() {
    return "committed up to %d: %s".formatted(commitSeq, committed);
  }
}
