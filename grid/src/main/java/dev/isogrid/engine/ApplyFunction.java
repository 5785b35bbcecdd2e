package dev.isogrid.engine;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.GridException;
import dev.isogrid.base.EpochClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.DetachedEntry;
import org.jspecify.annotations.Nullable;

/**
 * A write of one entry that the node's {@link EntryFunction} decides upon where the segment's
 * primary is.
 *
 * @param key the key
 * @param argument what the function is told
 * @param function the primary's
 * @param clock the primary's, which decides what is expired
 */
record ApplyFunction(EntryKey key, ByteString argument, EntryFunction function, EpochClock clock)
    implements EntryCommand {
  /**
   * The answer.
   *
   * @param sequence the version that the write got, without its epoch; 0 if it got none
   * @param answer the function's
   * @param refusal why it was not done, or null; the other fields have no meaning then
   */
  record Answer(long sequence, ByteString answer, @Nullable String refusal) implements Sized {
    static Answer refused(String reason) {
      return new Answer(0, ByteString.of(new byte[0]), reason);
    }

    @Override
    public int sizeBytes() {
      return SMALL_BYTES + answer.length();
    }
  }

  @Override
  public boolean isRead() {
    return false;
  }

  @Override
  public Decision decide(@Nullable Object value, long seq, long nextSeq) {
    DetachedEntry stored = (DetachedEntry) value;
    boolean isExpired = stored != null && stored.isExpired(clock.millis());
    byte[] current = stored == null || isExpired ? null : stored.value().toByteArray();
    EntryFunction.Result result;
    try {
      result = function.apply(current, argument.toByteArray());
    } catch (GridException impossible) {
      String reason = String.valueOf(impossible.getMessage());
      return new Decision(isExpired, null, Answer.refused(reason));
    }
    byte[] next = result.value();
    ByteString answer = ByteString.of(result.answer());
    if (!result.changes()) {
      return new Decision(isExpired, null, new Answer(0, answer, null));
    }
    return new Decision(true, next == null ? null : entry(next), new Answer(nextSeq, answer, null));
  }

  private static DetachedEntry entry(byte[] value) {
    return new DetachedEntry(
        0, -1, Expiry.UNLIMITED, -1, Expiry.UNLIMITED, 0, null, ByteString.of(value));
  }
}
