package dev.isogrid.engine;

/**
 * A write that was done here, and is not on the disk yet, so that nobody may be told of it.
 *
 * @param position see {@link EntryJournal#checkForced}
 * @param version the version that the write got, or 0
 * @param existed whether there was an entry before
 */
record UnforcedWrite(long position, long version, KeyWrite.Outcome outcome, boolean existed)
    implements PendingWrite {}
