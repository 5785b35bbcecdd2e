package dev.isogrid.server.security;

import dev.isogrid.server.security.AccessRefused.Reason;

/** Checks what the client of one connection claims to be. Thread-safe. */
final class LoginDesk {
  private final UserRealm users;
  private final LoginThrottle throttle;
  private final String address;

  LoginDesk(UserRealm users, LoginThrottle throttle, String address) {
    this.users = users;
    this.throttle = throttle;
    this.address = address;
  }

  /** The name of the realm. */
  String realm() {
    return users.realm();
  }

  /** A text that never came before and cannot be guessed. */
  String newNonce() {
    return users.newNonce();
  }

  /**
   * Refuses a user for whom, or an address from which, too many logins failed of late.
   *
   * @throws AccessRefused if so
   */
  void checkThrottle(String user) {
    long waitMillis = throttle.waitMillis(user, address);
    if (waitMillis > 0) {
      throw new AccessRefused(
          Reason.LOGIN_TOO_SOON,
          "too many failed logins: retryAfterMillis=%d; try again then".formatted(waitMillis));
    }
  }

  AccessRefused wrongCredentials() {
    return new AccessRefused(Reason.LOGIN_FAILED, "login failed: wrong user or password");
  }

  /** What a proof by SCRAM is checked with; of nobody if there is no such user. */
  ScramKeys scramKeys(String user, Hash hash) {
    return users.scramKeys(user, hash);
  }

  /** What a proof by DIGEST is checked with; of nobody if there is no such user. */
  byte[] digest(String user, Hash hash) {
    return users.digest(user, hash);
  }

  /** Who has proved to be a user. */
  Identity identity(String user, String mechanism) {
    return users.identity(user, mechanism);
  }

  /**
   * Checks a password, which takes some milliseconds.
   *
   * @throws AccessRefused if it is wrong, or too many failed of late
   */
  Identity login(String user, String password, String mechanism) {
    checkThrottle(user);
    if (!users.isPassword(user, password)) {
      throw wrongCredentials();
    }
    return users.identity(user, mechanism);
  }

  /**
   * Checks a token.
   *
   * @throws AccessRefused if it is not accepted
   */
  Identity loginByToken(String token) {
    checkThrottle("");
    return users.identityOfToken(token);
  }
}
