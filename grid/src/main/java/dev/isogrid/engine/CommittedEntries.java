package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.topology.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one segment that are committed, or applied ahead of that: what reads see. Not
 * thread-safe.
 */
public interface CommittedEntries {
  /** The value of a key, or null; null for a scope that is no key. */
  @Nullable Object value(Object key);

  /**
   * As {@link #value(Object)}, for a decision.
   *
   * @param needsBytes whether the decision needs the bytes of the value; if not, they may be left
   *     out
   */
  default @Nullable Object value(Object key, boolean needsBytes) {
    return value(key);
  }

  /** The place in the segment's order of the write that made a key's entry, or 0 if it has none. */
  long seq(Object key);

  /**
   * Returns whether this node knows what a key, or a scope, belongs to: what it applies is then
   * kept unless it was removed. If not, it must wait for a newer topology.
   */
  default boolean knows(Object key) {
    return true;
  }

  /** This node's copy is one of those that are in sync from now on. */
  default void inSync() {}

  /**
   * This node's copy is not in sync any more.
   *
   * @param seq the place of the last write that was committed here
   */
  default void left(long seq) {}

  /**
   * This node has been given all of a copy.
   *
   * @param seq the place of the last write that was committed here
   */
  default void copied(long seq) {}

  /** An entry of the log was committed; what it changes is said by the next call, if it does. */
  default void beginCommit(LogEntry entry) {}

  /**
   * The places up to one are taken, and nothing is at the last of them.
   *
   * @param seq the place
   */
  default void reached(long seq) {}

  /**
   * The segment continues behind a place with what is here, which may be nothing: what was written
   * elsewhere before is lost, and with it what was known of its changes.
   *
   * @param seq the place
   */
  default void restarted(long seq) {}

  /**
   * The place behind which a segment goes on whose entries were loaded here, or -1 if it begins
   * without entries, or with those of a copy.
   *
   * @param restarts how often the segment was begun anew, as the first topology says that this node
   *     learns
   */
  default long loadedPlace(int restarts) {
    return -1;
  }

  /**
   * The place behind which a segment goes on whose only entries are those that this node loaded
   * when it started. No place up to it is that of a write.
   */
  default long diskPlace() {
    return 0;
  }

  /**
   * The place up to which all writes are on the disk, where they are to be there before they are
   * answered.
   */
  default long keptSeq() {
    return Long.MAX_VALUE;
  }

  /**
   * The place of the last write that a command may have seen and that is not on the disk yet, where
   * it is to be there; 0 if there is none.
   */
  default long unkeptSeq(Command command) {
    return 0;
  }

  /** Whether all of a copy is on the disk, where it is to be there. */
  default boolean isCopyKept() {
    return true;
  }

  /** Whether a write of a key, or of a scope, can be taken back by {@link #takeBack}. */
  boolean canTakeBack(Object key);

  /**
   * Makes an entry what it was before a write that was applied but not committed; nobody is told.
   *
   * @param before the value that {@link #value} gave before, or null to remove the entry
   * @param seq the place of the write that made it
   */
  void takeBack(Object key, @Nullable Object before, long seq);

  /**
   * Stores an entry: a write was committed.
   *
   * @param seq the place of the write in the segment's order
   */
  void put(Object key, Object value, long seq);

  /**
   * Stores several entries: a write of all of them was committed. No read sees some of them only.
   *
   * @param seq the place of the write in the segment's order
   */
  default void putTogether(ManyValues values, long seq) {
    values.byKey().forEach((key, value) -> put(key, value, seq));
  }

  /** Stores an entry of a copy, or a part of one; arguments otherwise as in {@link #put}. */
  void restore(Object key, Object value, long seq);

  /**
   * Stores the entries of a block of a copy, but for those that are not newer than what is here.
   *
   * @param removed the place of the last write that removed a key, or 0; null if none was removed
   */
  default void restoreAll(CopiedBlock block, @Nullable ToLongFunction<Object> removed) {
    throw new IllegalArgumentException("no entries in blocks: " + block);
  }

  /** The entries that this node has from before, or null if nobody keeps any. */
  default @Nullable FormerEntries base() {
    return null;
  }

  /**
   * Says which entries a learner lacks that has some from before, or null if it lacks all.
   *
   * @param bases by cache, the place up to which it has entries
   * @param seed for the prints of entries
   */
  default @Nullable DeltaSource deltaTo(Map<Integer, Long> bases, long seed) {
    return null;
  }

  /** Returns the position from which {@link #scan} gives what a learner lacks. */
  default Object beginScan(DeltaSource delta) {
    throw new IllegalStateException("no entries from before can be here");
  }

  /** Removes all, but for the entries of some caches, which are not the segment's any more. */
  default void clearBut(Set<Integer> caches) {
    clear();
  }

  /**
   * Removes an entry if there is one: a removal was committed.
   *
   * @param seq the place of the write in the segment's order
   */
  void remove(Object key, long seq);

  /**
   * Removes the entry of a key that is no {@link ScopedKey}, if there is one, and all entries whose
   * keys have it as their scope.
   *
   * @param seq the place of the write in the segment's order
   */
  void clear(Object scope, long seq);

  /** Removes all. */
  void clear();

  /** About the bytes that keys and values take; 0 where nobody counts them. */
  default long bytes() {
    return 0;
  }

  /** How many there are. */
  int count();

  /**
   * The answer to a command for which this node has no room, or null if it has. The command is then
   * not done.
   *
   * @param changes whether the command would change the entry; if not, it needs no room
   */
  @Nullable Object refusal(Command command, boolean changes);

  /**
   * The answer to a command that would change something while there are too few copies for that, or
   * null if there are enough. The command is then not done.
   *
   * @param inSync the copies that are in sync, this one included
   */
  default @Nullable Object refusalOfCopies(Command command, int inSync) {
    return null;
  }

  /**
   * Returns whether a command is to remove an entry that this node has not, but other replicas may
   * have, because each evicts its own.
   *
   * @param decision what the command makes of there being no entry here
   */
  default boolean removesElsewhere(Command command, Command.Decision decision) {
    return false;
  }

  /** Returns whether this node may remove the entry of a key by itself, for want of room. */
  default boolean mayEvict(Object key) {
    return false;
  }

  /**
   * The answer to a command for which another node that keeps the segment has no room, or null if
   * it needs none.
   */
  default @Nullable Object refusal(Command command, NodeId full) {
    return null;
  }

  /** Whether this node has so little memory left that others should write no more. */
  default boolean isNearlyFull() {
    return false;
  }

  /** Whether a disk of this node is so far behind that others should write later. */
  default boolean isDiskBehind() {
    return false;
  }

  /**
   * Returns whether a command that would change something is to wait for a disk.
   *
   * @param isPeerBehind whether the disk of another node that keeps the segment is behind
   */
  default boolean waitsForDisk(Command command, boolean isPeerBehind) {
    return false;
  }

  /**
   * A command that was not refused got its place, and will be committed or forgotten.
   *
   * @param seq the place
   */
  default void accepted(Command command, long seq) {}

  // ---- entries that are on the disk only

  /** Whether entries may be on the disk only; if not, none of what follows is needed. */
  default boolean areOnDisk() {
    return false;
  }

  /**
   * Keeps the entries of a command in memory, if there are some, until {@link #release(Command)}.
   *
   * @return false if the disk must be read for that, see {@link #tryFetch}
   */
  default boolean tryHold(Command command) {
    return true;
  }

  /** Ends {@link #tryHold(Command)}. */
  default void release(Command command) {}

  /**
   * Keeps the entries of keys in memory, if there are some, until each is released.
   *
   * @return false if the disk must be read for that, see {@link #tryFetch}; nothing is kept then
   */
  default boolean tryHold(Collection<Object> keys) {
    return true;
  }

  /** Keeps the entry of a key in memory, which is held already, for as long as another one does. */
  default void hold(Object key) {}

  /** Ends a hold of a key. */
  default void release(Object key) {}

  /** The keys of a command whose entries it may see or change. */
  default Collection<Object> keys(Command command) {
    return List.of(command.key());
  }

  /** The keys of a block of a copy. */
  default Collection<Object> keys(CopiedBlock block) {
    return List.of();
  }

  /**
   * Brings the entries of keys into memory, by another thread.
   *
   * @param whenDone called when they are there, and held for the time of that call
   * @return false if that can't be begun now
   */
  default boolean tryFetch(Collection<Object> keys, DiskReads.Continuation whenDone) {
    return false;
  }

  /** Returns the position from which {@link #scan} gives all entries, or null. */
  default @Nullable Object newScan() {
    return null;
  }

  /**
   * Reads what {@link #scan} gives next, by another thread.
   *
   * @param position as it was returned
   * @param bytesMax as in {@link #scan}
   * @param whenRead called when it can be given, or can't be read
   */
  default ScanState prepareScan(
      @Nullable Object position, int countMax, int bytesMax, DiskReads.Continuation whenRead) {
    return ScanState.READY;
  }

  /** Whether a scan can go on. */
  enum ScanState {
    /** The next entries are there. */
    READY,
    /** They are being read. */
    READING,
    /** They can't be read now, and nobody reads. */
    REFUSED
  }

  /** Says whether this node answers for the segment, a lease provided. */
  void serve(boolean isServed);

  /** Says whether this node answers reads of the segment as a backup, a lease provided. */
  default void readable(boolean isReadable) {}

  /**
   * No other node is concerned with the segment: from now on this node's callers may write to the
   * entries on their own, without a command.
   *
   * @param lastSeq the place of the last write before
   */
  void beginOwn(long lastSeq);

  /**
   * They may not any more, from when this returns.
   *
   * @return the place of their last write, or 0 if there is none
   */
  long endOwn();

  /**
   * Whether this node's callers ever wrote for a client that numbers its writes, without a command:
   * such a write leaves no record.
   */
  boolean isWrittenByClients();

  /**
   * This node ends: its callers may neither read nor write the entries from now on, whatever is
   * said later. Does not fail.
   */
  default void end() {}

  /** Waits for callers of this node that began to write before {@link #end}. */
  default void awaitWriters() {}

  /**
   * Some entries, in an order that does not depend on what else there is: over all calls each entry
   * that is present throughout comes once.
   *
   * @param after the position that the last call returned, or null to begin
   * @param countMax entries at most, 1 or more
   * @param bytesMax bytes of keys and values at most, as {@link Sized} counts them; the last entry
   *     may go beyond it, so that there is one
   */
  Batch scan(@Nullable Object after, int countMax, int bytesMax);

  /**
   * A scan does not go on: lets go of what its position holds.
   *
   * @param position as it was returned
   */
  default void endScan(Object position) {}

  /**
   * Some entries.
   *
   * @param entries single ones, or parts of them
   * @param blocks others, together
   * @param position where to go on, or null if there are no more
   */
  record Batch(List<CopiedEntry> entries, List<CopiedBlock> blocks, @Nullable Object position) {
    /** Entries that are not in blocks. */
    public Batch(List<CopiedEntry> entries, @Nullable Object position) {
      this(entries, List.of(), position);
    }
  }
}
