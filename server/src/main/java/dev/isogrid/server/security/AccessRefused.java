package dev.isogrid.server.security;

/** A request that its caller may not make, or a login that failed. Has no stack trace. */
public final class AccessRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** Someone has to log in first. */
    NOT_LOGGED_IN,
    /** The roles of the user do not permit it. */
    NOT_PERMITTED,
    /** Name, password, token or certificate are not right. */
    LOGIN_FAILED,
    /** Nothing was checked: too many logins failed before. */
    LOGIN_TOO_SOON,
    /** What was sent is not what the mechanism expects, or there is no such mechanism. */
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

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** The sentence for the client. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
