package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries of a segment in a sorted map. */
final class TestEntries implements CommittedEntries {
  private record Versioned(Object value, long version) {}

  private final TreeMap<ByteString, Versioned> entries =
      new TreeMap<>((one, other) -> one.asReadOnlyBuffer().compareTo(other.asReadOnlyBuffer()));

  @Override
  public @Nullable Object value(Object key) {
    Versioned entry = entries.get((ByteString) key);
    return entry == null ? null : entry.value;
  }

  @Override
  public long version(Object key) {
    Versioned entry = entries.get((ByteString) key);
    return entry == null ? 0 : entry.version;
  }

  @Override
  public void put(Object key, Object value, long version) {
    entries.put((ByteString) key, new Versioned(value, version));
  }

  @Override
  public void remove(Object key) {
    entries.remove((ByteString) key);
  }

  @Override
  public void clear() {
    entries.clear();
  }

  @Override
  public int count() {
    return entries.size();
  }

  @Override
  public Batch scan(@Nullable Object after, int countMax) {
    NavigableMap<ByteString, Versioned> rest =
        after == null ? entries : entries.tailMap((ByteString) after, false);
    List<CopiedEntry> batch = new ArrayList<>();
    ByteString last = null;
    for (Map.Entry<ByteString, Versioned> entry : rest.entrySet()) {
      if (batch.size() == countMax) {
        return new Batch(batch, last);
      }
      last = entry.getKey();
      batch.add(new CopiedEntry(last, entry.getValue().value, entry.getValue().version));
    }
    return new Batch(batch, null);
  }
}
