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
 * Limits how many passwords, proofs and tokens are checked, so that nobody finds one by guessing.
 * An attempt is reserved before it is checked and settled afterwards; one that comes too early is
 * refused unchecked. Thread-safe.
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
   * gets in, as long as nobody tries many different users from there.
   *
   * Users who have proved themselves at an address before are limited there by their own failures
   * at that address only, by the same numbers. Neither failures elsewhere nor those of other users
   * hold them up.
   *
   * Reservations. An attempt that is being checked counts as a failure until it is settled, so
   * guesses that come at the same time are no more than others. Clients that log in by several
   * connections at the same time do the same, but are right: an attempt that only those under way
   * stand against waits for them, if its thread may wait. A reservation lasts as long as one check
   * in one thread, never from one message of a client to the next: a client that goes away between
   * two messages holds none.
   *
   * The tables are bounded: the entry that was not used for the longest time goes first. Only
   * attempts that were reserved make entries. To have an entry of theirs pushed out, guessers would
   * have to fail from as many other addresses, or for as many other users, for which they wait.
   */

  /** Users, addresses and pairs of them that are remembered: some megabytes each. */
  static final int REMEMBERED_MAX = 10_000;

  /** Failures of a user without consequences: someone mistypes, or a client tries four times. */
  static final int FREE_OF_USER = 5;

  /** Guesses from an address at once; many users may share it. */
  static final int GUESSES_OF_ADDRESS = 100;

  /** Those of them that are kept for users with few failures at the address. */
  static final int GUESSES_OF_OTHERS = 80;

  /** How often an address gets another guess. */
  static final long GUESS_MILLIS = 4_000;

  /** The first time that has to pass, which doubles from then on. */
  static final long FIRST_MILLIS = 250;

  static final long LONGEST_MILLIS = 30_000;

  /** A user without failures for so long begins anew. */
  static final long FORGET_MILLIS = TimeUnit.MINUTES.toMillis(15);

  /** How long an attempt waits for others that are being checked; a check takes milliseconds. */
  private static final long SETTLED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The longest part of a name that tells one from another; names of users are no longer. */
  private static final int NAME_LENGTH_MAX = User.NAME_LENGTH_MAX;

  private static final int DOUBLINGS_MAX = 20;
  private static final long GUESS_NANOS = TimeUnit.MILLISECONDS.toNanos(GUESS_MILLIS);
  private static final long FORGET_NANOS = TimeUnit.MILLISECONDS.toNanos(FORGET_MILLIS);

  /** What came of an attempt. */
  enum Outcome {
    /** The client knows the secret. */
    RIGHT,
    /** The client does not know it. */
    WRONG,
    /** That was not found out: it counts as if there had been no attempt. */
    UNCHECKED
  }

  /** The failures of a user, or of one at an address. Guarded by the lock. */
  private static final class Failures {
    int count;
    int underWay;
    long lastNanos;
    long untilNanos;
  }

  /** The guesses from an address. Guarded by the lock. */
  private static final class Guesses {
    /** Those used up, with those under way. */
    int used;

    int underWay;

    /** Since when the next one is on its way back. */
    long sinceNanos;
  }

  /** A map that forgets what was not used for the longest time. */
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

  /** An attempt that was reserved. Settle it once, whatever happens. */
  final class Attempt {
    private final String name;
    private final String address;
    private final String pair;
    private final Failures limiting;
    private final Failures here;
    private final Guesses guesses;

    /** What limits an attempt, which leaves no trace yet. The lock is held. */
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

    /** Keeps what limits the attempt. */
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

    /** How long the failures of the user hold the attempt up. */
    private long userWaitNanos() {
      long untilNanos = limiting.untilNanos;
      return untilNanos == 0 ? 0 : Math.max(0, untilNanos - clock.nanoTime());
    }

    /** How long the guesses from the address hold the attempt up. */
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

    /** Whether as many attempts as may be wrong without consequences are under way. */
    private boolean isBusy() {
      return limiting.underWay >= Math.max(1, FREE_OF_USER + 1 - limiting.count);
    }

    /** Whether the attempt may be possible when those under way are settled. */
    private boolean mayChange() {
      return (userWaitNanos() == 0 || limiting.underWay > 0)
          && (addressWaitNanos() == 0 || guesses.underWay > 0);
    }

    /** Says what came of the attempt. */
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

  /** Returns how long a user has to wait at an address; 0 if a login may be tried now. */
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
   * @param user the name that the client claims; need not be a user
   * @param mayWait whether this thread may wait for attempts of others that are being checked
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

  /** Gives back the guesses whose time has come. */
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
