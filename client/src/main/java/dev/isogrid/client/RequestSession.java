package dev.isogrid.client;

import dev.isogrid.wire.SessionExtension;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The numbers of a client's writes, by which servers recognise one that is sent again. Thread-safe.
 *
 * <p>Each write has one number over all its attempts. Servers remember the answer to each. With
 * each write the client sends the number up to which it needs no answers any more.
 */
final class RequestSession {
  /*
   * A bit per number says whether its operation ended. The bits are a ring over the last WINDOW
   * numbers: while an operation has not ended, no number gets a bit that an older one still uses.
   * doneUpTo moves on when the first number behind it ended, so each bit is cleared before it is
   * used for the next number of its place.
   */

  /**
   * How far the numbers go beyond the oldest operation that has not ended. Operations beyond have
   * no number, and are not repeated.
   */
  static final int WINDOW = 1 << 16;

  private static final int WORD_SHIFT = 6;

  private final byte[] id = new byte[SessionExtension.ID_SIZE];
  private final AtomicLong last = new AtomicLong();
  private final AtomicLong doneUpTo = new AtomicLong();
  private final AtomicLongArray ended = new AtomicLongArray(WINDOW >> WORD_SHIFT);

  RequestSession() {
    new SecureRandom().nextBytes(id);
  }

  /**
   * Takes the next number.
   *
   * @return 0 if there is none, since too many operations are under way
   */
  long tryBegin() {
    long number = last.get();
    do {
      if (number - doneUpTo.get() >= WINDOW) {
        return 0;
      }
    } while (!last.compareAndSet(number, number + 1) && (number = last.get()) >= 0);
    return number + 1;
  }

  /** The operation of a number is not sent again. Calling it twice is harmless. */
  void end(long number) {
    if (number <= doneUpTo.get()) {
      return;
    }
    setBit(number);
    long done = doneUpTo.get();
    while (tryClearBit(done + 1)) {
      doneUpTo.incrementAndGet(); // by the thread alone that cleared the bit
      done++;
    }
  }

  private static int word(long number) {
    return (int) (number & (WINDOW - 1)) >> WORD_SHIFT;
  }

  private void setBit(long number) {
    ended.accumulateAndGet(word(number), 1L << number, (bits, bit) -> bits | bit);
  }

  private boolean tryClearBit(long number) {
    long old = ended.getAndAccumulate(word(number), 1L << number, (bits, bit) -> bits & ~bit);
    return (old & (1L << number)) != 0;
  }

  /** No operation of this number or a lower one is sent again. */
  long doneUpTo() {
    return doneUpTo.get();
  }

  /**
   * Appends the header's parameter of an operation that has a number.
   *
   * @param withId whether it is the first one of its connection
   * @param ageNanos how long ago the operation was begun if it was sent before, else below 0
   */
  void write(RequestWriter out, long number, boolean withId, long ageNanos) {
    boolean isRepeated = ageNanos >= 0;
    long behind = number - Math.min(number - 1, doneUpTo.get());
    long ageMillis = isRepeated ? TimeUnit.NANOSECONDS.toMillis(ageNanos) + 1 : 0;
    int size =
        1
            + (withId ? id.length : 0)
            + RequestWriter.vLongSize(number)
            + RequestWriter.vLongSize(behind)
            + (isRepeated ? RequestWriter.vLongSize(ageMillis) : 0);
    out.vInt(1);
    out.vInt(SessionExtension.PARAMETER_SIZE);
    out.u8(SessionExtension.PARAMETER >>> Byte.SIZE);
    out.u8(SessionExtension.PARAMETER);
    out.vInt(size);
    out.u8((withId ? SessionExtension.ID : 0) | (isRepeated ? SessionExtension.REPEATED : 0));
    if (withId) {
      out.raw(id);
    }
    out.vLong(number);
    out.vLong(behind);
    if (isRepeated) {
      out.vLong(ageMillis);
    }
  }

  @Override
  public String toString() {
    ByteBuffer halves = ByteBuffer.wrap(id);
    return "%016x%016x".formatted(halves.getLong(), halves.getLong());
  }
}
