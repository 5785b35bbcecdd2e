package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries of a segment in a sorted map. */
final class TestEntries implements CommittedEntries {
  private record Stored(Object value, long seq) {}

  private final TreeMap<ByteString, Stored> entries =
      new TreeMap<>((one, other) -> one.asReadOnlyBuffer().compareTo(other.asReadOnlyBuffer()));

  /** Keys of what this node has not heard of. */
  final Set<Object> unknown = new HashSet<>();

  /** Whether the callers of the node write without the replica. */
  boolean isOwn;

  /** The place of the last write of these callers. */
  long ownSeq;

  /** Whether one of these callers was a client of a server. */
  boolean isWrittenByClients;

  /** The place that reads wait for, which is not on the disk; 0 for none. */
  long unkeptSeq;

  /** As {@link #diskPlace()}. */
  long diskPlace;

  /** The place of the last {@link #restarted}. */
  long restartedSeq;

  /** The calls of {@link #clear()}. */
  int clears;

  /** As {@link #base()}; with it, entries stay when they are cleared. */
  @Nullable FormerEntries base;

  private final Runnable beforePut;

  TestEntries() {
    this(() -> {});
  }

  /**
   * Entries that do something before each put.
   *
   * @param beforePut may throw
   */
  TestEntries(Runnable beforePut) {
    this.beforePut = beforePut;
  }

  @Override
  public boolean knows(Object key) {
    return !unknown.contains(key);
  }

  @Override
  public @Nullable Object value(Object key) {
    Stored entry = entries.get((ByteString) key);
    return entry == null ? null : entry.value;
  }

  @Override
  public long seq(Object key) {
    Stored entry = entries.get((ByteString) key);
    return entry == null ? 0 : entry.seq;
  }

  @Override
  public void put(Object key, Object value, long seq) {
    beforePut.run();
    entries.put((ByteString) key, new Stored(value, seq));
  }

  @Override
  public void restore(Object key, Object value, long seq) {
    put(key, value, seq);
  }

  @Override
  public void remove(Object key, long seq) {
    entries.remove((ByteString) key);
  }

  @Override
  public void clear(Object scope, long seq) {
    remove(scope, seq);
  }

  @Override
  public void clear() {
    clears++;
    if (base == null) {
      entries.clear();
    }
  }

  @Override
  public @Nullable FormerEntries base() {
    return base;
  }

  @Override
  public long diskPlace() {
    return diskPlace;
  }

  @Override
  public void restarted(long seq) {
    restartedSeq = seq;
  }

  @Override
  public boolean canTakeBack(Object key) {
    return true;
  }

  @Override
  public void takeBack(Object key, @Nullable Object before, long seq) {
    if (before == null) {
      remove(key, seq);
    } else {
      put(key, before, seq);
    }
  }

  @Override
  public int count() {
    return entries.size();
  }

  @Override
  public @Nullable Object refusal(Command command, boolean changes) {
    return null;
  }

  @Override
  public void serve(boolean isServed) {
    // Asked of the node.
  }

  @Override
  public long keptSeq() {
    return unkeptSeq == 0 ? Long.MAX_VALUE : unkeptSeq - 1;
  }

  @Override
  public long unkeptSeq(Command command) {
    return unkeptSeq;
  }

  @Override
  public void beginOwn(long lastSeq) {
    isOwn = true; // but nobody writes past the node
  }

  @Override
  public long endOwn() {
    isOwn = false;
    return ownSeq;
  }

  @Override
  public boolean isWrittenByClients() {
    return isWrittenByClients;
  }

  @Override
  public Batch scan(@Nullable Object after, int countMax, int bytesMax) {
    NavigableMap<ByteString, Stored> rest =
        after == null ? entries : entries.tailMap((ByteString) after, false);
    List<CopiedEntry> batch = new ArrayList<>();
    ByteString last = null;
    int bytes = 0;
    for (Map.Entry<ByteString, Stored> entry : rest.entrySet()) {
      if (batch.size() == countMax || bytes >= bytesMax) {
        return new Batch(batch, last);
      }
      last = entry.getKey();
      bytes += Sized.of(last) + Sized.of(entry.getValue().value);
      batch.add(new CopiedEntry(last, entry.getValue().value, entry.getValue().seq));
    }
    return new Batch(batch, null);
  }
}
