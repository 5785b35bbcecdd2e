package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The entries of a segment in a sorted map. */
final class SimEntries implements CommittedEntries {
  private record Stored(Object value, long seq) {}

  private final TreeMap<SimKey, Stored> entries = new TreeMap<>();
  private final Consumer<LogEntry> whenShown;

  /** The place up to which writes are on the disk. */
  long keptSeq = Long.MAX_VALUE;

  /** Whether writes are to wait for the disk. */
  boolean isDiskBehind;

  SimEntries() {
    this(_ -> {});
  }

  /**
   * Begins without entries.
   *
   * @param whenShown receives each write that reads may see
   */
  SimEntries(Consumer<LogEntry> whenShown) {
    this.whenShown = whenShown;
  }

  @Override
  public void beginCommit(LogEntry entry) {
    whenShown.accept(entry);
  }

  private @Nullable Stored entry(Object key) {
    return key instanceof SimKey known ? entries.get(known) : null;
  }

  @Override
  public @Nullable Object value(Object key) {
    Stored entry = entry(key);
    return entry == null ? null : entry.value;
  }

  @Override
  public long seq(Object key) {
    Stored entry = entry(key);
    return entry == null ? 0 : entry.seq;
  }

  @Override
  public void put(Object key, Object value, long seq) {
    entries.put((SimKey) key, new Stored(value, seq));
  }

  @Override
  public void restore(Object key, Object value, long seq) {
    put(key, value, seq);
  }

  @Override
  public void remove(Object key, long seq) {
    entries.remove((SimKey) key);
  }

  @Override
  public void clear(Object scope, long seq) {
    entries.keySet().removeIf(key -> key.scope().equals(scope));
  }

  @Override
  public void clear() {
    entries.clear();
  }

  @Override
  public boolean canTakeBack(Object key) {
    return key instanceof SimKey;
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
  public long keptSeq() {
    return keptSeq;
  }

  @Override
  public long unkeptSeq(Command command) {
    long last = entries.values().stream().mapToLong(Stored::seq).max().orElse(0);
    return last > keptSeq ? last : 0;
  }

  @Override
  public boolean isDiskBehind() {
    return isDiskBehind;
  }

  @Override
  public boolean waitsForDisk(Command command, boolean isPeerBehind) {
    return isDiskBehind || isPeerBehind;
  }

  @Override
  public boolean mayEvict(Object key) {
    return true;
  }

  @Override
  public void serve(boolean isServed) {
    // The node answers this.
  }

  @Override
  public void beginOwn(long lastSeq) {
    // All writes go through the node.
  }

  @Override
  public long endOwn() {
    return 0;
  }

  @Override
  public boolean isWrittenByClients() {
    return false;
  }

  @Override
  public Batch scan(@Nullable Object after, int countMax, int bytesMax) {
    NavigableMap<SimKey, Stored> rest =
        after == null ? entries : entries.tailMap((SimKey) after, false);
    List<CopiedEntry> batch = new ArrayList<>();
    SimKey last = null;
    int bytes = 0;
    for (Map.Entry<SimKey, Stored> entry : rest.entrySet()) {
      if (batch.size() == countMax || bytes >= bytesMax) {
        return new Batch(batch, last);
      }
      last = entry.getKey();
      Object value = entry.getValue().value;
      bytes += Sized.of(last) + Sized.of(value);
      batch.add(new CopiedEntry(last, value, entry.getValue().seq));
    }
    return new Batch(batch, null);
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
