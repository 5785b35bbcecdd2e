package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/** What nodes ask each other to do with the entries of caches. Immutable. */
sealed interface EntryCommand extends Command
    permits EntryCommand.Read,
        EntryCommand.ClearEntries,
        WriteEntry,
        WriteEntries,
        ApplyFunction,
        ProcessEntry {
  /** A command that changes nothing, and sees what is committed. */
  sealed interface Read extends EntryCommand {
    @Override
    default boolean isRead() {
      return true;
    }

    @Override
    default Decision decide(@Nullable Object value, long seq, long nextSeq) {
      throw new UnsupportedOperationException("a read decides nothing: " + this);
    }

    @Override
    default @Nullable Object read(CommittedEntries entries) {
      // The only container that nodes with caches have.
      return read((ReplicatedSegment) entries);
    }

    /** Answers. */
    @Nullable Object read(ReplicatedSegment entries);
  }

  /** The live entry of a key, or null; counts as its use. */
  record ReadEntry(EntryKey key) implements Read {
    @Override
    public @Nullable Object read(ReplicatedSegment entries) {
      return entries.read(key);
    }
  }

  /**
   * Removes all entries of the cache in a segment.
   *
   * @param isSilent whether listeners are not told
   */
  record ClearEntries(CacheScope key, boolean isSilent) implements EntryCommand {
    @Override
    public boolean isRead() {
      return false;
    }

    @Override
    public Decision decide(@Nullable Object value, long seq, long nextSeq) {
      KeyWrite.Outcome done = KeyWrite.Outcome.DONE;
      return new Decision(true, null, new WriteResult(done, false, 0, null, isSilent, null, false));
    }
  }
}
