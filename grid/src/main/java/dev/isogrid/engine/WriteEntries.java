package dev.isogrid.engine;

import dev.isogrid.engine.KeyWrite.Condition;
import dev.isogrid.store.DetachedEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts of several keys of a cache in one segment, done together: one operation, one place in the
 * segment's order, which is the version of all these entries.
 *
 * @param key the cache
 * @param writes what to store; puts without a condition, of different keys, which all tell
 *     listeners or all don't
 */
record WriteEntries(CacheScope key, List<WriteEntry> writes) implements EntryCommand {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if these can't be done together
   */
  WriteEntries {
    writes = List.copyOf(writes);
    if (writes.isEmpty()) {
      throw new IllegalArgumentException("nothing to write");
    }
    for (WriteEntry write : writes) {
      boolean isPut =
          write.action() == WriteEntry.Action.STORE
              && write.condition() == Condition.NONE
              && !write.wantsPrevious();
      if (!isPut
          || write.key().cacheId() != key.cacheId()
          || write.isSilent() != writes.getFirst().isSilent()) {
        throw new IllegalArgumentException("no write that can be done with others: " + write.key());
      }
    }
    if (writes.stream().map(WriteEntry::key).distinct().count() != writes.size()) {
      throw new IllegalArgumentException("a key twice in one write: cache=" + key.cacheId());
    }
  }

  @Override
  public boolean isRead() {
    return false;
  }

  /** Whether listeners are not to be told. */
  boolean isSilent() {
    return writes.getFirst().isSilent();
  }

  @Override
  public int sizeBytes() {
    long bytes = 0;
    for (WriteEntry write : writes) {
      bytes += write.sizeBytes();
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /** The bytes of the values. */
  long valueBytes() {
    return writes.stream().mapToLong(write -> fields(write).value().length()).sum();
  }

  private static WriteEntry.Fields fields(WriteEntry write) {
    return Objects.requireNonNull(write.fields());
  }

  @Override
  public Decision decide(@Nullable Object value, long seq, long nextSeq) {
    long nowMillis = writes.getFirst().clock().millis();
    Map<Object, Object> values = LinkedHashMap.newLinkedHashMap(writes.size());
    for (WriteEntry write : writes) {
      DetachedEntry entry = fields(write).entry(nowMillis);
      values.put(write.key(), entry);
    }
    WriteResult done =
        new WriteResult(KeyWrite.Outcome.DONE, false, nextSeq, null, isSilent(), null, false);
    return new Decision(true, new ManyValues(values), done);
  }
}
