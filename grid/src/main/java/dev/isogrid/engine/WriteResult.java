package dev.isogrid.engine;

import dev.isogrid.store.DetachedEntry;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link WriteEntry}.
 *
 * @param outcome what became of it
 * @param existed whether there was an entry
 * @param sequence the version that the write got, without its epoch; 0 if it got none
 * @param previous the entry before, if that was wanted and there was one
 * @param isSilent whether listeners are not to be told of the write
 * @param refusal why it was not done, or null; the other fields but the next have no meaning then
 * @param isTemporary whether it was refused for want of copies, and may be done some time; else it
 *     was for want of room
 */
record WriteResult(
    KeyWrite.Outcome outcome,
    boolean existed,
    long sequence,
    @Nullable DetachedEntry previous,
    boolean isSilent,
    @Nullable String refusal,
    boolean isTemporary)
    implements Sized {
  /** The same with the version that the write got. */
  WriteResult withSequence(long got) {
    return new WriteResult(outcome, existed, got, previous, isSilent, refusal, isTemporary);
  }

  /** That there was no room. */
  static WriteResult refused(String reason) {
    return new WriteResult(KeyWrite.Outcome.DONE, false, 0, null, false, reason, false);
  }

  /** That there were too few copies. */
  static WriteResult refusedForNow(String reason) {
    return new WriteResult(KeyWrite.Outcome.DONE, false, 0, null, false, reason, true);
  }

  @Override
  public int sizeBytes() {
    return SMALL_BYTES + Sized.of(previous);
  }
}
