package dev.isogrid.server.security;

import dev.isogrid.base.NanoClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes events of security, one line each, to a logger of its own: {@code dev.isogrid.audit}.
 * Thread-safe.
 *
 * <pre>
 * login: user=ada, from=/10.0.0.1:41234, protocol=Hot Rod, mechanism=SCRAM-SHA-256, result=ok
 * request: user=ada, from=/10.0.0.1:41234, protocol=REST, request=DELETE /rest/v2/caches/a, ...
 * login: user="ada, from=/10.0.0.9", from=/10.0.0.1:41234, protocol=REST, ...
 * </pre>
 *
 * A value that could look like several values or lines is in quotes. Within quotes, a quote or
 * backslash follows a backslash, and an invisible character is written as backslash, u and four
 * hexadecimal digits. So no client can forge fields or lines.
 *
 * <p>At most {@link #REFUSALS_MAX} refusals per second are written, with the number of omitted
 * ones: so refused requests can't fill a disk.
 */
final class AuditLog {
  private static final String NAME = "dev.isogrid.audit";

  /** Clients' texts are cut to this length. */
  private static final int SHOWN_MAX = 100;

  /** Enough for any honest mistake. */
  static final int REFUSALS_MAX = 100;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final boolean isOn;
  private final NanoClock clock;
  private final Logger log;

  private final LongAdder loginsFailed = new LongAdder();
  private final LongAdder requestsDenied = new LongAdder();

  // Guarded by this.
  private long secondNanos;
  private int refusals;

  AuditLog(boolean isOn, NanoClock clock) {
    this(isOn, clock, System.getLogger(NAME));
  }

  /** Makes an audit log for another logger. */
  AuditLog(boolean isOn, NanoClock clock, Logger log) {
    this.log = log;
    this.isOn = isOn;
    this.clock = clock;
    this.secondNanos = clock.nanoTime();
  }

  /** Whether one more refusal may be written; first writes the number of omitted ones. */
  private boolean hasRoom() {
    int leftOut = 0;
    boolean hasRoom;
    synchronized (this) {
      long nowNanos = clock.nanoTime();
      if (nowNanos - secondNanos >= SECOND_NANOS) {
        leftOut = Math.max(0, refusals - REFUSALS_MAX);
        secondNanos = nowNanos;
        refusals = 0;
      }
      hasRoom = ++refusals <= REFUSALS_MAX;
    }
    if (leftOut > 0) {
      log.log(Level.WARNING, "refusals left out: count=" + leftOut);
    }
    return hasRoom;
  }

  void loggedIn(String user, Origin origin, String mechanism) {
    write(Level.INFO, "login", user, origin, "mechanism=%s, result=ok".formatted(value(mechanism)));
  }

  /** Logins that failed since the start, including omitted ones. */
  long loginsFailed() {
    return loginsFailed.sum();
  }

  /** Requests that were refused for lack of a permission, including omitted ones. */
  long requestsDenied() {
    return requestsDenied.sum();
  }

  void loginFailed(String user, Origin origin, String mechanism, String reason) {
    loginsFailed.increment();
    write(
        Level.WARNING,
        "login",
        user,
        origin,
        "mechanism=%s, result=refused, reason=%s".formatted(value(mechanism), value(reason)));
  }

  /** Notes the end of a connection on which nobody tried to log in: no failed login. */
  void leftWithoutLogin(Origin origin) {
    if (isOn && hasRoom()) {
      write(Level.INFO, "connection", "-", origin, "result=closed, reason=no login in time");
    }
  }

  /** Notes that a user must log in again. */
  void ended(Identity identity, Origin origin) {
    write(
        Level.INFO,
        "session",
        identity.name(),
        origin,
        "mechanism=%s, result=ended".formatted(value(identity.mechanism())));
  }

  void refused(String user, Origin origin, String request, String needed) {
    requestsDenied.increment();
    write(
        Level.WARNING,
        "request",
        user,
        origin,
        "request=%s, result=refused, needed=%s".formatted(value(request), value(needed)));
  }

  void administered(String user, Origin origin, String request, String result) {
    write(
        Level.INFO,
        "request",
        user,
        origin,
        "request=%s, result=%s".formatted(value(request), value(result)));
  }

  private void write(Level level, String event, String user, Origin origin, String rest) {
    if (isOn && (level != Level.WARNING || hasRoom())) {
      log.log(
          level,
          () ->
              "%s: user=%s, from=%s, protocol=%s, %s"
                  .formatted(event, value(user), origin.address(), origin.protocol(), rest));
    }
  }

  /** A foreign text as one value of a line: cut, and in quotes if necessary. */
  static String value(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder quoted = new StringBuilder(head.length() + 2).append('"');
    boolean isPlain = !head.isEmpty() && head.equals(head.strip());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      if (isHidden(c)) {
        quoted.append("\\u%04x".formatted((int) c));
        isPlain = false;
        continue;
      }
      if (c == '"' || c == '\\') {
        quoted.append('\\');
      }
      isPlain &= ",=\"\\".indexOf(c) < 0;
      quoted.append(c);
    }
    return isPlain ? head : quoted.append('"').toString();
  }

  /** Whether a character ends a line, changes the direction of writing, or is invisible. */
  private static boolean isHidden(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** A foreign text as part of one line: cut, and without line ends or invisible characters. */
  static String shown(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder line = new StringBuilder(head.length());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      line.append(isHidden(c) ? '?' : c);
    }
    return line.toString();
  }
}
