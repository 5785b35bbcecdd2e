package dev.isogrid.journal;

import org.jspecify.annotations.Nullable;

/**
 * The work of a journal and whether it can go on.
 *
 * @param file the path of the file that is written
 * @param trouble why writes are refused now, or null
 */
public record JournalState(JournalStats stats, String file, @Nullable String trouble) {}
