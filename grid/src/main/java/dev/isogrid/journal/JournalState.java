package dev.isogrid.journal;

import org.jspecify.annotations.Nullable;

/**
 * The work of a journal and whether it can go on.
 *
 * @param file the path of the file that is written
 * @param trouble why writes are refused now, or null
 * @param cleaningTrouble why the files grow, as old records can't be cleaned; or null
 */
public record JournalState(
    JournalStats stats, String file, @Nullable String trouble, @Nullable String cleaningTrouble) {}
