package dev.isogrid.engine;

/**
 * A write that was done here and may not be on the disk yet. It must not be acknowledged before
 * {@link EntryJournal#checkForced} allows that.
 *
 * @param position for {@link EntryJournal#checkForced}
 * @param version the version that the write got, or 0
 * @param existed whether there was an entry before
 */
record UnforcedWrite(long position, long version, KeyWrite.Outcome outcome, boolean existed)
    implements PendingWrite {}
