package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A write of one entry that the code of a user decides upon, on the node where the segment's
 * primary is. It is prepared there, outside of the node's driver, and then decided upon: it is to
 * be asked for again if the entry is another one by then.
 *
 * @param processor the code
 * @param prepared what the code wants, or null as long as it did not run
 */
record ProcessEntry(EntryKey key, ByteString processor, @Nullable Prepared prepared)
    implements EntryCommand {
  /** The answer if the entry is not what it was, or nobody prepared it. */
  private static final WriteResult AGAIN =
      new WriteResult(KeyWrite.Outcome.OTHER_VERSION, false, 0, null, false, null, false);

  /**
   * What the code made of the entry.
   *
   * @param write what it wants if the entry is still the same, or null to leave it
   * @param answer its result
   * @param refusal why it can't be, or null; the other fields have no meaning then
   */
  record Prepared(@Nullable WriteEntry write, ByteString answer, @Nullable String refusal) {}

  @Override
  public boolean isRead() {
    return false;
  }

  @Override
  public boolean waitsForUsers() {
    return true;
  }

  /** Without what was prepared, which no message has. */
  @Override
  public int sizeBytes() {
    return key.sizeBytes() + processor.length();
  }

  /** The write that it is, once it is prepared, or null if it is none. */
  @Nullable WriteEntry write() {
    return prepared == null ? null : prepared.write;
  }

  @Override
  public Decision decide(@Nullable Object value, long seq, long nextSeq) {
    if (prepared == null) {
      return new Decision(false, null, AGAIN);
    }
    if (prepared.refusal != null) {
      return new Decision(false, null, ApplyFunction.Answer.refused(prepared.refusal));
    }
    if (prepared.write == null) {
      return new Decision(false, null, new ApplyFunction.Answer(0, prepared.answer, null));
    }
    Decision decision = prepared.write.decide(value, seq, nextSeq);
    return decision.result() instanceof WriteResult result
            && result.outcome() == KeyWrite.Outcome.DONE
        ? new Decision(
            decision.changes(),
            decision.value(),
            new ApplyFunction.Answer(result.sequence(), prepared.answer, null))
        : decision;
  }
}
