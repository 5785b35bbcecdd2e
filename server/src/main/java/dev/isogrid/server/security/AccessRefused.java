package dev.isogrid.server.security;

/** A refused request of a caller, or a failed login. Has no stack trace. */
public final class AccessRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of the refusal. */
  public enum Reason {
    /** The caller must log in first. */
    NOT_LOGGED_IN,
    /** The roles of the user do not permit it. */
    NOT_PERMITTED,
    /** The name, password, token or certificate is wrong. */
    LOGIN_FAILED,
    /** The login was not checked: too many logins failed before. */
    LOGIN_TOO_SOON,
    /** The message does not fit the mechanism, or the mechanism does not exist. */
    LOGIN_MALFORMED
  }

  private final Reason reason;

  AccessRefused(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  static AccessRefused malformed(String message) {
    return new AccessRefused(Reason.LOGIN_MALFORMED, message);
  }

  /** The reason of the refusal. */
  public Reason reason() {
    return reason;
  }

  /** The sentence for the client. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
