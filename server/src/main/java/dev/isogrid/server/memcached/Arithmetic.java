package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds to, or subtracts from, a value that is an unsigned 64-bit number in decimal. Sums wrap
 * around, differences end at 0. The value never gets shorter: blanks fill what the number leaves.
 * The entry keeps its time and attributes. Reusable; not thread-safe.
 */
final class Arithmetic implements Mutation<BinaryKey, Bytes> {
  /** What became of it. */
  enum Outcome {
    /** The entry has a new value. */
    DONE,
    /** There was no entry, and now there is one. */
    MADE,
    /** The entry has another version. */
    OTHER_VERSION,
    /** There is no entry. */
    NO_ENTRY,
    /** The value is not a number. */
    NO_NUMBER
  }

  private final Decimal decimal = new Decimal();
  private final ByteSink numberReader =
      (array, offset, length) -> decimal.accept(array, offset, offset + length);
  private final Padded padded = new Padded();
  private boolean increment;
  private long delta;
  private long nowMillis;
  private @Nullable MetaFlags flags;

  /** The version that the entry must have; 0 for any. */
  private long expectedVersion;

  private int clientFlags;
  private long leftMillis;
  private StoredForm form = StoredForm.AS_IS;
  private long result;
  private Outcome outcome = Outcome.NO_ENTRY;

  /** Sets how the cache keeps values. */
  Arithmetic of(StoredForm form) {
    this.form = form;
    return this;
  }

  /** Sets what to do, and the time. */
  Arithmetic to(boolean increment, long delta, long nowMillis) {
    this.increment = increment;
    this.delta = delta;
    this.nowMillis = nowMillis;
    this.flags = null;
    this.expectedVersion = 0;
    return this;
  }

  /**
   * The same, with what a meta command says.
   *
   * @param expectedVersion the version that the entry must have; 0 for any
   */
  Arithmetic to(boolean increment, MetaFlags flags, long expectedVersion, long nowMillis) {
    to(increment, flags.delta(), nowMillis);
    this.flags = flags;
    this.expectedVersion = expectedVersion;
    return this;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    MetaFlags meta = flags;
    if (!current.isPresent()) {
      if (meta != null && meta.has('N')) {
        make(meta, effect);
      } else {
        outcome = Outcome.NO_ENTRY;
      }
      return;
    }
    if (expectedVersion != 0 && expectedVersion != current.version()) {
      outcome = Outcome.OTHER_VERSION;
      return;
    }
    Bytes value = form.decoded(current.value());
    value.writeTo(resetReader());
    if (!decimal.isUnsigned()) {
      outcome = Outcome.NO_NUMBER;
      return;
    }
    outcome = Outcome.DONE;
    result = compute(decimal.number());
    clientFlags = current.clientFlags();
    leftMillis =
        meta != null && meta.has('T')
            ? meta.lifespanMillis(nowMillis)
            : current.remainingLifespanMillis(nowMillis);
    effect.store(
        form.encoded(padded.set(result, value.length())),
        leftMillis,
        current.maxIdleMillis(),
        clientFlags,
        current.mediaType());
  }

  private void make(MetaFlags meta, Effect<Bytes> effect) {
    outcome = Outcome.MADE;
    result = meta.initial();
    clientFlags = 0;
    leftMillis =
        meta.has('T') ? meta.lifespanMillis(nowMillis) : meta.lifespanIfMadeMillis(nowMillis);
    effect.store(form.encoded(padded.set(result, 0)), leftMillis, Expiry.UNLIMITED);
  }

  private ByteSink resetReader() {
    decimal.reset();
    return numberReader;
  }

  private long compute(long number) {
    if (increment) {
      return number + delta;
    }
    return Long.compareUnsigned(delta, number) > 0 ? 0 : number - delta;
  }

  /** What became of it. */
  Outcome outcome() {
    return outcome;
  }

  /** The client flags of the new value, if it was done or made. */
  int clientFlags() {
    return clientFlags;
  }

  /** The rest of the new value's lifespan in milliseconds, or unlimited, if it was done or made. */
  long leftMillis() {
    return leftMillis;
  }

  /** The new number, if it was done or made. */
  long result() {
    return result;
  }

  /** A number in decimal, filled up with blanks. */
  private static final class Padded implements Bytes {
    private final byte[] digits = new byte[Decimal.LENGTH_MAX];
    private int from;
    private int length;

    Padded set(long number, int lengthMin) {
      from = Decimal.format(number, digits);
      length = Math.max(digits.length - from, lengthMin);
      return this;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void copyTo(byte[] target, int offset) {
      int digitsLength = digits.length - from;
      System.arraycopy(digits, from, target, offset, digitsLength);
      Arrays.fill(target, offset + digitsLength, offset + length, (byte) ' ');
    }
  }
}
