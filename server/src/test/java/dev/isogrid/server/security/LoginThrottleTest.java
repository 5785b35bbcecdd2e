package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LoginThrottleTest {
  private static final String HERE = "10.0.0.1";
  private static final String ELSEWHERE = "10.0.0.2";

  private long nowMillis = 1000;
  private final LoginThrottle throttle = new LoginThrottle(() -> nowMillis * 1_000_000);

  private void fail(int times, String user, String address) {
    for (int i = 0; i < times; i++) {
      throttle.failed(user, address);
    }
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
    fail(100, "ada", HERE);
    assertEquals(LoginThrottle.LONGEST_MILLIS, throttle.waitMillis("ada", ELSEWHERE));
  }

  @Test
  void failures_ofManyUsersFromOneAddress_slowTheAddressDown() {
    for (int i = 0; i <= LoginThrottle.FREE_OF_ADDRESS; i++) {
      throttle.failed("user" + i, HERE);
    }
    assertTrue(throttle.waitMillis("eve", HERE) > 0);
    assertEquals(0, throttle.waitMillis("eve", ELSEWHERE));
  }

  @Test
  void failures_ofOthers_doNotKeepAUserFromWhereThePasswordWasRight() {
    throttle.succeeded("ada", HERE);
    fail(50, "ada", ELSEWHERE);
    assertEquals(0, throttle.waitMillis("ada", HERE));
    assertTrue(throttle.waitMillis("ada", ELSEWHERE) > 0);
  }

  @Test
  void success_ofAUser_beginsAnew() {
    fail(LoginThrottle.FREE_OF_USER + 3, "ada", HERE);
    throttle.succeeded("ada", HERE);
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
      throttle.failed("user" + i, "10.1.1." + i);
    }
    assertEquals(0, throttle.waitMillis("ada", HERE), "the oldest is pushed out");
  }
}
