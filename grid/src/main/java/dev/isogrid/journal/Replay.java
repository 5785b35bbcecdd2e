package dev.isogrid.journal;

/**
 * Takes the records of a journal in the order in which they were written. For one thread at a time,
 * or, if it says so, for one thread per segment.
 */
public interface Replay {
  /**
   * Returns whether records of different segments may come at the same time, in any order, as the
   * segment of a key is still the one that its records have.
   */
  default boolean isParallel() {
    return false;
  }

  /** An entry was stored. The record is borrowed for the call. */
  void put(JournalRecord record);

  /** An entry was removed. The record is borrowed for the call. */
  void remove(JournalRecord record);

  /** All entries of a segment were removed. The record is borrowed for the call. */
  void clear(JournalRecord record);

  /**
   * A segment has all writes of its cluster up to the version of a record, or lacks some if that is
   * 0. The record is borrowed for the call.
   */
  default void place(JournalRecord record) {}
}
