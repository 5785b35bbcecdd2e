package dev.isogrid.cli;

/** A request that the server refused. The message says what to do, as far as the status tells. */
final class RestFailure extends CommandFailure {
  private static final long serialVersionUID = 1L;

  private static final int NOT_MODIFIED = 304;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int MISDIRECTED = 421;
  private static final int TOO_MANY = 429;
  private static final int INTERNAL_ERROR = 500;
  private static final int UNAVAILABLE = 503;
  private static final int FULL = 507;

  private final int status;

  /**
   * Creates a failure.
   *
   * @param body what the server said; may be empty
   * @param request method and path
   * @param isLoggedIn whether the request had a login
   */
  RestFailure(int status, String body, String request, boolean isLoggedIn) {
    super(message(status, body.strip(), request, isLoggedIn));
    this.status = status;
  }

  /** Whether the server does not know what the request names. */
  boolean isNotFound() {
    return status == NOT_FOUND;
  }

  /** Whether what was to be made exists already. */
  boolean isConflict() {
    return status == CONFLICT;
  }

  /** Whether nothing was changed, since what was to be made exists already. */
  boolean isNotModified() {
    return status == NOT_MODIFIED;
  }

  /** Whether what was asked about has failed: no other status tells that. */
  boolean isEnd() {
    return status == INTERNAL_ERROR;
  }

  private static String message(int status, String body, String request, boolean isLoggedIn) {
    String said = body.isEmpty() ? request : body;
    return switch (status) {
      case BAD_REQUEST, CONFLICT -> said;
      case UNAUTHORIZED ->
          isLoggedIn
              ? "the server refused the login; check user and password: " + said
              : "the server wants a login; connect with --user NAME, or --token-file FILE";
      case FORBIDDEN -> "not permitted: " + said;
      case NOT_FOUND -> body.isEmpty() ? "not found: " + request : body;
      case MISDIRECTED -> "the server does not answer to this name; use its address: " + said;
      case TOO_MANY -> "too many requests or failed logins; wait a little: " + said;
      case UNAVAILABLE -> "the server can't do this now; try again: " + said;
      case FULL -> "the server has no room for it: " + said;
      default -> "the server refused: status=%d, %s".formatted(status, said);
    };
  }
}
