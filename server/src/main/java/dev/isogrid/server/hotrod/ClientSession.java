package dev.isogrid.server.hotrod;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one client that this server itself carried out, with their answers, until the
 * client no longer needs them. Thread-safe.
 */
final class ClientSession {
  /*
   * A ring: a client's numbers are dense, and the client is done with most of them soon. The lowest
   * bits of a number select its slot. If another number has the slot, the ring grows. At its
   * largest size, the older of the two is forgotten, and with it all numbers that are as old. They
   * count as unknown from then on. The lock is held for some steps only, and by threads of this
   * client's connections alone.
   */

  /** The mark of an operation that is being carried out. */
  static final Object BUSY = new Object();

  /**
   * The mark of an operation whose outcome this server does not know, or does not know any more.
   */
  static final Object UNKNOWN = new Object();

  /**
   * The answer to an operation.
   *
   * @param status the status of the reply
   * @param body the bytes after the header
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(int status, byte[] body) {}

  private static final int SLOTS_FIRST = 16;

  /**
   * The most operations: more than a client has in flight, as long as none of them hangs for
   * seconds.
   */
  static final int SLOTS_MAX = 4096;

  /** The approximate bytes of a slot. */
  private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;

  private final ClientSessions all;
  private long[] numbers = new long[SLOTS_FIRST];
  private @Nullable Object[] answers = new Object[SLOTS_FIRST];
  private long doneUpTo;
  private long forgottenUpTo;

  /** The connections that use it. Guarded by {@link #all}. */
  int users;

  /** The time since which no connection uses it. Guarded by {@link #all}. */
  long unusedNanos;

  ClientSession(ClientSessions all) {
    this.all = all;
  }

  /**
   * Begins an operation, unless it is known.
   *
   * @param done the number up to which the client needs no answers any more
   * @return null if it must be carried out now and ended by {@link #end} or {@link #cancel}; else
   *     its {@link Answer}, {@link #BUSY} or {@link #UNKNOWN}
   */
  synchronized @Nullable Object begin(long number, long done) {
    if (done > doneUpTo) {
      forget(done);
    }
    if (number <= doneUpTo || number <= forgottenUpTo) {
      Object known = number <= doneUpTo ? null : answer(number);
      return known == null ? UNKNOWN : known;
    }
    Object known = answer(number);
    if (known == null) {
      makeRoom(number);
      if (number <= forgottenUpTo) {
        return UNKNOWN;
      }
      set(number, BUSY);
    }
    return known;
  }

  private @Nullable Object answer(long number) {
    int slot = slot(number);
    return numbers[slot] == number ? answers[slot] : null;
  }

  private int slot(long number) {
    return (int) number & (numbers.length - 1);
  }

  private void set(long number, @Nullable Object answer) {
    int slot = slot(number);
    numbers[slot] = answer == null ? 0 : number;
    all.count(bytes(answer) - bytes(answers[slot]));
    answers[slot] = answer;
  }

  private static int bytes(@Nullable Object answer) {
    return answer instanceof Answer known ? known.body.length : 0;
  }

  private void forget(long done) {
    long first = Math.max(doneUpTo + 1, done - numbers.length + 1);
    for (long number = first; number <= done; number++) {
      int slot = slot(number);
      if (numbers[slot] != 0 && numbers[slot] <= done) {
        set(numbers[slot], null);
      }
    }
    doneUpTo = done;
  }

  /** Frees the slot of a number, or forgets the number. */
  private void makeRoom(long number) {
    while (numbers[slot(number)] != 0 && numbers.length < SLOTS_MAX && all.mayGrow()) {
      grow();
    }
    long other = numbers[slot(number)];
    if (other != 0) {
      forgottenUpTo = Math.max(forgottenUpTo, Math.min(number, other));
      if (other < number) {
        set(other, null);
      }
    }
  }

  private void grow() {
    long[] oldNumbers = numbers;
    @Nullable Object[] oldAnswers = answers;
    numbers = new long[2 * oldNumbers.length];
    answers = new Object[2 * oldNumbers.length];
    all.count((long) SLOT_BYTES * oldNumbers.length);
    for (int i = 0; i < oldNumbers.length; i++) {
      if (oldNumbers[i] != 0) {
        int slot = slot(oldNumbers[i]);
        numbers[slot] = oldNumbers[i];
        answers[slot] = oldAnswers[i];
      }
    }
  }

  /** Remembers the answer to an operation that was begun. */
  synchronized void end(long number, Object answer) {
    if (numbers[slot(number)] == number) {
      set(number, answer);
    }
    notifyAll();
  }

  /** Forgets an operation that was begun: it was not done, or the cluster remembers it. */
  synchronized void cancel(long number) {
    if (numbers[slot(number)] == number) {
      set(number, null);
    }
    notifyAll();
  }

  /**
   * Waits until an operation is no longer {@link #BUSY}.
   *
   * @return false if it still is busy after that time
   */
  synchronized boolean await(long number, long millis) throws InterruptedException {
    long endNanos = all.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (BUSY.equals(answer(number))) {
      long left = TimeUnit.NANOSECONDS.toMillis(endNanos - all.nowNanos());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /** The approximate bytes that it takes beyond its answers' bodies. */
  synchronized long fixedBytes() {
    return (long) SLOT_BYTES * (numbers.length - SLOTS_FIRST);
  }

  /** Forgets all answers. */
  synchronized void clear() {
    for (int slot = 0; slot < numbers.length; slot++) {
      all.count(-bytes(answers[slot]));
    }
    all.count(-fixedBytes());
    numbers = new long[SLOTS_FIRST];
    answers = new Object[SLOTS_FIRST];
  }
}
