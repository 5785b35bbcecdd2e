package dev.isogrid.server.security;

import dev.isogrid.server.security.AccessRefused.Reason;
import dev.isogrid.server.security.LoginThrottle.Outcome;
import java.util.function.Supplier;

/** Checks the logins of one connection. Thread-safe. */
final class LoginDesk {
  private final UserRealm users;
  private final LoginThrottle throttle;
  private final String address;
  private final boolean mayWait;

  /**
   * Creates the desk of a login.
   *
   * @param address of the client
   * @param mayWait whether the login's thread may wait for other logins
   */
  LoginDesk(UserRealm users, LoginThrottle throttle, String address, boolean mayWait) {
    this.users = users;
    this.throttle = throttle;
    this.address = address;
    this.mayWait = mayWait;
  }

  /** The name of the realm. */
  String realm() {
    return users.realm();
  }

  /** A unique text that can't be guessed. */
  String newNonce() {
    return users.newNonce();
  }

  /** The user of a name in the present state of the users' file. */
  Candidate candidate(String user) {
    return users.candidate(user);
  }

  /**
   * Refuses a user or an address with too many recent failures. This is only a hint; {@link
   * #attempt} decides.
   *
   * @throws AccessRefused if there are too many
   */
  void checkThrottle(String user) {
    long waitMillis = throttle.waitMillis(user, address);
    if (waitMillis > 0) {
      throw LoginThrottle.tooSoon(waitMillis);
    }
  }

  /**
   * Checks one guess, unless there were too many recent failures.
   *
   * @param user that the guess is about
   * @param check throws {@link AccessRefused} if the guess is wrong
   * @throws AccessRefused if the guess is wrong, or was not checked
   */
  Identity attempt(String user, Supplier<Identity> check) {
    LoginThrottle.Attempt attempt = throttle.reserve(user, address, mayWait);
    Outcome outcome = Outcome.UNCHECKED;
    try {
      Identity proved = check.get();
      outcome = Outcome.RIGHT;
      return proved;
    } catch (AccessRefused refusal) {
      outcome = refusal.reason() == Reason.LOGIN_FAILED ? Outcome.WRONG : Outcome.UNCHECKED;
      throw refusal;
    } finally {
      attempt.settle(outcome);
    }
  }

  /**
   * Checks the proof of a connection whose user has proved the name before: guesses of others don't
   * hold it up. A wrong proof counts.
   *
   * @throws AccessRefused if the proof is wrong
   */
  Identity again(String user, Supplier<Identity> check) {
    try {
      return check.get();
    } catch (AccessRefused refusal) {
      if (refusal.reason() == Reason.LOGIN_FAILED) {
        throttle.failed(user, address);
      }
      throw refusal;
    }
  }

  AccessRefused wrongCredentials() {
    return new AccessRefused(Reason.LOGIN_FAILED, "login failed: wrong user or password");
  }

  /** The user of a trusted certificate. */
  Identity identityOfCertificate(String user) {
    return users.identityOfCertificate(user);
  }

  /**
   * Checks a password, which takes some milliseconds.
   *
   * @throws AccessRefused if it is wrong, or too many recent logins failed
   */
  Identity login(String user, String password, String mechanism) {
    checkThrottle(user);
    Candidate candidate = candidate(user);
    return users.hashing(() ->
        attempt(
            user,
            () -> {
              if (!candidate.isPassword(password)) {
                throw wrongCredentials();
              }
              return candidate.identity(mechanism);
            }));
  }

  /**
   * Checks a token. Each token has a limit of its own, as a user has: a token that is refused
   * repeatedly does not keep others out.
   *
   * @throws AccessRefused if it is not accepted, or too many recent ones were not
   */
  Identity loginByToken(String token) {
    return attempt(TokenVerifier.fingerprint(token), () -> users.identityOfToken(token));
  }
}
