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

  /**
   * Reads what {@link #carry} of some records is going to look at, so that the processor has that
   * memory near. No effect otherwise. Called as {@link #carry}.
   *
   * @param records puts; borrowed for the call
   * @param count the number of records from the first one on
   * @return to be used for something, or else the reads would be left out
   */
  default int bringNear(JournalRecord[] records, int count) {
    return 0;
  }

  /**
   * Appends what is to be known of segments when the oldest records are gone. Called as {@link
   * #carry}.
   */
  default void beforeDrop() {}

  /**
   * Takes a record that was written, so that it can be read at its place. Called by the journal's
   * thread in the order of the records; as {@link #carry} otherwise.
   *
   * @param record borrowed for the call
   */
  default void written(JournalRecord record) {}

  /** Called when no more record is to be told of for now, by the journal's thread. */
  default void settled() {}

  /** Called by the journal's thread before a file is deleted, of which no record counts. */
  default void deleting(long file) {}
}
