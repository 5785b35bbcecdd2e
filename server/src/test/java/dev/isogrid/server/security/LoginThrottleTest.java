package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.security.LoginThrottle.Attempt;
import dev.isogrid.server.security.LoginThrottle.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoginThrottleTest {
  private static final String HERE = "10.0.0.1";
  private static final String ELSEWHERE = "10.0.0.2";
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private long nowMillis = 1000;
  private final LoginThrottle throttle = new LoginThrottle(() -> nowMillis * 1_000_000);

  private Attempt reserve(String user, String address) {
    return throttle.reserve(user, address, false);
  }

  private boolean isRefused(String user, String address) {
    try {
      reserve(user, address).settle(Outcome.UNCHECKED);
      return false;
    } catch (AccessRefused refusal) {
      assertEquals(AccessRefused.Reason.LOGIN_TOO_SOON, refusal.reason());
      return true;
    }
  }

  /** Fails this number of times, and advances the time accordingly. */
  private void fail(int times, String user, String address) {
    for (int i = 0; i < times; i++) {
      nowMillis += throttle.waitMillis(user, address);
      reserve(user, address).settle(Outcome.WRONG);
    }
  }

  private void succeed(String user, String address) {
    reserve(user, address).settle(Outcome.RIGHT);
  }

  /** Guesses without a pause for an hour, and returns the number of checked guesses. */
  private int guessesOfAnHour(int users) {
    long endMillis = nowMillis + HOUR_MILLIS;
    int checked = 0;
    for (; nowMillis < endMillis; nowMillis += 50) {
      for (int i = 0; i < users; i++) {
        if (throttle.waitMillis("user" + i, HERE) == 0) {
          reserve("user" + i, HERE).settle(Outcome.WRONG);
          checked++;
        }
      }
    }
    return checked;
  }

  @Test
  void failures_upToTheFreeOnes_haveNoConsequence() {
    fail(LoginThrottle.FREE_OF_USER, "ada", HERE);
    assertEquals(0, throttle.waitMillis("ada", HERE));
  }

  @Test
  void failures_aboveTheFreeOnes_doubleTheWaitUpToTheLongest() {
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", HERE);
    assertEquals(LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
    fail(1, "ada", HERE);
    assertEquals(2 * LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
    nowMillis += 2 * LoginThrottle.FIRST_MILLIS;
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
    fail(30, "ada", HERE);
    assertEquals(LoginThrottle.LONGEST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void attempts_underWay_countAsFailures() {
    List<Attempt> underWay = new ArrayList<>();
    for (int i = 0; i <= LoginThrottle.FREE_OF_USER; i++) {
      underWay.add(reserve("ada", HERE));
    }
    assertTrue(isRefused("ada", HERE));
    assertTrue(isRefused("ada", ELSEWHERE));
    underWay.removeLast().settle(Outcome.UNCHECKED);
    assertEquals(0, throttle.waitMillis("ada", HERE));
    underWay.add(reserve("ada", HERE));
    underWay.forEach(each -> each.settle(Outcome.WRONG));
    assertEquals(LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", HERE));
    nowMillis += LoginThrottle.FIRST_MILLIS;
    Attempt one = reserve("ada", HERE);
    assertTrue(isRefused("ada", HERE), "one at a time after that");
    one.settle(Outcome.RIGHT);
    assertEquals(0, throttle.waitMillis("ada", HERE));
  }

  @Test
  void attempt_thatOnlyOnesUnderWayStandAgainst_waitsForThem() {
    List<Attempt> underWay = new ArrayList<>();
    for (int i = 0; i <= LoginThrottle.FREE_OF_USER; i++) {
      underWay.add(reserve("ada", HERE));
    }
    CompletableFuture<Attempt> waiting =
        CompletableFuture.supplyAsync(() -> throttle.reserve("ada", HERE, true));
    underWay.removeFirst().settle(Outcome.RIGHT);
    waiting.join().settle(Outcome.RIGHT);
    underWay.forEach(each -> each.settle(Outcome.RIGHT));
  }

  @Test
  void guesses_ofOneUserInAnHour_areLimited() {
    int checked = guessesOfAnHour(1);
    assertTrue(checked > 100 && checked <= LoginThrottle.FREE_OF_USER + 8 + 120, "" + checked);
  }

  @Test
  void guesses_ofManyUsersInAnHour_areLimitedByTheAddress() {
    int checked = guessesOfAnHour(300);
    assertTrue(checked > 900 && checked <= LoginThrottle.GUESSES_OF_ADDRESS + 901, "" + checked);
  }

  @Test
  void guesses_ofOneUser_leaveThoseOfOthersAtTheAddress() {
    for (int i = 0; i < 30; i++) {
      fail(LoginThrottle.FREE_OF_USER + 1, "user" + i, HERE);
    }
    assertTrue(throttle.waitMillis("user0", HERE) > 0);
    fail(LoginThrottle.FREE_OF_USER, "ada", ELSEWHERE);
    for (int i = 0; i < 4; i++) {
      reserve("bob", ELSEWHERE).settle(Outcome.WRONG);
    }
    assertEquals(0, throttle.waitMillis("eve", ELSEWHERE));
  }

  @Test
  void failures_ofManyUsersFromOneAddress_slowTheAddressDownForNewOnesOnly() {
    succeed("ada", HERE);
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      assertEquals(0, throttle.waitMillis("user" + i, HERE));
      reserve("user" + i, HERE).settle(Outcome.WRONG);
    }
    assertEquals(LoginThrottle.GUESS_MILLIS, throttle.waitMillis("eve", HERE));
    assertTrue(isRefused("eve", HERE));
    assertEquals(0, throttle.waitMillis("eve", ELSEWHERE));
    assertEquals(0, throttle.waitMillis("ada", HERE));
    nowMillis += LoginThrottle.GUESS_MILLIS;
    succeed("eve", HERE);
    fail(1, "bob", HERE);
    assertEquals(0, throttle.waitMillis("eve", HERE));
  }

  @Test
  void success_betweenGuesses_givesNoneOfThemBack() {
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      succeed("mallory", HERE);
      reserve("user" + i, HERE).settle(Outcome.WRONG);
    }
    assertTrue(throttle.waitMillis("eve", HERE) > 0);
  }

  @Test
  void failures_ofOthers_doNotKeepAUserFromWhereThePasswordWasRight() {
    succeed("ada", HERE);
    fail(50, "ada", ELSEWHERE);
    assertEquals(0, throttle.waitMillis("ada", HERE));
    assertTrue(throttle.waitMillis("ada", ELSEWHERE) > 0);
    succeed("ada", HERE);
    assertTrue(throttle.waitMillis("ada", ELSEWHERE) > 0, "its own logins don't help guessers");
  }

  @Test
  void failures_whereThePasswordWasRight_areLimitedToo() {
    succeed("ada", HERE);
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", HERE);
    assertEquals(LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", HERE));
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void success_ofAUser_beginsAnew() {
    fail(LoginThrottle.FREE_OF_USER + 3, "ada", HERE);
    nowMillis += throttle.waitMillis("ada", HERE);
    succeed("ada", HERE);
    fail(1, "ada", ELSEWHERE);
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void failures_longAgo_areForgotten() {
    fail(LoginThrottle.FREE_OF_USER + 3, "ada", HERE);
    nowMillis += LoginThrottle.FORGET_MILLIS + 1;
    fail(1, "ada", HERE);
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void failures_ofEndlesslyManyNames_keepTheTableBounded() {
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", ELSEWHERE);
    for (int i = 0; i < 2 * LoginThrottle.REMEMBERED_MAX; i++) {
      reserve("user" + i, "10.1.1." + i).settle(Outcome.WRONG);
    }
    assertEquals(0, throttle.waitMillis("ada", HERE), "the oldest is pushed out");
  }

  @Test
  void attemptsThatAreRefused_andQuestions_pushNothingOut() {
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      reserve("user" + i, HERE).settle(Outcome.WRONG);
    }
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", ELSEWHERE);
    for (int i = 0; i < 2 * LoginThrottle.REMEMBERED_MAX; i++) {
      throttle.waitMillis("other" + i, "10.1.1." + i);
      assertTrue(isRefused("other" + i, HERE));
    }
    assertTrue(throttle.waitMillis("ada", ELSEWHERE) > 0);
  }

  @Test
  void names_thatDifferAfterTheLongestPossible_areLimitedTogether() {
    String longest = "x".repeat(User.NAME_LENGTH_MAX);
    fail(LoginThrottle.FREE_OF_USER + 1, longest + "a", HERE);
    assertThrows(AccessRefused.class, () -> reserve(longest + "b", ELSEWHERE));
  }

  /** The refusal of an attempt that may wait, but is interrupted as it begins to. */
  private String refusalOfOneThatMayWait(String user, String address) {
    Thread.currentThread().interrupt();
    try {
      return assertThrows(AccessRefused.class, () -> throttle.reserve(user, address, true)).text();
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  private static String retryAfter(long millis) {
    return "retryAfterMillis=" + millis + ";";
  }

  @Test
  void attempt_thatTimeStandsAgainst_doesNotWait() {
    fail(LoginThrottle.FREE_OF_USER + 2, "ada", HERE);
    String refusal = refusalOfOneThatMayWait("ada", HERE);
    assertTrue(refusal.contains(retryAfter(2 * LoginThrottle.FIRST_MILLIS)), refusal);
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      reserve("user" + i, ELSEWHERE).settle(Outcome.WRONG);
    }
    refusal = refusalOfOneThatMayWait("eve", ELSEWHERE);
    assertTrue(refusal.contains(retryAfter(LoginThrottle.GUESS_MILLIS)), refusal);
  }

  @Test
  void attempt_thatTimeStandsAgainst_waitsForOneThatMayBeRight() {
    Attempt underWay = reserve("ada", HERE);
    for (int i = 0; i < LoginThrottle.FREE_OF_USER + 2; i++) {
      throttle.failed("ada", HERE);
    }
    assertEquals(2 * LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", HERE));
    String refusal = refusalOfOneThatMayWait("ada", HERE);
    assertTrue(refusal.contains(retryAfter(LoginThrottle.FIRST_MILLIS)), "it waits: " + refusal);
    underWay.settle(Outcome.RIGHT);
    assertEquals(0, throttle.waitMillis("ada", HERE));

    Attempt last = reserve("bob", ELSEWHERE);
    for (int i = 0; i < LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      throttle.failed("user" + i, ELSEWHERE);
    }
    refusal = refusalOfOneThatMayWait("eve", ELSEWHERE);
    assertTrue(refusal.contains(retryAfter(LoginThrottle.FIRST_MILLIS)), "it waits: " + refusal);
    last.settle(Outcome.UNCHECKED);
  }

  @Test
  void failures_asLongAgoAsTheyAreRemembered_count() {
    fail(LoginThrottle.FREE_OF_USER + 3, "ada", HERE);
    nowMillis += LoginThrottle.FORGET_MILLIS;
    fail(1, "ada", HERE);
    assertEquals(8 * LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void guesses_keptForOthers_areForThoseWithFewFailuresAtTheAddress() {
    fail(LoginThrottle.FREE_OF_USER, "ada", HERE);
    int ofOthers = LoginThrottle.GUESSES_OF_ADDRESS - LoginThrottle.GUESSES_OF_OTHERS;
    for (int i = LoginThrottle.FREE_OF_USER; i < ofOthers; i++) {
      throttle.failed("user" + i, HERE);
    }
    assertEquals(0, throttle.waitMillis("ada", HERE));
    throttle.failed("ada", HERE);
    nowMillis += LoginThrottle.FIRST_MILLIS;
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
    long wait = 2 * LoginThrottle.GUESS_MILLIS - LoginThrottle.FIRST_MILLIS;
    assertEquals(wait, throttle.waitMillis("ada", HERE), "two guesses more than those for all");
    assertEquals(0, throttle.waitMillis("eve", HERE));
  }

  @Test
  void failures_ofAsManyAsAreRemembered_forgetNone() {
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", HERE);
    for (int i = 1; i < LoginThrottle.REMEMBERED_MAX; i++) {
      throttle.failed("user" + i, "address" + i);
    }
    assertEquals(LoginThrottle.FIRST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void failures_ofMoreThanAreRemembered_forgetTheOldest() {
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", HERE);
    fail(LoginThrottle.FREE_OF_USER + 1, "bob", HERE);
    for (int i = 1; i < LoginThrottle.REMEMBERED_MAX; i++) {
      throttle.failed("user" + i, "address" + i);
    }
    assertEquals(0, throttle.waitMillis("ada", ELSEWHERE));
    assertEquals(LoginThrottle.FIRST_MILLIS, throttle.waitMillis("bob", ELSEWHERE));
  }

  @Test
  void successes_ofMoreThanAreRemembered_forgetTheOldest() {
    succeed("ada", HERE);
    succeed("bob", HERE);
    for (int i = 1; i < LoginThrottle.REMEMBERED_MAX; i++) {
      succeed("user" + i, "address" + i);
    }
    fail(LoginThrottle.FREE_OF_USER + 1, "ada", ELSEWHERE);
    fail(LoginThrottle.FREE_OF_USER + 1, "bob", ELSEWHERE);
    assertTrue(throttle.waitMillis("ada", HERE) > 0, "as for anybody else");
    assertEquals(0, throttle.waitMillis("bob", HERE));
  }
}
