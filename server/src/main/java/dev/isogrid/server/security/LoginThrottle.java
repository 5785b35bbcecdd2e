package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of checked passwords, proofs and tokens, so that clients can't find one by
 * guessing. An attempt is reserved before its check and settled afterwards. An attempt that comes
 * too early is refused without a check. Thread-safe.
 */
final class LoginThrottle {
  /*
   * Limits. A user has FREE_OF_USER failures without consequences. Each further failure makes the
   * user wait, first FIRST_MILLIS, then twice as long each time up to LONGEST_MILLIS. That is at
   * most 120 guesses of a user per hour after the free ones, from all addresses together.
   *
   * An address has GUESSES_OF_ADDRESS guesses, and gets a new one each GUESS_MILLIS: 900 per hour
   * after the first 100, of all users together. The last GUESSES_OF_OTHERS of them are kept for
   * users with at most FREE_OF_USER failures at that address. So a right password of another user
   * is accepted, unless many different users are tried from there.
   *
   * Users who have proved themselves at an address before are limited there by their own failures
   * at that address only, by the same numbers. Neither failures elsewhere nor those of other users
   * hold them up.
   *
   * Reservations. An attempt that is being checked counts as a failure until it is settled, so
   * simultaneous guesses gain nothing. Clients that log in on several connections at the same time
   * also have several attempts, but right ones. An attempt that only unsettled attempts stand
   * against waits for them, if its thread may wait. A reservation lasts as long as one check in one
   * thread, never from one message of a client to the next: a client that disappears between two
   * messages holds none.
   *
   * The tables are bounded: the least recently used entry is dropped first. Only reserved attempts
   * make entries. To push out an entry of their own, guessers would have to fail from as many other
   * addresses, or for as many other users, with the waits of each.
   */

  /** The most remembered users, addresses and pairs of them: some megabytes each. */
  static final int REMEMBERED_MAX = 10_000;

  /** Failures of a user without consequences, for typing errors and clients with four tries. */
  static final int FREE_OF_USER = 5;

  /** Guesses from an address at once; many users may share the address. */
  static final int GUESSES_OF_ADDRESS = 100;

  /** The part of the guesses that is kept for users with few failures at the address. */
  static final int GUESSES_OF_OTHERS = 80;

  /** The interval after which an address gets another guess. */
  static final long GUESS_MILLIS = 4_000;

  /** The first wait, which doubles from then on. */
  static final long FIRST_MILLIS = 250;

  static final long LONGEST_MILLIS = 30_000;

  /** The time without failures after which a user starts afresh. */
  static final long FORGET_MILLIS = TimeUnit.MINUTES.toMillis(15);

  /**
   * The longest wait of an attempt for others that are being checked; a check takes milliseconds.
   */
  private static final long SETTLED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The relevant prefix of a name; names of users are no longer. */
  private static final int NAME_LENGTH_MAX = User.NAME_LENGTH_MAX;

  private static final int DOUBLINGS_MAX = 20;
  private static final long GUESS_NANOS = TimeUnit.MILLISECONDS.toNanos(GUESS_MILLIS);
  private static final long FORGET_NANOS = TimeUnit.MILLISECONDS.toNanos(FORGET_MILLIS);

  /** The outcome of an attempt. */
  enum Outcome {
    /** The client knows the secret. */
    RIGHT,
    /** The client does not know it. */
    WRONG,
    /** The check failed: it counts as if there had been no attempt. */
    UNCHECKED
  }

  /** The failures of a user, in total or at one address. Guarded by the lock. */
  private static final class Failures {
    int count;
    int underWay;
    long lastNanos;
    long untilNanos;
  }

  /** The guesses from an address. Guarded by the lock. */
  private static final class Guesses {
    /** The used guesses, including those in progress. */
    int used;

    int underWay;

    /** The time since which the next one is regained. */
    long sinceNanos;
  }

  /** A map that drops the least recently used entry. */
  private static final class Table<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    Table() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > REMEMBERED_MAX;
    }
  }

  /** A reserved attempt. Settle it exactly once in any case. */
  final class Attempt {
    private final String name;
    private final String address;
    private final String pair;
    private final Failures limiting;
    private final Failures here;
    private final Guesses guesses;

    /** Looks up the limits of an attempt without storing any. The lock is held. */
    private Attempt(String user, String address) {
      this.name = user.length() <= NAME_LENGTH_MAX ? user : user.substring(0, NAME_LENGTH_MAX);
      this.address = address;
      this.pair = address + ' ' + name;
      this.here = current(ofPairs.get(pair));
      this.limiting = provedPairs.contains(pair) ? here : current(ofUsers.get(name));
      this.guesses = current(ofAddresses.get(address));
    }

    private boolean isProved() {
      return limiting == here;
    }

    /** Stores the limits of the attempt. */
    private void rememberLocked() {
      ofPairs.put(pair, here);
      ofAddresses.put(address, guesses);
      if (!isProved()) {
        ofUsers.put(name, limiting);
      }
    }

    private void reserveLocked() {
      rememberLocked();
      limiting.underWay++;
      guesses.underWay++;
      guesses.used++;
    }

    private void failLocked() {
      guesses.used = Math.min(GUESSES_OF_ADDRESS + guesses.underWay, guesses.used);
      fail(limiting);
      if (!isProved()) {
        fail(here);
      }
    }

    /** The wait that the failures of the user cause. */
    private long userWaitNanos() {
      long untilNanos = limiting.untilNanos;
      return untilNanos == 0 ? 0 : Math.max(0, untilNanos - clock.nanoTime());
    }

    /** The wait that the guesses from the address cause. */
    private long addressWaitNanos() {
      boolean isOther = here.count <= FREE_OF_USER;
      int room = isOther ? GUESSES_OF_ADDRESS : GUESSES_OF_ADDRESS - GUESSES_OF_OTHERS;
      long missing = guesses.used - room + 1L;
      if (isProved() || missing <= 0) {
        return 0;
      }
      long sinceNanos = clock.nanoTime() - guesses.sinceNanos;
      return Math.max(1, missing * GUESS_NANOS - sinceNanos);
    }

    private long waitNanos() {
      return Math.max(userWaitNanos(), addressWaitNanos());
    }

    /** Whether the unsettled attempts have reached the number of failures without consequences. */
    private boolean isBusy() {
      return limiting.underWay >= Math.max(1, FREE_OF_USER + 1 - limiting.count);
    }

    /** Whether the attempt may become possible when the unsettled ones are settled. */
    private boolean mayChange() {
      return (userWaitNanos() == 0 || limiting.underWay > 0)
          && (addressWaitNanos() == 0 || guesses.underWay > 0);
    }

    /** Sets the outcome of the attempt. */
    void settle(Outcome outcome) {
      lock.lock();
      try {
        limiting.underWay--;
        guesses.underWay--;
        if (outcome == Outcome.WRONG) {
          failLocked();
        } else {
          guesses.used = Math.max(0, guesses.used - 1);
        }
        if (outcome == Outcome.RIGHT) {
          proveLocked();
        }
        settled.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void proveLocked() {
      forget(limiting);
      forget(here);
      provedPairs.remove(pair);
      provedPairs.add(pair);
      if (provedPairs.size() > REMEMBERED_MAX) {
        provedPairs.remove(provedPairs.iterator().next());
      }
    }
  }

  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();

  // Guarded by the lock.
  private final Map<String, Failures> ofUsers = new Table<>();
  private final Map<String, Failures> ofPairs = new Table<>();
  private final Map<String, Guesses> ofAddresses = new Table<>();
  private final Set<String> provedPairs = new LinkedHashSet<>();

  LoginThrottle(NanoClock clock) {
    this.clock = clock;
  }

  /** The wait of a user at an address; 0 if a login may be tried now. */
  long waitMillis(String user, String address) {
    lock.lock();
    try {
      return millis(new Attempt(user, address).waitNanos());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reserves an attempt.
   *
   * @param user the name that the client claims, even if there is no such user
   * @param mayWait whether this thread may wait for unsettled attempts
   * @throws AccessRefused if it comes too early
   */
  Attempt reserve(String user, String address, boolean mayWait) {
    long leftNanos = mayWait ? SETTLED_WAIT_NANOS : 0;
    lock.lock();
    try {
      while (true) {
        Attempt attempt = new Attempt(user, address);
        long waitNanos = attempt.waitNanos();
        boolean isBusy = attempt.isBusy();
        if (waitNanos == 0 && !isBusy) {
          attempt.reserveLocked();
          return attempt;
        }
        if (leftNanos <= 0 || !attempt.mayChange()) {
          throw tooSoon(Math.max(millis(waitNanos), isBusy ? FIRST_MILLIS : 0));
        }
        leftNanos = settled.awaitNanos(leftNanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw tooSoon(FIRST_MILLIS);
    } finally {
      lock.unlock();
    }
  }

  /** Notes a wrong guess that needed no reservation. */
  void failed(String user, String address) {
    lock.lock();
    try {
      Attempt attempt = new Attempt(user, address);
      attempt.rememberLocked();
      attempt.guesses.used++;
      attempt.failLocked();
    } finally {
      lock.unlock();
    }
  }

  /** The refusal of an attempt that comes too early. */
  static AccessRefused tooSoon(long waitMillis) {
    return new AccessRefused(
        AccessRefused.Reason.LOGIN_TOO_SOON,
        "too many failed logins: retryAfterMillis=%d; try again then".formatted(waitMillis));
  }

  private static long millis(long nanos) {
    return nanos == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private Failures current(@Nullable Failures known) {
    if (known == null) {
      return new Failures();
    }
    if (known.count > 0 && clock.nanoTime() - known.lastNanos > FORGET_NANOS) {
      forget(known);
    }
    return known;
  }

  private static void forget(Failures failures) {
    failures.count = 0;
    failures.untilNanos = 0;
  }

  /** Regains the guesses whose time has come. */
  private Guesses current(@Nullable Guesses known) {
    Guesses guesses = known == null ? new Guesses() : known;
    long nowNanos = clock.nanoTime();
    int wrong = guesses.used - guesses.underWay;
    if (wrong <= 0) {
      guesses.sinceNanos = nowNanos;
      return guesses;
    }
    long back = Math.min(wrong, (nowNanos - guesses.sinceNanos) / GUESS_NANOS);
    guesses.used -= (int) back;
    guesses.sinceNanos += back * GUESS_NANOS;
    return guesses;
  }

  private void fail(Failures failures) {
    long nowNanos = clock.nanoTime();
    failures.lastNanos = nowNanos;
    failures.count++;
    if (failures.count > FREE_OF_USER) {
      int doublings = Math.min(failures.count - FREE_OF_USER - 1, DOUBLINGS_MAX);
      long millis = Math.min(LONGEST_MILLIS, FIRST_MILLIS << doublings);
      failures.untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }
}
