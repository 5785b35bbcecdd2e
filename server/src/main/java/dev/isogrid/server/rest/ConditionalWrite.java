package dev.isogrid.server.rest;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.rest.Preconditions.Verdict;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;

/**
 * A write under the conditions of its request on the current entry, which are checked under the
 * lock of the segment. Reusable; not thread-safe.
 */
final class ConditionalWrite implements Mutation<BinaryKey, Bytes> {
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final Preconditions preconditions;
  private Verdict verdict = Verdict.GO_ON;

  ConditionalWrite(Preconditions preconditions) {
    this.preconditions = preconditions;
  }

  /** The write itself; fill it before and read its result afterwards. */
  KeyWrite<BinaryKey, Bytes> write() {
    return write;
  }

  /**
   * The mutation for the engine: the write alone if the request has no conditions, which the
   * primary of a segment can decide in one operation.
   */
  Mutation<BinaryKey, Bytes> mutation() {
    verdict = Verdict.GO_ON;
    return preconditions.areNone() ? write : this;
  }

  /** Whether the conditions held. */
  Verdict verdict() {
    return verdict;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    if (!write.isRemoval()) {
      verdict = preconditions.forPut(current);
    } else {
      verdict = current.isPresent() ? preconditions.forRemoval(current) : Verdict.GO_ON;
    }
    if (verdict == Verdict.GO_ON) {
      write.apply(current, effect);
    }
  }

  @Override
  public boolean isRemoval() {
    return write.isRemoval();
  }
}
