package dev.isogrid.journal;

import java.io.IOException;

/** A journal has bytes that were not written so, and not because a write was cut off. */
public final class DamagedJournalException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  DamagedJournalException(String path, long offset, String what) {
    super("journal is damaged: file=%s, offset=%d, found=%s".formatted(path, offset, what));
    this.offset = offset;
  }

  /** Returns where in the file the damage begins. */
  public long offset() {
    return offset;
  }
}
