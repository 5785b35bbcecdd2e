package dev.isogrid.journal;

/**
 * The work of a journal since it was opened, and its size.
 *
 * @param appendedBytes of all records, those that were carried included
 * @param forcedBytes of those that outlive a loss of power
 * @param carriedBytes of records that were written again so that an old file could go
 * @param fileBytes of all files
 * @param liveBytes of the records that count
 * @param forces how often the system was told to force the records to the disk
 * @param forceMillis how long all forces took together
 * @param longestForceMillis how long the longest one took
 */
public record JournalStats(
    long appendedBytes,
    long forcedBytes,
    long carriedBytes,
    long fileBytes,
    long liveBytes,
    long forces,
    long forceMillis,
    long longestForceMillis) {}
