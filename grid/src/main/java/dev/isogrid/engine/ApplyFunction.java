package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.EpochClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.DetachedEntry;
import dev.isogrid.store.Effect;
import org.jspecify.annotations.Nullable;

/**
 * A write of one entry that the node's {@link EntryFunction} decides upon where the segment's
 * primary is.
 *
 * @param key the key
 * @param versionEpoch that of the versions of the cache
 * @param argument the argument of the function
 * @param function the primary's
 * @param clock the primary's, which decides what is expired
 */
record ApplyFunction(
    EntryKey key, int versionEpoch, ByteString argument, EntryFunction function, EpochClock clock)
    implements EntryCommand {
  private static final byte[] NOTHING = {};

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
  public int sizeBytes() {
    return key.sizeBytes() + argument.length();
  }

  @Override
  public Command onto(@Nullable Object value, long seq) {
    DetachedEntry stored = (DetachedEntry) value;
    boolean isThere = stored != null && !stored.isExpired(clock.millis());
    DetachedEntry current = stored == null || !isThere ? null : WriteEntry.ofVersion(stored, seq);
    Effect<Bytes> effect = new Effect<>();
    try {
      byte[] answer =
          function.apply(
              DetachedEntry.window(current, key.toBinary(), versionEpoch),
              effect,
              argument.toByteArray());
      return prepared(write(current, effect), answer, null);
    } catch (GridException impossible) {
      return prepared(null, NOTHING, String.valueOf(impossible.getMessage()));
    }
  }

  private @Nullable WriteEntry write(@Nullable DetachedEntry current, Effect<Bytes> effect) {
    boolean changes = current != null || effect.kind() != Effect.Kind.REMOVE;
    WriteEntry write =
        changes ? WriteEntry.of(key, effect, KeyWrite.Condition.NONE, 0, clock) : null;
    if (write != null && Sized.of(write.fields()) > ReplicaStore.SENT_ENTRY_MAX) {
      throw new InvalidRequestException(
          "entry too large for a cluster of several nodes: key=%s, size=%d, limit=%d; split it"
              .formatted(key, Sized.of(write.fields()), ReplicaStore.SENT_ENTRY_MAX));
    }
    return write == null ? null : write.wantingPrevious();
  }

  private ProcessEntry prepared(
      @Nullable WriteEntry write, byte[] answer, @Nullable String refusal) {
    return new ProcessEntry(
        key, argument, new ProcessEntry.Prepared(write, ByteString.of(answer), refusal));
  }

  @Override
  public Decision decide(@Nullable Object value, long seq, long nextSeq) {
    return onto(value, seq).decide(value, seq, nextSeq);
  }
}
