package dev.isogrid.structure;

import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.EntryFunction;
import dev.isogrid.engine.FunctionWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.ByteSink;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Adds to, or subtracts from, a value that is an unsigned 64-bit number in decimal. Sums wrap
 * around, differences end at 0. The value never gets shorter: it is padded with blanks. The entry
 * keeps its time and attributes. One operation in a cluster, unless values are converted. Reusable;
 * not thread-safe.
 */
public final class Arithmetic implements FunctionWrite {
  /*
   * The messages, numbers with their high bytes first:
   *
   *   argument: bits 1 (1 adds, 2 makes, 4 touches), delta 8, now 8, initial 8, lifespan if made 8,
   *             lifespan 8, expected version 8
   *   answer:   outcome 1, result 8, client flags 4, left 8
   */
  /** The meaning on all nodes. */
  public static final EntryFunction FUNCTION =
      (current, effect, argument) -> {
        Arithmetic asked = new Arithmetic();
        asked.take(argument);
        asked.apply(current, effect);
        return asked.told();
      };

  private static final int ADDS = 1;
  private static final int MAKES = 2;
  private static final int TOUCHES = 4;
  private static final int ARGUMENT_BYTES = 1 + 6 * Long.BYTES;
  private static final int ANSWER_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  /** The result of an operation. */
  public enum Outcome {
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

  /** Whether a missing entry is created, with its number and lifespan. */
  private boolean isMaking;

  private long initial;
  private long lifespanIfMadeMillis;

  /** Whether the entry gets another lifespan. */
  private boolean isTouching;

  private long lifespanMillis;

  /** The version that the entry must have; 0 for any. */
  private long expectedVersion;

  private int clientFlags;
  private long leftMillis;
  private ValueForm form = ValueForm.AS_IS;
  private long result;
  private Outcome outcome = Outcome.NO_ENTRY;

  /** Sets the stored form of values. */
  public Arithmetic of(ValueForm form) {
    this.form = form;
    return this;
  }

  /**
   * Sets the operation and the time; a missing entry stays missing, and an existing one keeps its
   * lifespan.
   */
  public Arithmetic to(boolean increment, long delta, long nowMillis) {
    this.increment = increment;
    this.delta = delta;
    this.nowMillis = nowMillis;
    this.isMaking = false;
    this.isTouching = false;
    this.expectedVersion = 0;
    return this;
  }

  /** Enables the creation of a missing entry. */
  public Arithmetic making(long number, long lifespanMillis) {
    this.isMaking = true;
    this.initial = number;
    this.lifespanIfMadeMillis = lifespanMillis;
    return this;
  }

  /** Sets a new lifespan for an existing entry. */
  public Arithmetic touching(long lifespanMillis) {
    this.isTouching = true;
    this.lifespanMillis = lifespanMillis;
    return this;
  }

  /** Sets the version that the entry must have; 0 for any. */
  public Arithmetic expecting(long version) {
    this.expectedVersion = version;
    return this;
  }

  /** Whether it adds. */
  public boolean isIncrement() {
    return increment;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    if (!current.isPresent()) {
      if (isMaking) {
        make(effect);
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
    leftMillis = isTouching ? lifespanMillis : current.remainingLifespanMillis(nowMillis);
    effect.store(
        form.encoded(padded.set(result, value.length())),
        leftMillis,
        current.maxIdleMillis(),
        clientFlags,
        current.mediaType());
  }

  @Override
  public EntryFunction function() {
    return FUNCTION;
  }

  @Override
  public boolean isSendable() {
    return form.isAsIs();
  }

  @Override
  public byte[] argument() {
    ByteBuffer out = ByteBuffer.allocate(ARGUMENT_BYTES);
    int bits = (increment ? ADDS : 0) | (isMaking ? MAKES : 0) | (isTouching ? TOUCHES : 0);
    out.put((byte) bits).putLong(delta).putLong(nowMillis);
    out.putLong(initial).putLong(lifespanIfMadeMillis);
    return out.putLong(lifespanMillis).putLong(expectedVersion).array();
  }

  private void take(byte[] argument) {
    if (argument.length != ARGUMENT_BYTES) {
      throw unreadable("argument", argument);
    }
    ByteBuffer in = ByteBuffer.wrap(argument);
    int bits = in.get();
    to((bits & ADDS) != 0, in.getLong(), in.getLong());
    isMaking = (bits & MAKES) != 0;
    isTouching = (bits & TOUCHES) != 0;
    initial = in.getLong();
    lifespanIfMadeMillis = in.getLong();
    lifespanMillis = in.getLong();
    expectedVersion = in.getLong();
  }

  private byte[] told() {
    ByteBuffer out = ByteBuffer.allocate(ANSWER_BYTES).put((byte) OUTCOMES.indexOf(outcome));
    return out.putLong(result).putInt(clientFlags).putLong(leftMillis).array();
  }

  @Override
  public void answer(byte[] given) {
    if (given.length != ANSWER_BYTES || given[0] < 0 || given[0] >= OUTCOMES.size()) {
      throw unreadable("answer", given);
    }
    ByteBuffer in = ByteBuffer.wrap(given);
    outcome = OUTCOMES.get(in.get());
    result = in.getLong();
    clientFlags = in.getInt();
    leftMillis = in.getLong();
  }

  private static InvalidRequestException unreadable(String what, byte[] bytes) {
    return new InvalidRequestException(
        "unreadable %s of arithmetic: size=%d; run the same version on all nodes"
            .formatted(what, bytes.length));
  }

  private void make(Effect<Bytes> effect) {
    outcome = Outcome.MADE;
    result = initial;
    clientFlags = 0;
    leftMillis = lifespanIfMadeMillis;
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

  /** The result of the last operation. */
  public Outcome outcome() {
    return outcome;
  }

  /** The client flags of the new value, if it was done or made. */
  public int clientFlags() {
    return clientFlags;
  }

  /** The rest of the new value's lifespan in milliseconds, or unlimited, if it was done or made. */
  public long leftMillis() {
    return leftMillis;
  }

  /** The new number, if it was done or made. */
  public long result() {
    return result;
  }

  /** A number in decimal, padded with blanks. */
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
