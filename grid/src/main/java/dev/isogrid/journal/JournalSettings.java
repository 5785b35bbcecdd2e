package dev.isogrid.journal;

import dev.isogrid.api.Fsync;
import java.util.Objects;

/**
 * How a journal is written.
 *
 * @param fsync when a write counts as kept
 * @param intervalMillis the most time between two forces, 1 or more; only for {@link
 *     Fsync#INTERVAL}
 * @param fileBytesMin the size at which the next file is begun if little counts
 * @param fileBytes the same if much counts; the largest size of a file of several records
 * @param retentionMillis how long a file stays after its last record, for readers of changes; 0 if
 *     it may go as soon as it has nothing that counts
 */
public record JournalSettings(
    Fsync fsync, long intervalMillis, long fileBytesMin, long fileBytes, long retentionMillis) {
  /** Large enough that a file's header, its forces and its name cost little. */
  public static final long FILE_BYTES_MIN = 4 << 20;

  /** Small enough that a file is cleaned in a second. */
  public static final long FILE_BYTES = 32 << 20;

  /** Files are such a part of what counts: their size is what the space is found too large by. */
  private static final int FILES_OF_LIVE = 8;

  /** With files of one size and a retention. */
  public JournalSettings(Fsync fsync, long intervalMillis, long fileBytes, long retentionMillis) {
    this(fsync, intervalMillis, fileBytes, fileBytes, retentionMillis);
  }

  /** With files of one size, without a retention. */
  public JournalSettings(Fsync fsync, long intervalMillis, long fileBytes) {
    this(fsync, intervalMillis, fileBytes, 0);
  }

  /** Checks the values. */
  public JournalSettings {
    Objects.requireNonNull(fsync, "fsync");
    if (intervalMillis < 1 || fileBytesMin < 1 || fileBytes < fileBytesMin || retentionMillis < 0) {
      throw new IllegalArgumentException(
          ("invalid settings: intervalMillis=%d, fileBytesMin=%d, fileBytes=%d, retentionMillis=%d;"
                  + " the first two are 1 or more, the third one is not below the second one, the"
                  + " last one is 0 or more")
              .formatted(intervalMillis, fileBytesMin, fileBytes, retentionMillis));
    }
  }

  /** Returns the size at which the next file is begun, for a number of bytes that count. */
  long fileBytes(long liveBytes) {
    return Math.clamp(liveBytes / FILES_OF_LIVE, fileBytesMin, fileBytes);
  }
}
