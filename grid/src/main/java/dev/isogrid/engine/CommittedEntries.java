package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of one segment that are committed: what reads see. Not thread-safe. */
public interface CommittedEntries {
  /** The value of a key, or null; null for a scope that is no key. */
  @Nullable Object value(Object key);

  /** The place in the segment's order of the write that made a key's entry, or 0 if it has none. */
  long seq(Object key);

  /**
   * Stores an entry.
   *
   * @param seq the place of the write in the segment's order
   */
  void put(Object key, Object value, long seq);

  /** Removes an entry if there is one. */
  void remove(Object key);

  /**
   * Removes the entry of a key that is no {@link ScopedKey}, if there is one, and all entries whose
   * keys have it as their scope.
   */
  void clear(Object scope);

  /** Removes all. */
  void clear();

  /** How many there are. */
  int count();

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
   * Some entries.
   *
   * @param entries the entries
   * @param position where to go on, or null if there are no more
   */
  record Batch(List<CopiedEntry> entries, @Nullable Object position) {}
}
