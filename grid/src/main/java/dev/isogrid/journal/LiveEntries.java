package dev.isogrid.journal;

/** The entries that a journal is kept for. */
@FunctionalInterface
public interface LiveEntries {
  /**
   * Appends an entry again, as it is now, if a record is the one that made it so. Called by the
   * journal's thread; may wait for the lock of a segment, not for the journal.
   *
   * @param record a put; borrowed for the call
   * @return the bytes that were appended, 0 if the record does not count any more
   */
  long carry(JournalRecord record);
}
