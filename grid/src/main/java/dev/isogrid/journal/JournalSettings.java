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
 */
public record JournalSettings(Fsync fsync, long intervalMillis, long fileBytes) {
  /**
   * Small against a cache of some size, since so much more than twice its bytes may be used; large
   * enough that a file's header, force and name cost nothing.
   */
  public static final long FILE_BYTES = 16 << 20;

  /** Checks the values. */
  public JournalSettings {
    Objects.requireNonNull(fsync, "fsync");
    if (intervalMillis < 1 || fileBytes < 1) {
      throw new IllegalArgumentException(
          "invalid settings: intervalMillis=%d, fileBytes=%d; both are 1 or more"
              .formatted(intervalMillis, fileBytes));
    }
  }
}
