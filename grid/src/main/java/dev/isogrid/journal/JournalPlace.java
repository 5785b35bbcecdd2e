package dev.isogrid.journal;

/**
 * A place in the files of a journal.
 *
 * @param file the number of the file
 * @param offset in the file; 0 for its first record
 */
public record JournalPlace(long file, long offset) {
  /** Before all files. */
  public static final JournalPlace NONE = new JournalPlace(0, 0);

  /** Returns whether another place is before this one. */
  public boolean isBeyond(JournalPlace other) {
    return file > other.file || (file == other.file && offset > other.offset);
  }
}
