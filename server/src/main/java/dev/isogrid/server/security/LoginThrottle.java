package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Slows down who guesses passwords: after some failed logins of a user, or from an address, further
 * ones are refused for a time that doubles with each failure. Nobody waits for that: a login that
 * comes too early is refused at once, unchecked. Thread-safe.
 */
final class LoginThrottle {
  /*
   * A user whose password others guess could be kept from logging in that way. So a user is not
   * slowed down at an address from which the right password came before.
   *
   * The tables are bounded: the entry that was not used for the longest time goes first. To have
   * an entry of theirs pushed out, guessers would have to fail from as many other addresses, or for
   * as many other users, for each of which they wait.
   */

  /** Users, addresses and pairs of them that are remembered: some megabytes. */
  static final int REMEMBERED_MAX = 10_000;

  /** Failures of a user without consequences: someone mistypes, or a client tries four times. */
  static final int FREE_OF_USER = 5;

  /** Failures from an address without consequences; many users may share it. */
  static final int FREE_OF_ADDRESS = 20;

  /** The first time that has to pass, which doubles from then on. */
  static final long FIRST_MILLIS = 250;

  static final long LONGEST_MILLIS = 30_000;

  /** Who has not failed for so long begins anew. */
  static final long FORGET_MILLIS = TimeUnit.MINUTES.toMillis(15);

  /** The failures of a user or an address. Guarded by the throttle. */
  private static final class Failures {
    int count;
    long lastNanos;
    long untilNanos;
  }

  /** A map that forgets what was not used for the longest time. */
  private static final class Table extends LinkedHashMap<String, Failures> {
    private static final long serialVersionUID = 1L;

    Table() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
      return size() > REMEMBERED_MAX;
    }
  }

  private final NanoClock clock;

  // Guarded by this.
  private final Map<String, Failures> ofUsers = new Table();
  private final Map<String, Failures> ofAddresses = new Table();
  private final Set<String> provedPairs = new LinkedHashSet<>();

  LoginThrottle(NanoClock clock) {
    this.clock = clock;
  }

  /** How long a user, or all users of an address, have to wait; 0 if a login may be tried now. */
  synchronized long waitMillis(@Nullable String user, String address) {
    long waitNanos = waitNanos(ofAddresses.get(address));
    if (user != null && !provedPairs.contains(pair(user, address))) {
      waitNanos = Math.max(waitNanos, waitNanos(ofUsers.get(user)));
    }
    return waitNanos == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos));
  }

  private long waitNanos(@Nullable Failures failures) {
    if (failures == null || failures.untilNanos == 0) {
      return 0;
    }
    return Math.max(0, failures.untilNanos - clock.nanoTime());
  }

  /** Notes a failed login. */
  synchronized void failed(@Nullable String user, String address) {
    fail(ofAddresses, address, FREE_OF_ADDRESS);
    if (user != null) {
      fail(ofUsers, user, FREE_OF_USER);
    }
  }

  private void fail(Map<String, Failures> table, String key, int free) {
    long nowNanos = clock.nanoTime();
    Failures failures = table.computeIfAbsent(key, _ -> new Failures());
    if (nowNanos - failures.lastNanos > TimeUnit.MILLISECONDS.toNanos(FORGET_MILLIS)) {
      failures.count = 0;
    }
    failures.lastNanos = nowNanos;
    failures.count++;
    if (failures.count > free) {
      int doublings = Math.min(failures.count - free - 1, 20);
      long millis = Math.min(LONGEST_MILLIS, FIRST_MILLIS << doublings);
      failures.untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  /** Notes a login: the user begins anew, the address is forgiven one failure. */
  synchronized void succeeded(String user, String address) {
    ofUsers.remove(user);
    Failures failures = ofAddresses.get(address);
    if (failures != null) {
      failures.count = Math.max(0, failures.count - 1);
    }
    String pair = pair(user, address);
    provedPairs.remove(pair);
    provedPairs.add(pair);
    if (provedPairs.size() > REMEMBERED_MAX) {
      provedPairs.remove(provedPairs.iterator().next());
    }
  }

  private static String pair(String user, String address) {
    return address + ' ' + user;
  }
}
