package dev.isogrid.journal;

import dev.isogrid.api.Fsync;
import java.util.Objects;

/**
 * How a journal is written.
 *
 * @param fsync when a write counts as kept
 * @param intervalMillis the most time between two forces, 1 or more; only for {@link
 *     Fsync#INTERVAL}
 * @param fileBytes the size at which the next file is begun
 * @param retentionMillis how long a file stays after its last record, for readers of changes; 0 if
 *     it may go as soon as it has nothing that counts
 */
public record JournalSettings(
    Fsync fsync, long intervalMillis, long fileBytes, long retentionMillis) {
  /**
   * Small against a cache of some size, since so much more than twice its bytes may be used; large
   * enough that a file's header, force and name cost nothing.
   */
  public static final long FILE_BYTES = 16 << 20;

  /** Without a retention. */
  public JournalSettings(Fsync fsync, long intervalMillis, long fileBytes) {
    this(fsync, intervalMillis, fileBytes, 0);
  }

  /** Checks the values. */
  public JournalSettings {
    Objects.requireNonNull(fsync, "fsync");
    if (intervalMillis < 1 || fileBytes < 1 || retentionMillis < 0) {
      throw new IllegalArgumentException(
          ("invalid settings: intervalMillis=%d, fileBytes=%d, retentionMillis=%d; the first two"
                  + " are 1 or more, the last one 0 or more")
              .formatted(intervalMillis, fileBytes, retentionMillis));
    }
  }
}
