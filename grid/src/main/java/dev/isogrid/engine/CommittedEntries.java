package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of one segment that are committed: what reads see. Not thread-safe. */
public interface CommittedEntries {
  /** The value of a key, or null. */
  @Nullable Object value(Object key);

  /** The version of a key's entry, or 0 if there is none. */
  long version(Object key);

  /** Stores an entry. */
  void put(Object key, Object value, long version);

  /** Removes an entry if there is one. */
  void remove(Object key);

  /** Removes all. */
  void clear();

  /** How many there are. */
  int count();

  /**
   * Some entries, in an order that does not depend on what else there is: over all calls each entry
   * that is present throughout comes once.
   *
   * @param after the position that the last call returned, or null to begin
   */
  Batch scan(@Nullable Object after, int countMax);

  /**
   * Some entries.
   *
   * @param entries the entries
   * @param position where to go on, or null if there are no more
   */
  record Batch(List<CopiedEntry> entries, @Nullable Object position) {}
}
