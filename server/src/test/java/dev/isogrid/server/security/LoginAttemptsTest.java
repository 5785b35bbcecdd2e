package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.RetryableGridException;
import dev.isogrid.server.security.AccessRefused.Reason;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The number of checked guesses, for each mechanism; all come from one address. */
@Timeout(60)
class LoginAttemptsTest {
  private static final int GUESSES = 60;
  private static final int ATTEMPTS_MAX = 5;

  /** The failures without consequence, and the first one with a consequence. */
  private static final int CHECKED_MAX = LoginThrottle.FREE_OF_USER + 1;

  @TempDir private Path folder;
  private PlayedServer server;

  @BeforeEach
  void open() {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "pass", List.of("application"));
    users.create("bob", "word", List.of("application"));
    server = new PlayedServer(folder, true, null);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Reason reason(Runnable login) {
    return assertThrows(AccessRefused.class, login::run).reason();
  }

  private void guess(String user, int times) {
    for (int i = 0; i < times; i++) {
      Caller caller = server.caller();
      reason(() -> caller.login(user, "wrong", "PLAIN"));
    }
  }

  @Test
  void scram_ofManyExchangesBegunBefore_checksTheAllowedOnly() {
    List<Caller> callers = new ArrayList<>();
    List<String> begun = new ArrayList<>();
    for (int i = 0; i < GUESSES; i++) {
      callers.add(server.caller());
      begun.add(SaslClient.beginScram(callers.get(i), "ada"));
    }
    int checked = 0;
    for (int i = 0; i < GUESSES - 1; i++) {
      int at = i;
      boolean isChecked =
          reason(() -> SaslClient.endScram(callers.get(at), "ada", begun.get(at), "wrong"))
              == Reason.LOGIN_FAILED;
      checked += isChecked ? 1 : 0;
    }
    assertEquals(CHECKED_MAX, checked);
    assertEquals(
        Reason.LOGIN_TOO_SOON,
        reason(() -> SaslClient.endScram(callers.getLast(), "ada", begun.getLast(), "pass")));
  }

  @Test
  void passwords_guessedInParallel_areCheckedAsOftenAsAllowed() throws Exception {
    CyclicBarrier together = new CyclicBarrier(GUESSES);
    int checked = 0;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Reason>> reasons = new ArrayList<>();
      for (int i = 0; i < GUESSES; i++) {
        Caller caller = server.caller();
        String mechanism = i % 2 == 0 ? "PLAIN" : "BASIC";
        reasons.add(
            threads.submit(() -> {
              together.await();
              return reason(() -> caller.login("ada", "wrong", mechanism));
            }));
      }
      for (Future<Reason> reason : reasons) {
        checked += reason.get(30, TimeUnit.SECONDS) == Reason.LOGIN_FAILED ? 1 : 0;
      }
    }
    assertTrue(checked <= CHECKED_MAX, "checked=" + checked);
  }

  @Test
  void rightPassword_ofManyConnectionsAtOnce_logsAllIn() throws Exception {
    CyclicBarrier together = new CyclicBarrier(GUESSES);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<String>> names = new ArrayList<>();
      for (int i = 0; i < GUESSES; i++) {
        Caller caller = server.caller();
        boolean isScram = i % 2 == 0;
        names.add(
            threads.submit(() -> {
              together.await();
              return loggedIn(caller, isScram);
            }));
      }
      for (Future<String> name : names) {
        assertEquals("ada", name.get(30, TimeUnit.SECONDS));
      }
    }
  }

  /**
   * Logs in, repeatedly while the server has no time to check the password, as its answer shows.
   */
  private static String loggedIn(Caller caller, boolean isScram) {
    for (int attempt = 1; ; attempt++) {
      try {
        if (isScram) {
          String begun = SaslClient.beginScram(caller, "ada");
          SaslClient.endScram(caller, "ada", begun, "pass");
        } else {
          caller.login("ada", "pass", "PLAIN");
        }
        return caller.name();
      } catch (RetryableGridException busy) {
        if (attempt == ATTEMPTS_MAX) {
          throw busy;
        }
      }
    }
  }

  @Test
  void digests_ofHotRodAndHttp_countAsOtherGuesses() {
    for (int i = 0; i < CHECKED_MAX; i++) {
      Caller caller = server.caller();
      if (i % 2 == 0) {
        String nonce = SaslClient.digestNonce(SaslClient.step(caller, "DIGEST-SHA-256", ""));
        String answer = SaslClient.digestAnswer("ada", "wrong", nonce);
        assertEquals(
            Reason.LOGIN_FAILED, reason(() -> SaslClient.step(caller, "DIGEST-SHA-256", answer)));
      } else {
        HttpLogin login = new HttpLogin(caller);
        String header = SaslClient.httpDigest("ada", "wrong", SaslClient.httpNonce(login), 1, "/");
        assertEquals(Reason.LOGIN_FAILED, reason(() -> login.check(header, "GET", "/")));
      }
    }
    assertEquals(
        Reason.LOGIN_TOO_SOON, reason(() -> server.caller().login("ada", "pass", "BASIC")));
    Caller hotRod = server.caller();
    String nonce = SaslClient.digestNonce(SaslClient.step(hotRod, "DIGEST-SHA-256", ""));
    String answer = SaslClient.digestAnswer("ada", "pass", nonce);
    assertEquals(
        Reason.LOGIN_TOO_SOON, reason(() -> SaslClient.step(hotRod, "DIGEST-SHA-256", answer)));
  }

  @Test
  void failures_ofOneUser_leaveRightPasswordsOfOthersAlone() {
    guess("ada", GUESSES);
    for (int i = 0; i < GUESSES; i++) {
      guess("nobody" + i, 1);
    }
    Caller caller = server.caller();
    caller.login("bob", "word", "PLAIN");
    assertEquals("bob", caller.name());
  }

  @Test
  void failures_ofEndlesslyManyUsers_leaveThoseAloneWhoProvedThemselvesHere() {
    server.caller().login("bob", "word", "PLAIN");
    Caller open = server.caller(new EmbeddedChannel(), "REST");
    HttpLogin digest = new HttpLogin(open);
    String nonce = SaslClient.httpNonce(digest);
    digest.check(SaslClient.httpDigest("ada", "pass", nonce, 1, "/"), "GET", "/");
    for (int i = 0; i < 3 * LoginThrottle.GUESSES_OF_ADDRESS; i++) {
      Caller caller = server.caller();
      HttpLogin guess = new HttpLogin(caller);
      String header =
          SaslClient.httpDigest("nobody" + i, "wrong", SaslClient.httpNonce(guess), 1, "/");
      reason(() -> guess.check(header, "GET", "/"));
    }
    assertEquals(
        Reason.LOGIN_TOO_SOON, reason(() -> server.caller().login("eve", "wrong", "PLAIN")));
    Caller bob = server.caller();
    bob.login("bob", "word", "PLAIN");
    assertEquals("bob", bob.name());
    digest.check(SaslClient.httpDigest("ada", "pass", nonce, 2, "/"), "GET", "/");
    assertEquals("ada", open.name());
  }

  @Test
  void requests_byDigestOfAnOpenConnection_goOnWhileOthersGuessTheUser() {
    HttpLogin digest = new HttpLogin(server.caller(new EmbeddedChannel(), "REST"));
    String nonce = SaslClient.httpNonce(digest);
    digest.check(SaslClient.httpDigest("ada", "pass", nonce, 1, "/"), "GET", "/");
    guess("ada", GUESSES);
    assertEquals(
        Reason.LOGIN_TOO_SOON, reason(() -> server.caller().login("ada", "pass", "PLAIN")));
    digest.check(SaslClient.httpDigest("ada", "pass", nonce, 2, "/"), "GET", "/");
    String wrong = SaslClient.httpDigest("ada", "wrong", nonce, 3, "/");
    assertEquals(Reason.LOGIN_FAILED, reason(() -> digest.check(wrong, "GET", "/")));
    String right = SaslClient.httpDigest("ada", "pass", nonce, 4, "/");
    assertEquals(
        Reason.LOGIN_TOO_SOON,
        reason(() -> digest.check(right, "GET", "/")),
        "after a wrong guess the connection is one like all others");
  }
}
