package dev.isogrid.codec;

/**
 * Reads decimal numbers as C's {@code strtol} and {@code strtoull} do, since that is what
 * memcached's clients have come to rely on: white space before, a sign, and anything after a white
 * space or a zero byte are accepted; a negative number wraps around. Takes the text in pieces.
 * Reusable; not thread-safe.
 */
public final class Decimal {
  /** The digits of the largest unsigned 64-bit number. */
  public static final int LENGTH_MAX = 20;

  private static final long BEFORE_LAST_DIGIT_MAX = Long.divideUnsigned(-1L, 10);

  /** Where in the text the reader is. */
  private enum State {
    BLANKS,
    SIGN,
    DIGITS,
    AFTER,
    END,
    MALFORMED
  }

  private State state = State.BLANKS;
  private long magnitude;
  private boolean negative;
  private boolean minusSeen;
  private boolean overflow;

  /** Begins a new number. */
  public Decimal reset() {
    state = State.BLANKS;
    magnitude = 0;
    negative = false;
    minusSeen = false;
    overflow = false;
    return this;
  }

  /** Takes the next piece of the text. */
  public Decimal accept(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      accept(text[i]);
    }
    return this;
  }

  private void accept(byte next) {
    switch (state) {
      case BLANKS -> {
        if (next == '-' || next == '+') {
          negative = next == '-';
          minusSeen = negative;
          state = State.SIGN;
        } else if (!isSpace(next)) {
          acceptDigit(next);
        }
      }
      case SIGN -> acceptDigit(next);
      case DIGITS -> {
        if (isSpace(next)) {
          state = State.AFTER;
        } else if (next == 0) {
          state = State.END;
        } else {
          acceptDigit(next);
        }
      }
      case AFTER -> {
        minusSeen |= next == '-';
        state = next == 0 ? State.END : State.AFTER;
      }
      case END, MALFORMED -> {}
    }
  }

  private void acceptDigit(byte next) {
    if (next < '0' || next > '9') {
      state = State.MALFORMED;
      return;
    }
    state = State.DIGITS;
    int digit = next - '0';
    overflow |= Long.compareUnsigned(magnitude, BEFORE_LAST_DIGIT_MAX) > 0;
    magnitude = magnitude * 10 + digit;
    overflow |= Long.compareUnsigned(magnitude, digit) < 0;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  private boolean isNumber() {
    return !overflow && (state == State.DIGITS || state == State.AFTER || state == State.END);
  }

  /** Whether the text is a number that fits into 64 bits with a sign. */
  public boolean isSigned() {
    return isNumber() && (magnitude >= 0 || (negative && magnitude == Long.MIN_VALUE));
  }

  /**
   * Whether the text is a number that fits into 64 bits without a sign. Of negative numbers those
   * count whose wrapped-around form has its highest bit clear.
   */
  public boolean isUnsigned() {
    return isNumber() && (number() >= 0 || !minusSeen);
  }

  /** The number, if it is one. */
  public long number() {
    return negative ? -magnitude : magnitude;
  }

  /**
   * Formats an unsigned number, without allocation.
   *
   * @param target of {@link #LENGTH_MAX} bytes; the number will end at its end
   * @return where in the target the number begins
   */
  public static int format(long number, byte[] target) {
    int at = target.length;
    long rest = number;
    if (rest < 0) {
      long tenth = Long.divideUnsigned(rest, 10);
      target[--at] = (byte) ('0' + (rest - tenth * 10));
      rest = tenth;
    }
    do {
      long tenth = rest / 10;
      target[--at] = (byte) ('0' + (rest - tenth * 10));
      rest = tenth;
    } while (rest != 0);
    return at;
  }
}
