package dev.isogrid.journal;

/**
 * A file of a journal that is complete.
 *
 * @param number its number
 * @param bytes its size
 */
record LogFile(long number, long bytes) {
  /** Returns its name. */
  String name() {
    return JournalLayout.fileName(number);
  }
}
