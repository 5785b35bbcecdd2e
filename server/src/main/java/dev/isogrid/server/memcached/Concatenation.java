package dev.isogrid.server.memcached;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;

/**
 * Adds bytes before or after the value of an entry, which keeps its time and attributes. Allocates
 * the new value. Reusable; not thread-safe.
 */
final class Concatenation implements Mutation<BinaryKey, Bytes> {
  private final ItemSize itemSize;
  private final Bytes addition;
  private boolean append;

  /** The version that the entry must have; 0 for any. */
  private long expectedVersion;

  private long nowMillis;
  private StoredForm form = StoredForm.AS_IS;
  private Outcome outcome = Outcome.NO_ENTRY;

  /** The result of a concatenation. */
  enum Outcome {
    /** The entry has a new value. */
    DONE,
    /** There is no entry. */
    NO_ENTRY,
    /** The entry has another version. */
    OTHER_VERSION,
    /** The new value would be too large. */
    TOO_LARGE
  }

  /**
   * Makes a concatenation.
   *
   * @param addition the added bytes, read at the time of the write
   * @param itemSize the limit of the new item
   */
  Concatenation(Bytes addition, ItemSize itemSize) {
    this.addition = addition;
    this.itemSize = itemSize;
  }

  /** Sets the end to add to, the time, and the stored form of values, for any version. */
  Concatenation to(boolean append, long nowMillis, StoredForm form) {
    return to(append, nowMillis, form, 0);
  }

  /** The same, for an entry with a version; 0 for any. */
  Concatenation to(boolean append, long nowMillis, StoredForm form, long expectedVersion) {
    this.expectedVersion = expectedVersion;
    this.form = form;
    this.append = append;
    this.nowMillis = nowMillis;
    return this;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    if (!current.isPresent()) {
      outcome = Outcome.NO_ENTRY;
      return;
    }
    if (expectedVersion != 0 && current.version() != expectedVersion) {
      outcome = Outcome.OTHER_VERSION;
      return;
    }
    Bytes value = form.decoded(current.value());
    outcome = fits(current, value) ? Outcome.DONE : Outcome.TOO_LARGE;
    if (outcome == Outcome.DONE) {
      effect.store(
          form.encoded(join(value)),
          current.remainingLifespanMillis(nowMillis),
          current.maxIdleMillis(),
          current.clientFlags(),
          RecacheMark.with(RecacheMark.NONE, current.mediaType(), form.valueMediaType()));
    }
  }

  private boolean fits(EntryView<BinaryKey, Bytes> current, Bytes value) {
    long length = (long) value.length() + addition.length();
    return itemSize.fits(length, current.key().length(), current.clientFlags());
  }

  private Bytes join(Bytes value) {
    byte[] joined = new byte[value.length() + addition.length()];
    value.copyTo(joined, append ? 0 : addition.length());
    addition.copyTo(joined, append ? value.length() : 0);
    return Bytes.of(joined);
  }

  /** The result of the last write. */
  Outcome outcome() {
    return outcome;
  }
}
