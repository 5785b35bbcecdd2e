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
  private final int lengthMax;
  private final Bytes addition;
  private boolean append;
  private long nowMillis;
  private StoredForm form = StoredForm.AS_IS;
  private boolean done;

  /**
   * Makes a concatenation.
   *
   * @param addition what is added each time: what it is a view of when the write is done
   * @param lengthMax the most bytes of the whole
   */
  Concatenation(Bytes addition, int lengthMax) {
    this.addition = addition;
    this.lengthMax = lengthMax;
  }

  /** Sets the end to add to, the time, and how the cache keeps values. */
  Concatenation to(boolean append, long nowMillis, StoredForm form) {
    this.form = form;
    this.append = append;
    this.nowMillis = nowMillis;
    return this;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    done = false;
    if (!current.isPresent()) {
      return;
    }
    Bytes value = form.decoded(current.value());
    done = fits(value);
    if (done) {
      effect.store(
          form.encoded(join(value)),
          current.remainingLifespanMillis(nowMillis),
          current.maxIdleMillis(),
          current.clientFlags(),
          current.mediaType());
    }
  }

  private boolean fits(Bytes value) {
    return (long) value.length() + addition.length() <= lengthMax;
  }

  private Bytes join(Bytes value) {
    byte[] joined = new byte[value.length() + addition.length()];
    value.copyTo(joined, append ? 0 : addition.length());
    addition.copyTo(joined, append ? value.length() : 0);
    return Bytes.of(joined);
  }

  /** Whether it was done; if not, there was no entry or it would have become too large. */
  boolean isDone() {
    return done;
  }
}
